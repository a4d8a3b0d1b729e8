//! Another address for an account, and the way back (contract 7).

use crate::harness::{Client, Engine, Receiver, Reply, TestApp, code_of, link_of, wrong_code};
use std::time::Duration;

both![
    a_new_address_counts_once_it_is_proved,
    a_code_proves_the_new_address,
    the_link_works_only_for_whoever_asked,
    a_newer_change_voids_the_one_before,
    a_change_can_be_canceled,
    a_hundred_wrong_codes_count_through_all_that_begins_anew,
    a_taken_address_is_told_to_its_owner_only,
    an_address_taken_meanwhile_is_refused,
    the_old_address_takes_the_change_back,
    a_second_change_leaves_the_first_way_back,
    an_address_that_was_left_is_kept_for_its_owner,
    an_address_without_proof_is_told_and_gets_no_way_back,
    a_way_back_ends_with_its_time_and_is_for_its_own_account,
];
once![the_change_asks_again_who_it_is, a_new_address_is_checked, a_form_that_was_not_meant_changes_nothing];

const PASSWORD: &str = "a lighthouse in the fog";
const NEW: &str = "a second lighthouse in the fog";
const PATH: &str = "/auth/account/email";
const CONFIRM: &str = "Confirm your new";
const CHANGED: &str = "Your e-mail address was changed";

/// Somebody with a proved address.
async fn proved(app: &TestApp, email: &str) -> Client {
    let client = app.sign_up(email).await;
    client.post_form(&link_of(&app.mail_to(email, "Confirm your").await), &[]).await.expect(303);
    client
}

async fn begin(client: &Client, email: &str) -> Reply {
    client.post_form(PATH, &[("email", email)]).await
}

async fn change(app: &TestApp, client: &Client, email: &str) {
    begin(client, email).await.expect(303);
    let link = link_of(&app.mail_to(email, CONFIRM).await);
    assert_eq!(client.post_form(&link, &[]).await.expect(303).location(), "/auth/account/email?notice=changed");
}

async fn email_of(client: &Client) -> String {
    client.api_user().await.expect(200).json()["email"].as_str().unwrap().to_owned()
}

async fn a_new_address_counts_once_it_is_proved(engine: Engine) {
    let receiver = Receiver::start().await;
    let app = engine.prepare().await.asking_for_proof().webhooks(&receiver).start().await;
    let ada = proved(&app, "ada@example.com").await;
    assert!(ada.get("/auth/account").await.text().contains(PATH));
    assert_eq!(begin(&ada, "New@Example.com").await.expect(303).location(), PATH);
    let page = ada.get(PATH).await.expect(200).text();
    assert!(page.contains("New@Example.com") && page.contains("ada@example.com"), "{page}");
    assert_eq!(email_of(&ada).await, "ada@example.com");
    let updated = "SELECT count(*) FROM outbox WHERE kind = 'user.updated'";
    assert_eq!(app.database().count(updated).await, 0);
    let link = link_of(&app.mail_to("new@example.com", CONFIRM).await);
    assert!(!ada.get(&link).await.expect(200).text().contains("type=\"password\""));
    ada.post_form(&link, &[]).await.expect(303);
    assert!(ada.get("/auth/account/email?notice=changed").await.text().contains("is changed"));
    assert_eq!(email_of(&ada).await, "New@Example.com");
    assert_eq!(app.database().count(updated).await, 1);
    assert!(link_of(&app.mail_to("ada@example.com", CHANGED).await).starts_with("/auth/email/undo/"));
    ada.get(&link).await.expect(404);
    ada.post_form(&link, &[]).await.expect(404);
    app.anonymous().log_in("new@example.com", PASSWORD).await.expect(303);
    app.anonymous().log_in("ada@example.com", PASSWORD).await.expect(401);
    let entries = "SELECT count(*) FROM audit WHERE kind = 'email_changed'";
    assert_eq!(app.database().count(entries).await, 1);
}

async fn a_code_proves_the_new_address(engine: Engine) {
    let app = engine.prepare().await.asking_for_proof().start().await;
    let ada = proved(&app, "ada@example.com").await;
    begin(&ada, "new@example.com").await.expect(303);
    let code = code_of(&app.mail_to("new@example.com", CONFIRM).await);
    let confirm = async |code: &str| ada.post_form("/auth/account/email/confirm", &[("code", code)]).await;
    for _ in 0..2 {
        assert!(confirm(&wrong_code(&code)).await.expect(422).text().contains("not the code"));
    }
    // A code of a change proves nothing elsewhere.
    assert_eq!(ada.post_form("/auth/email/verify", &[("code", &code)]).await.expect(303).location(), "/auth/account");
    confirm(&code).await.expect(303);
    assert_eq!(email_of(&ada).await, "new@example.com");
    assert_eq!(confirm(&code).await.expect(303).location(), PATH);
}

