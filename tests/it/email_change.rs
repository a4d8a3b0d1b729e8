//! Email change and its undo link (docs/reference/browser.md 10).

use crate::enumeration::encoded;
use crate::harness::{Client, Engine, Receiver, Reply, TestApp, code_of, link_of, wrong_code};
use std::time::Duration;

one_engine![
    new_address_takes_effect_after_verification,
    code_verifies_new_address,
    link_works_only_for_requesting_account,
    newer_change_voids_previous_link,
    pending_change_can_be_canceled,
    wrong_codes_count_across_new_requests,
    taken_address_is_revealed_only_to_its_owner,
    address_taken_before_verification_is_refused,
    undo_link_at_old_address_reverts_change,
    second_change_keeps_first_undo_link,
    old_address_stays_reserved_for_its_owner,
    unverified_old_address_gets_no_mail,
    undo_link_expires_and_affects_only_its_account,
];
single_run![new_address_is_validated, form_with_invalid_csrf_token_changes_nothing];

const PASSWORD: &str = "a lighthouse in the fog";
const NEW_PASSWORD: &str = "a second lighthouse in the fog";
const PATH: &str = "/auth/account/email";
const CONFIRM_SUBJECT: &str = "Verify your new";
const CHANGED_SUBJECT: &str = "Your email address was changed";

/// A user with a verified address.
async fn verified(app: &TestApp, email: &str) -> Client {
    let client = app.sign_up(email).await;
    client.post_form(&link_of(&app.mail_to(email, "Verify your").await), &[]).await.expect(303);
    client
}

async fn request_change(client: &Client, email: &str) -> Reply {
    client.post_form(PATH, &[("email", email)]).await
}

async fn change(app: &TestApp, client: &Client, email: &str) {
    request_change(client, email).await.expect(303);
    let link = link_of(&app.mail_to(email, CONFIRM_SUBJECT).await);
    assert_eq!(client.post_form(&link, &[]).await.expect(303).location(), "/auth/account/email?notice=changed");
}

async fn email_of(client: &Client) -> String {
    client.api_user().await.expect(200).json()["email"].as_str().unwrap().to_owned()
}

async fn new_address_takes_effect_after_verification(engine: Engine) {
    let receiver = Receiver::start().await;
    let app = engine.prepare().await.with_email_verification().webhooks(&receiver).start().await;
    let ada = verified(&app, "ada@example.com").await;
    ada.get(PATH).await.snapshot("email_change/shown");
    request_change(&ada, "New@Example.com").await.snapshot("email_change/sent");
    ada.get(PATH).await.snapshot("email_change/pending");
    assert_eq!(email_of(&ada).await, "ada@example.com");
    let updated = "SELECT count(*) FROM outbox WHERE kind = 'user.updated'";
    assert_eq!(app.database().count(updated).await, 0);
    let link = link_of(&app.mail_to("new@example.com", CONFIRM_SUBJECT).await);
    ada.get(&link).await.snapshot("email_change/link_shown");
    ada.post_form(&link, &[]).await.snapshot("email_change/done_by_link");
    ada.get("/auth/account/email?notice=changed").await.snapshot("email_change/done_shown");
    assert_eq!(email_of(&ada).await, "New@Example.com");
    assert_eq!(app.database().count(updated).await, 1);
    assert!(link_of(&app.mail_to("ada@example.com", CHANGED_SUBJECT).await).starts_with("/auth/email/undo/"));
    ada.get(&link).await.expect(404);
    ada.post_form(&link, &[]).await.expect(404);
    app.anonymous().log_in("new@example.com", PASSWORD).await.expect(303);
    app.anonymous().log_in("ada@example.com", PASSWORD).await.expect(401);
    let entries = "SELECT count(*) FROM audit WHERE kind = 'email_changed'";
    assert_eq!(app.database().count(entries).await, 1);
}

async fn code_verifies_new_address(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = verified(&app, "ada@example.com").await;
    request_change(&ada, "new@example.com").await.expect(303);
    let code = code_of(&app.mail_to("new@example.com", CONFIRM_SUBJECT).await);
    let confirm = async |code: &str| ada.post_form("/auth/account/email/confirm", &[("code", code)]).await;
    for left in [4, 3] {
        confirm(&wrong_code(&code)).await.snapshot(&format!("email_change/wrong_code_{left}_left"));
    }
    // The code of a change does not verify the current address.
    assert_eq!(ada.post_form("/auth/email/verify", &[("code", &code)]).await.expect(303).location(), "/auth/account");
    confirm(&code).await.snapshot("email_change/done_by_code");
    assert_eq!(email_of(&ada).await, "new@example.com");
    confirm(&code).await.snapshot("email_change/nothing_to_confirm");
}

async fn link_works_only_for_requesting_account(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = verified(&app, "ada@example.com").await;
    request_change(&ada, "eve@example.com").await.expect(303);
    let link = link_of(&app.mail_to("eve@example.com", CONFIRM_SUBJECT).await);
    // Eve owns the mistyped address.
    let eve = app.anonymous();
    let led = eve.get(&link).await.snapshot("email_change/link_logged_out");
    assert_eq!(led.location(), format!("/auth/login?return_to={}", encoded(&link)));
    eve.post_form(&link, &[("password", PASSWORD)]).await.snapshot("email_change/link_logged_out_sent");
    let eve = app.sign_up("other@example.com").await;
    eve.get(&link).await.snapshot("email_change/link_of_other_account");
    eve.post_form(&link, &[]).await.snapshot("email_change/link_of_other_account_sent");
    assert_eq!((email_of(&ada).await, email_of(&eve).await), ("ada@example.com".into(), "other@example.com".into()));
    app.clock().advance(Duration::from_secs(24 * 3600 + 1));
    ada.refresh("app").await.expect(200);
    ada.post_form(&link, &[]).await.expect(404);
}

async fn newer_change_voids_previous_link(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = verified(&app, "ada@example.com").await;
    request_change(&ada, "first@example.com").await.expect(303);
    let first = link_of(&app.mail_to("first@example.com", CONFIRM_SUBJECT).await);
    request_change(&ada, "second@example.com").await.expect(303);
    ada.post_form(&first, &[]).await.expect(404);
    let second = link_of(&app.mail_to("second@example.com", CONFIRM_SUBJECT).await);
    ada.post_form("/auth/account/email/resend", &[]).await.snapshot("email_change/resend_too_early");
    app.clock().advance(Duration::from_secs(61));
    ada.post_form("/auth/account/email/resend", &[]).await.snapshot("email_change/resent");
    ada.post_form(&second, &[]).await.expect(404);
    ada.post_form(&link_of(&app.mail_to("second@example.com", CONFIRM_SUBJECT).await), &[]).await.expect(303);
    assert_eq!(email_of(&ada).await, "second@example.com");
}

async fn pending_change_can_be_canceled(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = verified(&app, "ada@example.com").await;
    request_change(&ada, "new@example.com").await.expect(303);
    let link = link_of(&app.mail_to("new@example.com", CONFIRM_SUBJECT).await);
    ada.post_form("/auth/account/email/cancel", &[]).await.snapshot("email_change/canceled");
    assert!(!ada.get(PATH).await.text().contains("new@example.com"));
    ada.post_form(&link, &[]).await.expect(404);
    assert_eq!(email_of(&ada).await, "ada@example.com");
}