async fn the_link_works_only_for_whoever_asked(engine: Engine) {
    let app = engine.prepare().await.asking_for_proof().start().await;
    let ada = proved(&app, "ada@example.com").await;
    begin(&ada, "eve@example.com").await.expect(303);
    let link = link_of(&app.mail_to("eve@example.com", CONFIRM).await);
    // The owner of a mistyped address.
    let eve = app.anonymous();
    assert!(eve.get(&link).await.expect(303).location().starts_with("/auth/login?return_to="));
    assert!(eve.post_form(&link, &[("password", PASSWORD)]).await.expect(303).location().starts_with("/auth/login"));
    let eve = app.sign_up("other@example.com").await;
    eve.get(&link).await.expect(403);
    eve.post_form(&link, &[]).await.expect(403);
    assert_eq!((email_of(&ada).await, email_of(&eve).await), ("ada@example.com".into(), "other@example.com".into()));
    app.clock().advance(Duration::from_secs(24 * 3600 + 1));
    ada.refresh("app").await.expect(200);
    ada.post_form(&link, &[]).await.expect(404);
}

async fn a_newer_change_voids_the_one_before(engine: Engine) {
    let app = engine.prepare().await.asking_for_proof().start().await;
    let ada = proved(&app, "ada@example.com").await;
    begin(&ada, "first@example.com").await.expect(303);
    let first = link_of(&app.mail_to("first@example.com", CONFIRM).await);
    begin(&ada, "second@example.com").await.expect(303);
    ada.post_form(&first, &[]).await.expect(404);
    let second = link_of(&app.mail_to("second@example.com", CONFIRM).await);
    ada.post_form("/auth/account/email/resend", &[]).await.expect(429);
    app.clock().advance(Duration::from_secs(61));
    assert_eq!(
        ada.post_form("/auth/account/email/resend", &[]).await.expect(303).location(),
        "/auth/account/email?notice=sent"
    );
    ada.post_form(&second, &[]).await.expect(404);
    ada.post_form(&link_of(&app.mail_to("second@example.com", CONFIRM).await), &[]).await.expect(303);
    assert_eq!(email_of(&ada).await, "second@example.com");
}

async fn a_change_can_be_canceled(engine: Engine) {
    let app = engine.prepare().await.asking_for_proof().start().await;
    let ada = proved(&app, "ada@example.com").await;
    begin(&ada, "new@example.com").await.expect(303);
    let link = link_of(&app.mail_to("new@example.com", CONFIRM).await);
    ada.post_form("/auth/account/email/cancel", &[]).await.expect(303);
    assert!(!ada.get(PATH).await.text().contains("new@example.com"));
    ada.post_form(&link, &[]).await.expect(404);
    assert_eq!(email_of(&ada).await, "ada@example.com");
}

async fn a_taken_address_is_told_to_its_owner_only(engine: Engine) {
    let app = engine.prepare().await.asking_for_proof().start().await;
    proved(&app, "bob@example.com").await;
    let ada = proved(&app, "ada@example.com").await;
    begin(&ada, "bob@example.com").await.expect(303);
    let taken = ada.get(PATH).await.expect(200).text();
    begin(&ada, "nobody@example.com").await.expect(303);
    let free = ada.get(PATH).await.expect(200).text().replace("nobody@", "bob@");
    let without_times = |page: &str| page.split("<time").next().unwrap().to_owned();
    assert_eq!(without_times(&taken), without_times(&free));
    app.mail_to("bob@example.com", "You have an account").await;
    assert!(!app.mails_to("bob@example.com").await.iter().any(|mail| mail.subject.contains(CONFIRM)));
}

async fn an_address_taken_meanwhile_is_refused(engine: Engine) {
    let app = engine.prepare().await.asking_for_proof().start().await;
    let ada = proved(&app, "ada@example.com").await;
    begin(&ada, "new@example.com").await.expect(303);
    let link = link_of(&app.mail_to("new@example.com", CONFIRM).await);
    app.sign_up("new@example.com").await;
    assert!(ada.post_form(&link, &[]).await.expect(409).text().contains("has an account"));
    assert_eq!(email_of(&ada).await, "ada@example.com");
}