async fn taken_address_is_revealed_only_to_its_owner(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    verified(&app, "bob@example.com").await;
    let ada = verified(&app, "ada@example.com").await;
    request_change(&ada, "bob@example.com").await.expect(303);
    let taken = ada.get(PATH).await.expect(200).text();
    request_change(&ada, "nobody@example.com").await.expect(303);
    let free = ada.get(PATH).await.expect(200).text().replace("nobody@", "bob@");
    let without_seals = |page: &str| {
        let parts = page.split(" name=\"page\" value=\"");
        parts.map(|part| part.split_once('>').map_or(part, |(_, rest)| rest).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(without_seals(&taken), without_seals(&free));
    app.mail_to("bob@example.com", "You already have an account").await;
    assert!(!app.mails_to("bob@example.com").await.iter().any(|mail| mail.subject.contains(CONFIRM_SUBJECT)));
}

async fn address_taken_before_verification_is_refused(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = verified(&app, "ada@example.com").await;
    request_change(&ada, "new@example.com").await.expect(303);
    let link = link_of(&app.mail_to("new@example.com", CONFIRM_SUBJECT).await);
    app.sign_up("new@example.com").await;
    ada.post_form(&link, &[]).await.snapshot("email_change/address_taken_meanwhile");
    assert_eq!(email_of(&ada).await, "ada@example.com");
}

async fn undo_link_at_old_address_reverts_change(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = verified(&app, "ada@example.com").await;
    // An attacker with the password.
    let eve = app.anonymous();
    eve.log_in("ada@example.com", PASSWORD).await.expect(303);
    change(&app, &eve, "eve@example.com").await;
    request_change(&eve, "third@example.com").await.expect(303);
    let undo = link_of(&app.mail_to("ada@example.com", CHANGED_SUBJECT).await);
    app.clock().advance(Duration::from_hours(71));
    let owner = app.anonymous();
    owner.get("/auth/login").await.expect(200);
    for _ in 0..2 {
        owner.get(&undo).await.snapshot("undo/shown");
    }
    let reset = owner.post_form(&undo, &[]).await.snapshot("undo/done");
    for browser in [&ada, &eve] {
        browser.api_user().await.expect(401);
        browser.refresh("app").await.expect(401);
    }
    for login in ["ada@example.com", "eve@example.com"] {
        app.anonymous().log_in(login, PASSWORD).await.expect(401);
    }
    owner.post_form(reset.location(), &[("password", NEW_PASSWORD)]).await.expect(303);
    owner.log_in("ada@example.com", NEW_PASSWORD).await.expect(303);
    assert_eq!(email_of(&owner).await, "ada@example.com");
    owner.get(&undo).await.snapshot("undo/gone");
    owner.post_form(&undo, &[]).await.snapshot("undo/gone_sent");
    assert_eq!(app.database().count("SELECT count(*) FROM account_tokens").await, 0);
    let undone = "SELECT count(*) FROM audit WHERE kind = 'email_change_undone'";
    assert_eq!(app.database().count(undone).await, 1);
}

async fn second_change_keeps_first_undo_link(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let eve = verified(&app, "ada@example.com").await;
    change(&app, &eve, "eve1@example.com").await;
    change(&app, &eve, "eve2@example.com").await;
    let first = link_of(&app.mail_to("ada@example.com", CHANGED_SUBJECT).await);
    let second = link_of(&app.mail_to("eve1@example.com", CHANGED_SUBJECT).await);
    app.anonymous().post_form(&first, &[]).await.expect(303);
    // Undoing the first change voids the undo link of the second.
    app.anonymous().post_form(&second, &[]).await.expect(404);
    app.clock().advance(Duration::from_secs(72 * 3600 + 1));
    app.anonymous().get(&first).await.expect(404);
}

async fn old_address_stays_reserved_for_its_owner(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = verified(&app, "ada@example.com").await;
    change(&app, &ada, "new@example.com").await;
    app.anonymous().sign_up("ada@example.com").await.expect(422);
    let bob = verified(&app, "bob@example.com").await;
    request_change(&bob, "ada@example.com").await.expect(303);
    app.mail_to("ada@example.com", "You already have an account").await;
    // Its owner may change back to it.
    change(&app, &ada, "ada@example.com").await;
    assert_eq!(email_of(&ada).await, "ada@example.com");
    change(&app, &ada, "new@example.com").await;
    app.clock().advance(Duration::from_secs(72 * 3600 + 1));
    app.anonymous().sign_up("ada@example.com").await.expect(303);
}

async fn wrong_codes_count_across_new_requests(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    let confirm = async |client: &Client, code: &str| {
        client.post_form("/auth/account/email/confirm", &[("code", code)]).await.expect(422).text()
    };
    for _ in 0..10 {
        request_change(&ada, "new@example.com").await.expect(303);
        let code = wrong_code(&code_of(&app.mail_to("new@example.com", CONFIRM_SUBJECT).await));
        for _ in 0..5 {
            confirm(&ada, &code).await;
        }
        ada.post_form("/auth/account/email/cancel", &[]).await.expect(303);
    }
    // Another account does not reset the count.
    let eve = app.sign_up("eve@example.com").await;
    for client in [&ada, &eve] {
        request_change(client, "new@example.com").await.expect(303);
        let code = code_of(&app.mail_to("new@example.com", CONFIRM_SUBJECT).await);
        assert!(confirm(client, &code).await.contains("no longer works"));
    }
    let link = link_of(&app.mail_to("new@example.com", CONFIRM_SUBJECT).await);
    eve.post_form(&link, &[]).await.expect(303);
}

async fn undo_link_expires_and_affects_only_its_account(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = verified(&app, "ada@example.com").await;
    change(&app, &ada, "new@example.com").await;
    let undo = link_of(&app.mail_to("ada@example.com", CHANGED_SUBJECT).await);
    app.clock().advance(Duration::from_hours(72) - Duration::from_secs(1));
    app.anonymous().get(&undo).await.expect(200);
    app.clock().advance(Duration::from_secs(1));
    app.anonymous().get(&undo).await.expect(404);
    app.anonymous().post_form(&undo, &[]).await.expect(404);
    ada.refresh("app").await.expect(200);
    assert_eq!(email_of(&ada).await, "new@example.com");
    // Opened in a browser where another user is logged in, it does not affect that user.
    ada.log_in("new@example.com", PASSWORD).await.expect(303);
    change(&app, &ada, "third@example.com").await;
    let undo = link_of(&app.mail_to("new@example.com", CHANGED_SUBJECT).await);
    let eve = app.sign_up("eve@example.com").await;
    eve.post_form(&undo, &[]).await.expect(303);
    assert_eq!(email_of(&eve).await, "eve@example.com");
    ada.api_user().await.expect(401);
    assert_eq!(app.database().count("SELECT count(*) FROM users WHERE email = 'new@example.com'").await, 1);
    app.anonymous().log_in("eve@example.com", PASSWORD).await.expect(303);
}

async fn unverified_old_address_gets_no_mail(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    // Mistyped at signup: a stranger's mailbox.
    let ada = app.sign_up("stranger@example.com").await;
    change(&app, &ada, "ada@example.com").await;
    let subjects: Vec<String> =
        app.mails_to("stranger@example.com").await.into_iter().map(|mail| mail.subject).collect();
    assert_eq!(subjects, ["Verify your email address"], "from the signup");
    assert_eq!(app.database().count("SELECT count(*) FROM account_tokens").await, 0);
}

async fn new_address_is_validated() {
    let app = Engine::Sqlite.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up("ada@example.com").await;
    for (name, email) in [("empty", ""), ("no_address_typed", "nobody"), ("unchanged", "ADA@example.com")] {
        request_change(&ada, email).await.snapshot(&format!("email_change/{name}"));
    }
}

async fn form_with_invalid_csrf_token_changes_nothing() {
    let app = Engine::Sqlite.prepare().await.with_email_verification().start().await;
    let ada = verified(&app, "ada@example.com").await;
    request_change(&ada, "new@example.com").await.expect(303);
    let mail = app.mail_to("new@example.com", CONFIRM_SUBJECT).await;
    let (link, code) = (link_of(&mail), code_of(&mail));
    let forged = [("csrf_token", "forged"), ("email", "eve@example.com"), ("code", code.as_str())];
    for path in [PATH, "/auth/account/email/confirm", "/auth/account/email/resend", "/auth/account/email/cancel", &link]
    {
        ada.form(path, &forged).await.expect(403);
    }
    assert_eq!(email_of(&ada).await, "ada@example.com");
    change(&app, &ada, "other@example.com").await;
    let undo = link_of(&app.mail_to("ada@example.com", CHANGED_SUBJECT).await);
    app.anonymous().form(&undo, &forged).await.expect(403);
    assert_eq!(email_of(&ada).await, "other@example.com");
}