async fn the_old_address_takes_the_change_back(engine: Engine) {
    let app = engine.prepare().await.asking_for_proof().start().await;
    let ada = proved(&app, "ada@example.com").await;
    // Somebody with the session and the password.
    let eve = app.anonymous();
    eve.log_in("ada@example.com", PASSWORD).await.expect(303);
    change(&app, &eve, "eve@example.com").await;
    begin(&eve, "third@example.com").await.expect(303);
    let undo = link_of(&app.mail_to("ada@example.com", CHANGED).await);
    app.clock().advance(Duration::from_hours(71));
    let owner = app.anonymous();
    for _ in 0..2 {
        assert!(owner.get(&undo).await.expect(200).text().contains("ada@example.com"));
    }
    let reset = owner.post_form(&undo, &[]).await.expect(303);
    assert!(reset.location().starts_with("/auth/password/reset/"), "{}", reset.location());
    for browser in [&ada, &eve] {
        browser.api_user().await.expect(401);
        browser.refresh("app").await.expect(401);
    }
    for login in ["ada@example.com", "eve@example.com"] {
        app.anonymous().log_in(login, PASSWORD).await.expect(401);
    }
    owner.post_form(reset.location(), &[("password", NEW)]).await.expect(303);
    owner.log_in("ada@example.com", NEW).await.expect(303);
    assert_eq!(email_of(&owner).await, "ada@example.com");
    owner.get(&undo).await.expect(404);
    owner.post_form(&undo, &[]).await.expect(404);
    assert_eq!(app.database().count("SELECT count(*) FROM account_tokens").await, 0);
    let undone = "SELECT count(*) FROM audit WHERE kind = 'email_change_undone'";
    assert_eq!(app.database().count(undone).await, 1);
}

async fn a_second_change_leaves_the_first_way_back(engine: Engine) {
    let app = engine.prepare().await.asking_for_proof().start().await;
    let eve = proved(&app, "ada@example.com").await;
    change(&app, &eve, "eve1@example.com").await;
    change(&app, &eve, "eve2@example.com").await;
    let first = link_of(&app.mail_to("ada@example.com", CHANGED).await);
    let second = link_of(&app.mail_to("eve1@example.com", CHANGED).await);
    app.anonymous().post_form(&first, &[]).await.expect(303);
    // The way back from a later change went with it.
    app.anonymous().post_form(&second, &[]).await.expect(404);
    app.clock().advance(Duration::from_secs(72 * 3600 + 1));
    app.anonymous().get(&first).await.expect(404);
}

async fn an_address_that_was_left_is_kept_for_its_owner(engine: Engine) {
    let app = engine.prepare().await.asking_for_proof().start().await;
    let ada = proved(&app, "ada@example.com").await;
    change(&app, &ada, "new@example.com").await;
    app.anonymous().sign_up("ada@example.com").await.expect(422);
    let bob = proved(&app, "bob@example.com").await;
    begin(&bob, "ada@example.com").await.expect(303);
    app.mail_to("ada@example.com", "You have an account").await;
    // Its owner may come back to it the usual way.
    change(&app, &ada, "ada@example.com").await;
    assert_eq!(email_of(&ada).await, "ada@example.com");
    change(&app, &ada, "new@example.com").await;
    app.clock().advance(Duration::from_secs(72 * 3600 + 1));
    app.anonymous().sign_up("ada@example.com").await.expect(303);
}

async fn a_hundred_wrong_codes_count_through_all_that_begins_anew(engine: Engine) {
    let app = engine.prepare().await.asking_for_proof().set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    let confirm = async |client: &Client, code: &str| {
        client.post_form("/auth/account/email/confirm", &[("code", code)]).await.expect(422).text()
    };
    for _ in 0..20 {
        begin(&ada, "new@example.com").await.expect(303);
        let code = wrong_code(&code_of(&app.mail_to("new@example.com", CONFIRM).await));
        for _ in 0..5 {
            confirm(&ada, &code).await;
        }
        ada.post_form("/auth/account/email/cancel", &[]).await.expect(303);
    }
    begin(&ada, "new@example.com").await.expect(303);
    let code = code_of(&app.mail_to("new@example.com", CONFIRM).await);
    assert!(confirm(&ada, &code).await.contains("cannot be used any more"));
    // Nor does it help to cancel and wait for what is over to be removed, or to come with another account.
    ada.post_form("/auth/account/email/cancel", &[]).await.expect(303);
    app.clock().advance(Duration::from_hours(24 * 7));
    let app = app.restart().await;
    let (ada, eve) = (ada.at(&app.url()), app.sign_up("eve@example.com").await);
    ada.log_in("ada", PASSWORD).await.expect(303);
    for client in [&ada, &eve] {
        begin(client, "new@example.com").await.expect(303);
        let code = code_of(&app.mail_to("new@example.com", CONFIRM).await);
        assert!(confirm(client, &code).await.contains("cannot be used any more"));
    }
    let link = link_of(&app.mail_to("new@example.com", CONFIRM).await);
    eve.post_form(&link, &[]).await.expect(303);
    // In the end it is forgotten.
    assert_eq!(app.database().count("SELECT count(*) FROM account_tokens WHERE code_failures > 0").await, 1);
    app.clock().advance(Duration::from_hours(24 * 32));
    let app = app.restart().await;
    let left = async || app.database().count("SELECT count(*) FROM account_tokens").await == 0;
    crate::harness::eventually("nothing is left", async || left().await.then_some(())).await;
}

async fn a_way_back_ends_with_its_time_and_is_for_its_own_account(engine: Engine) {
    let app = engine.prepare().await.asking_for_proof().start().await;
    let ada = proved(&app, "ada@example.com").await;
    change(&app, &ada, "new@example.com").await;
    let undo = link_of(&app.mail_to("ada@example.com", CHANGED).await);
    app.clock().advance(Duration::from_hours(72) - Duration::from_secs(1));
    app.anonymous().get(&undo).await.expect(200);
    app.clock().advance(Duration::from_secs(1));
    app.anonymous().get(&undo).await.expect(404);
    app.anonymous().post_form(&undo, &[]).await.expect(404);
    ada.refresh("app").await.expect(200);
    assert_eq!(email_of(&ada).await, "new@example.com");
    // Followed in a browser where somebody else is logged in, it does nothing to them.
    ada.log_in("new@example.com", PASSWORD).await.expect(303);
    change(&app, &ada, "third@example.com").await;
    let undo = link_of(&app.mail_to("new@example.com", CHANGED).await);
    let eve = app.sign_up("eve@example.com").await;
    eve.post_form(&undo, &[]).await.expect(303);
    assert_eq!(email_of(&eve).await, "eve@example.com");
    ada.api_user().await.expect(401);
    assert_eq!(app.database().count("SELECT count(*) FROM users WHERE email = 'new@example.com'").await, 1);
    app.anonymous().log_in("eve@example.com", PASSWORD).await.expect(303);
}

async fn an_address_without_proof_is_told_and_gets_no_way_back(engine: Engine) {
    let app = engine.prepare().await.asking_for_proof().start().await;
    // Mistyped at sign-up: somebody else's mailbox.
    let ada = app.sign_up("stranger@example.com").await;
    change(&app, &ada, "ada@example.com").await;
    let told = app.mail_to("stranger@example.com", "An account has left your address").await;
    assert_eq!(link_of(&told), "/auth/login");
    assert!(!told.text.contains("ada") && !told.text.contains("undo"), "{}", told.text);
    assert!(!app.mails_to("stranger@example.com").await.iter().any(|mail| mail.subject.contains(CHANGED)));
    assert_eq!(app.database().count("SELECT count(*) FROM account_tokens").await, 0);
}

async fn the_change_asks_again_who_it_is() {
    let app = Engine::Sqlite.prepare().await.asking_for_proof().start().await;
    let ada = app.sign_up("ada@example.com").await;
    app.clock().advance(Duration::from_secs(15 * 60 + 1));
    ada.refresh("app").await.expect(200);
    let asked = "/auth/account/confirm?return_to=%2Fauth%2Faccount%2Femail";
    assert_eq!(ada.get(PATH).await.expect(303).location(), asked);
    assert_eq!(begin(&ada, "new@example.com").await.expect(303).location(), asked);
    assert!(app.mails_to("new@example.com").await.is_empty());
}

async fn a_new_address_is_checked() {
    let app = Engine::Sqlite.prepare().await.asking_for_proof().start().await;
    let ada = app.sign_up("ada@example.com").await;
    for (email, words) in [("", "Enter your"), ("nobody", "not an e-mail address"), ("ADA@example.com", "already")] {
        let page = begin(&ada, email).await.expect(422).text();
        assert!(page.contains(words) && page.contains(&format!("value=\"{email}\"")), "{email}: {page}");
    }
}

async fn a_form_that_was_not_meant_changes_nothing() {
    let app = Engine::Sqlite.prepare().await.asking_for_proof().start().await;
    let ada = proved(&app, "ada@example.com").await;
    begin(&ada, "new@example.com").await.expect(303);
    let mail = app.mail_to("new@example.com", CONFIRM).await;
    let (link, code) = (link_of(&mail), code_of(&mail));
    let forged = [("csrf_token", "forged"), ("email", "eve@example.com"), ("code", code.as_str())];
    for path in [PATH, "/auth/account/email/confirm", "/auth/account/email/resend", "/auth/account/email/cancel", &link]
    {
        ada.form(path, &forged).await.expect(403);
    }
    assert_eq!(email_of(&ada).await, "ada@example.com");
    change(&app, &ada, "other@example.com").await;
    let undo = link_of(&app.mail_to("ada@example.com", CHANGED).await);
    app.anonymous().form(&undo, &forged).await.expect(403);
    assert_eq!(email_of(&ada).await, "other@example.com");
}
