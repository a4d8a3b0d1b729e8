//! An account that never verified its address, when the owner of the address comes: a page asks whose it is, and
//! nothing is deleted (docs/concepts/decisions/0007).

use crate::harness::{Client, Engine, Receiver, Reply, TestApp, code_of, link_of, wrong_code};
use crate::invitations::invite;
use crate::organizations::{PASSWORD, claims, create_team, user_id};
use doorward::domain::account::operator;
use doorward::model::principal::Principal;
use std::time::Duration;

both_engines![two_answers_at_once_count_once,];
one_engine![
    signup_by_code_asks_before_anything_changes,
    account_that_is_mine_is_kept_without_its_ways_in,
    account_that_is_not_mine_keeps_everything_but_address,
    link_in_other_browser_asks_after_signup_password,
    signup_of_a_stranger_cannot_be_answered_without_the_mail,
    address_is_kept_as_the_signup_spelled_it,
    invitation_is_accepted_for_either_account,
    void_invitation_does_not_keep_the_owner_out,
    question_is_asked_again_if_another_account_holds_the_address,
    account_that_is_gone_or_verified_since_is_not_touched,
    reset_asks_and_preselects_nothing,
    reset_of_an_account_that_is_mine_keeps_it,
    invitations_by_the_creator_end_with_a_reset,
    reset_of_an_account_that_is_not_mine_creates_another,
    reset_never_asks_about_verified_account,
];

const NEW_PASSWORD: &str = "a second lighthouse in the fog";
const ADA: &str = "ada@example.com";
const SIGN_UP_SUBJECT: &str = "Finish signing up";
const RESET_SUBJECT: &str = "Reset your password";
const VERIFY: &str = "/auth/email/verify";
/// Rows that nothing here may delete.
const TABLES: [&str; 3] = ["users", "organizations", "memberships"];

/// An attacker, or Ada long ago, who signed up and never verified the address.
pub async fn unverified(app: &TestApp, email: &str, username: &str) -> Client {
    let eve = app.anonymous();
    let fields = [("email", email), ("username", username), ("password", PASSWORD)];
    eve.post_form("/auth/signup", &fields).await.expect(303);
    eve
}

/// A browser that has signed up with an address and must verify it.
async fn signing_up(app: &TestApp, email: &str) -> Client {
    let ada = app.anonymous();
    let fields = [("email", email), ("password", NEW_PASSWORD), ("return_to", "/app?a=b")];
    assert_eq!(ada.post_form("/auth/signup", &fields).await.expect(303).location(), VERIFY);
    ada
}

async fn signup_link(app: &TestApp, email: &str) -> String {
    link_of(&app.mail_to(email, SIGN_UP_SUBJECT).await)
}

async fn reset_link(app: &TestApp, email: &str) -> String {
    app.anonymous().post_form("/auth/password/forgot", &[("email", email)]).await.expect(303);
    link_of(&app.mail_to(email, RESET_SUBJECT).await)
}

/// Follows a link to the question, and answers it.
async fn answer_by_link(browser: &Client, link: &str, answer: &str) -> Reply {
    let question = browser.post_form(link, &[]).await.expect(200);
    browser.post_form(link, &[("account", answer), ("holder", &question.hidden("holder"))]).await
}

/// Signs up with the address of an unverified account, and answers the question.
pub async fn sign_up_and_answer(app: &TestApp, email: &str, answer: &str) -> Client {
    let ada = signing_up(app, email).await;
    answer_by_link(&ada, &signup_link(app, email).await, answer).await.expect(303);
    ada
}

async fn counts(app: &TestApp) -> Vec<i64> {
    let mut counts = Vec::new();
    for table in TABLES {
        counts.push(app.database().count(&format!("SELECT count(*) FROM {table}")).await);
    }
    counts
}

/// Adds a passkey and an authenticator app to the account of this name, and returns the app.
async fn add_factors(app: &TestApp, client: &Client, username: &str) -> crate::harness::Authenticator {
    app.store_passkey(operator::find(&app.app.store, &Principal::operator(), username).await.unwrap().id).await;
    client.turn_on_two_factor(app).await.0
}

async fn signup_by_code_asks_before_anything_changes(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let eve = unverified(&app, ADA, "gullible").await;
    for name in ["Two <b>", "Three", "Four", "Five", "Six"] {
        create_team(&eve, name).await;
    }
    let ada = signing_up(&app, ADA).await;
    let before = counts(&app).await;
    let mail = app.mail_to(ADA, SIGN_UP_SUBJECT).await;
    assert!(mail.text.contains("Nothing is deleted"), "{}", mail.text);
    let code = code_of(&mail);
    let question = ada.post_form(VERIFY, &[("code", &code)]).await.snapshot("verify/whose_account_by_code");
    // Without an answer, or with one for no account, it is asked again.
    let holder = question.hidden("holder");
    let unanswered = [("code", code.as_str()), ("holder", &holder)];
    ada.post_form(VERIFY, &unanswered).await.snapshot("verify/whose_account_unanswered");
    for answer in ["keep", "anew"] {
        ada.post_form(VERIFY, &[("code", &code), ("account", answer)]).await.expect(200);
    }
    let other = uuid::Uuid::nil().to_string();
    let of_other = [("code", code.as_str()), ("account", "anew"), ("holder", &other)];
    ada.post_form(VERIFY, &of_other).await.snapshot("verify/whose_account_changed");
    // An answer needs the code as well.
    let wrong = wrong_code(&code);
    ada.post_form(VERIFY, &[("code", &wrong), ("account", "anew"), ("holder", &holder)]).await.expect(422);
    assert_eq!(counts(&app).await, before);
    assert_eq!(app.database().count("SELECT count(*) FROM users WHERE email_verified_at IS NOT NULL").await, 0);
    eve.api_user().await.expect(200);
    ada.api_user().await.expect(401);
    let answer = [("code", question.hidden("code")), ("account", "keep".to_owned()), ("holder", holder)];
    let answer: Vec<(&str, &str)> = answer.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(ada.post_form(VERIFY, &answer).await.expect(303).location(), "/app?a=b");
    ada.api_user().await.expect(200);
}

async fn account_that_is_mine_is_kept_without_its_ways_in(engine: Engine) {
    let receiver = Receiver::start().await;
    let builder = engine.prepare().await.with_email_verification().webhooks(&receiver);
    let app = builder.start().await;
    let eve = unverified(&app, ADA, "lovelace").await;
    let id = user_id(&eve).await;
    let team = create_team(&eve, "Engine").await;
    add_factors(&app, &eve, "lovelace").await;
    eve.post_form("/auth/account/email", &[("email", "eve@example.com")]).await.expect(303);
    let change = link_of(&app.mail_to("eve@example.com", "Verify your new").await);
    let verification = link_of(&app.mail_to(ADA, "Verify your").await);
    let reset = reset_link(&app, ADA).await;
    let before = counts(&app).await;
    let events = app.database().count("SELECT count(*) FROM outbox WHERE channel = 'webhook'").await;
    let ada = sign_up_and_answer(&app, ADA, "keep").await;
    assert_eq!(counts(&app).await, before);
    let user = ada.api_user().await.expect(200).json();
    assert_eq!((&user["id"], &user["username"]), (&id.as_str().into(), &"lovelace".into()));
    ada.get(&team).await.expect(200);
    assert_eq!(app.database().count("SELECT count(*) FROM users WHERE email_verified_at IS NOT NULL").await, 1);
    // Verification alone is no event.
    assert_eq!(app.database().count("SELECT count(*) FROM outbox WHERE channel = 'webhook'").await, events);
    // Nothing that its creator has is good any more.
    eve.api_user().await.expect(401);
    eve.refresh("app").await.expect(401);
    for table in ["passkeys", "totp", "recovery_codes", "account_tokens"] {
        assert_eq!(app.database().count(&format!("SELECT count(*) FROM {table}")).await, 0, "{table}");
    }
    for link in [&change, &verification, &reset] {
        ada.get(link).await.expect(404);
    }
    app.anonymous().log_in("lovelace", PASSWORD).await.expect(401);
    assert_eq!(app.anonymous().log_in(ADA, NEW_PASSWORD).await.expect(303).location(), "/auth/account");
}

async fn account_that_is_not_mine_keeps_everything_but_address(engine: Engine) {
    let receiver = Receiver::start().await;
    let builder =
        engine.prepare().await.with_email_verification().webhooks(&receiver).set("SVC_WEBHOOK_WORKER_COUNT", "1");
    let app = builder.start().await;
    let eve = unverified(&app, ADA, "gullible").await;
    let old_id = user_id(&eve).await;
    let trap = create_team(&eve, "Trap").await;
    let phone = add_factors(&app, &eve, "gullible").await;
    let verification = link_of(&app.mail_to(ADA, "Verify your").await);
    let reset = reset_link(&app, ADA).await;
    let before = counts(&app).await;
    let sent = app.database().count("SELECT count(*) FROM outbox WHERE channel = 'webhook'").await;
    let sent = usize::try_from(sent).unwrap();
    let ada = sign_up_and_answer(&app, ADA, "anew").await;
    // Ada's account is new, with only what a signup creates.
    let user = ada.api_user().await.expect(200).json();
    assert!(user["id"] != old_id.as_str() && user["email"] == ADA && user["username"] == "ada", "{user}");
    ada.get(&trap).await.expect(404);
    assert_eq!(counts(&app).await, before.iter().map(|count| count + 1).collect::<Vec<_>>());
    // The old one keeps its id, username, password, factors, sessions and organizations.
    let old = eve.api_user().await.expect(200).json();
    assert_eq!((&old["id"], &old["username"]), (&old_id.as_str().into(), &"gullible".into()));
    assert_eq!(old["email"], format!("{old_id}@unverified.invalid"));
    eve.refresh("app").await.expect(200);
    eve.get(&trap).await.expect(200);
    assert_eq!(app.database().count("SELECT count(*) FROM passkeys").await, 1);
    let browser = app.anonymous();
    browser.log_in("gullible", PASSWORD).await.expect(303);
    browser.send_code(&phone.next_code(&app)).await.expect(303);
    // But nothing of it is good for the address.
    for link in [&verification, &reset] {
        app.anonymous().get(link).await.expect(404);
    }
    app.anonymous().log_in(ADA, PASSWORD).await.expect(401);
    app.anonymous().log_in(ADA, NEW_PASSWORD).await.expect(303);
    // Its activity says what happened, and not from where.
    eve.get("/auth/account/activity").await.snapshot("activity/address_moved");
    let entry = "SELECT actor || address || user_agent FROM audit WHERE kind = 'email_released'";
    assert_eq!(app.database().texts(entry).await, ["unknown"]);
    let events = receiver.wait_for(sent + 3).await;
    let kinds: Vec<String> = events[sent..].iter().map(crate::harness::Received::kind).collect();
    assert_eq!(kinds[..3], ["user.updated", "user.created", "organization.created"]);
    let data = |at: usize| events[sent + at].json()["data"]["user_id"].clone();
    assert_eq!((data(0), data(1)), (old_id.as_str().into(), user["id"].clone()));
}

async fn link_in_other_browser_asks_after_signup_password(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let eve = unverified(&app, ADA, "gullible").await;
    let ada = signing_up(&app, ADA).await;
    let link = signup_link(&app, ADA).await;
    let phone = app.anonymous();
    let form = phone.get(&link).await.expect(200).text();
    assert!(form.contains("type=\"password\"") && !form.contains("gullible"), "{form}");
    let id = user_id(&eve).await;
    let forged = [("account", "anew"), ("holder", id.as_str())];
    phone.post_form(&link, &forged).await.expect(422);
    phone.post_form(&link, &[("password", PASSWORD), ("account", "anew"), ("holder", &id)]).await.expect(422);
    let question =
        phone.post_form(&link, &[("password", NEW_PASSWORD)]).await.snapshot("verify/whose_account_after_password");
    // The answer needs neither the password again nor JavaScript.
    phone.post_form(&link, &[("account", "anew"), ("holder", &question.hidden("holder"))]).await.expect(303);
    assert_ne!(user_id(&phone).await, id);
    eve.api_user().await.expect(200);
    // The browser of the signup has nothing left to answer.
    ada.post_form(&link, &[("account", "keep"), ("holder", &id)]).await.expect(404);
    ada.api_user().await.expect(401);
}

async fn signup_of_a_stranger_cannot_be_answered_without_the_mail(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let old = unverified(&app, ADA, "lovelace").await;
    let id = user_id(&old).await;
    let eve = signing_up(&app, ADA).await;
    let link = signup_link(&app, ADA).await;
    for answer in ["keep", "anew"] {
        let fields = [("code", ""), ("account", answer), ("holder", id.as_str())];
        eve.post_form(VERIFY, &fields).await.expect(422);
        eve.post_form(&format!("{VERIFY}/{}", "x".repeat(43)), &fields).await.expect(404);
    }
    // Ada, who reads the mail, cannot be led into Eve's signup: its password is asked for.
    let ada = app.anonymous();
    ada.post_form(&link, &[("account", "keep"), ("holder", &id)]).await.expect(422);
    // Nor by her own signup in the same browser: each answers for itself.
    let ada = signing_up(&app, ADA).await;
    ada.post_form(&link, &[("account", "keep"), ("holder", &id)]).await.expect(422);
    assert_eq!(app.database().count("SELECT count(*) FROM users").await, 1);
    old.api_user().await.expect(200);
    // A newer mail still leads to the question.
    app.clock().advance(Duration::from_secs(61));
    ada.post_form("/auth/email/verify/resend", &[]).await.expect(303);
    ada.post_form(&signup_link(&app, ADA).await, &[]).await.expect(200);
}

async fn address_is_kept_as_the_signup_spelled_it(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let id = user_id(&unverified(&app, "Ada@Example.com", "lovelace").await).await;
    let ada = sign_up_and_answer(&app, ADA, "keep").await;
    let user = ada.api_user().await.expect(200).json();
    assert_eq!((&user["id"], &user["email"]), (&id.as_str().into(), &ADA.into()));
}

async fn invitation_is_accepted_for_either_account(engine: Engine) {
    for answer in ["keep", "anew"] {
        let app = engine.prepare().await.with_email_verification().start().await;
        let owner = app.sign_up_verified("owner@example.com").await;
        let team = create_team(&owner, "Crew").await;
        let invitation = invite(&owner, &team, ADA, "admin").await;
        let old = unverified(&app, ADA, "lovelace").await;
        let id = user_id(&old).await;
        let app = app.restart_with(&[("SVC_SIGNUP", "invite")]).await;
        let ada = app.anonymous();
        let token = invitation.rsplit('/').next().unwrap();
        let fields = [("username", "countess"), ("password", NEW_PASSWORD), ("invitation", token)];
        ada.post_form("/auth/signup", &fields).await.expect(303);
        answer_by_link(&ada, &signup_link(&app, ADA).await, answer).await.expect(303);
        let user = ada.api_user().await.expect(200).json();
        assert_eq!(user["id"] == id.as_str(), answer == "keep");
        assert_eq!(user["username"], if answer == "keep" { "lovelace" } else { "countess" });
        assert_eq!(claims(&ada)["org_id"], team.rsplit('/').next().unwrap());
        assert_eq!(claims(&ada)["org_role"], "admin");
        let accepted = "SELECT count(*) FROM invitations WHERE state = 'accepted'";
        assert_eq!(app.database().count(accepted).await, 1);
    }
}

async fn void_invitation_does_not_keep_the_owner_out(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let owner = app.sign_up_verified("owner@example.com").await;
    let team = create_team(&owner, "Crew").await;
    let invitation = invite(&owner, &team, ADA, "admin").await;
    let old = unverified(&app, ADA, "lovelace").await;
    let id = user_id(&old).await;
    let app = app.restart_with(&[("SVC_SIGNUP", "invite")]).await;
    let ada = app.anonymous();
    let token = invitation.rsplit('/').next().unwrap();
    ada.post_form("/auth/signup", &[("password", NEW_PASSWORD), ("invitation", token)]).await.expect(303);
    app.database().execute("UPDATE invitations SET state = 'revoked'").await;
    let link = signup_link(&app, ADA).await;
    // A new account would need the invitation; the old one, which exists, loses nothing by the attempt.
    answer_by_link(&ada, &link, "anew").await.snapshot("verify/invitation_void");
    assert_eq!(old.get("/auth/api/v1/user").await.json()["email"], ADA);
    answer_by_link(&ada, &link, "keep").await.expect(303);
    assert_eq!(user_id(&ada).await, id);
    ada.get(&team).await.expect(404);
}

async fn two_answers_at_once_count_once(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    unverified(&app, ADA, "lovelace").await;
    let ada = signing_up(&app, ADA).await;
    let link = signup_link(&app, ADA).await;
    let question = ada.post_form(&link, &[]).await.expect(200);
    let holder = question.hidden("holder");
    let tabs = [ada.copy(), ada.copy()];
    let (mine, other) = ([("account", "keep"), ("holder", &holder)], [("account", "anew"), ("holder", &holder)]);
    let (one, two) = tokio::join!(tabs[0].post_form(&link, &mine), tabs[1].post_form(&link, &other));
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [303, 404]);
    let users = if one.status == 303 { 1 } else { 2 };
    assert_eq!(app.database().count("SELECT count(*) FROM users").await, users);
    assert_eq!(app.database().count("SELECT count(*) FROM users WHERE email_verified_at IS NOT NULL").await, 1);
}

async fn question_is_asked_again_if_another_account_holds_the_address(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let old = unverified(&app, ADA, "lovelace").await;
    let ada = signing_up(&app, ADA).await;
    let link = signup_link(&app, ADA).await;
    let question = ada.post_form(&link, &[]).await.expect(200);
    let answer = [("account", "keep"), ("holder", &*question.hidden("holder"))];
    old.post_form("/auth/account/delete", &[("password", PASSWORD)]).await.expect(200);
    let eve = unverified(&app, ADA, "gullible").await;
    let again = ada.post_form(&link, &answer).await.expect(422);
    assert!(again.text().contains("gullible") && again.text().contains("Another account"), "{}", again.text());
    eve.api_user().await.expect(200);
    let answer = [("account", "anew"), ("holder", &*again.hidden("holder"))];
    ada.post_form(&link, &answer).await.expect(303);
    eve.api_user().await.expect(200);
}

async fn account_that_is_gone_or_verified_since_is_not_touched(engine: Engine) {
    for answer in ["keep", "anew"] {
        let app = engine.prepare().await.with_email_verification().start().await;
        let old = unverified(&app, ADA, "lovelace").await;
        let ada = signing_up(&app, ADA).await;
        let link = signup_link(&app, ADA).await;
        let question = ada.post_form(&link, &[]).await.expect(200);
        let fields = [("account", answer), ("holder", &*question.hidden("holder"))];
        old.post_form("/auth/account/delete", &[("password", PASSWORD)]).await.expect(200);
        ada.post_form(&link, &fields).await.expect(303);
        assert_eq!(app.database().count("SELECT count(*) FROM users").await, 1);
        ada.api_user().await.expect(200);
        // Verified since.
        let old = unverified(&app, "bob@example.com", "bob").await;
        let bob = signing_up(&app, "bob@example.com").await;
        let link = signup_link(&app, "bob@example.com").await;
        let question = bob.post_form(&link, &[]).await.expect(200);
        app.database().execute("UPDATE users SET email_verified_at = created_at WHERE username = 'bob'").await;
        let fields = [("account", answer), ("holder", &*question.hidden("holder"))];
        bob.post_form(&link, &fields).await.expect(409);
        assert_eq!(old.api_user().await.expect(200).json()["email"], "bob@example.com");
    }
}

async fn reset_asks_and_preselects_nothing(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let eve = unverified(&app, ADA, "lovelace").await;
    create_team(&eve, "Engine").await;
    let link = reset_link(&app, ADA).await;
    let browser = app.anonymous();
    browser.get(&link).await.snapshot("reset/whose_account");
    for (name, password, answer) in [
        ("short_and_unanswered", "short", ""),
        ("unanswered", NEW_PASSWORD, ""),
        ("short_and_answered", "short", "anew"),
    ] {
        let reply = browser.post_form(&link, &[("password", password), ("account", answer)]).await;
        reply.snapshot(&format!("reset/{name}"));
    }
    eve.api_user().await.expect(200);
    app.anonymous().log_in(ADA, NEW_PASSWORD).await.expect(401);
}

async fn reset_of_an_account_that_is_mine_keeps_it(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let eve = unverified(&app, ADA, "lovelace").await;
    let id = user_id(&eve).await;
    let team = create_team(&eve, "Engine").await;
    add_factors(&app, &eve, "lovelace").await;
    // Mails to Ada would say it.
    eve.post_form("/auth/account/name", &[("name", "Your account is safe. Eve")]).await.expect(303);
    let before = counts(&app).await;
    let link = reset_link(&app, ADA).await;
    let browser = app.anonymous();
    browser.post_form(&link, &[("password", NEW_PASSWORD), ("account", "keep")]).await.expect(303);
    assert_eq!(counts(&app).await, before);
    for table in ["passkeys", "totp"] {
        assert_eq!(app.database().count(&format!("SELECT count(*) FROM {table}")).await, 0, "{table}");
    }
    assert_eq!(app.database().count("SELECT count(*) FROM users WHERE name IS NOT NULL").await, 0);
    eve.api_user().await.expect(401);
    browser.log_in("lovelace", NEW_PASSWORD).await.expect(303);
    assert_eq!(user_id(&browser).await, id);
    browser.get(&team).await.expect(200);
    assert_eq!(app.database().count("SELECT count(*) FROM users WHERE email_verified_at IS NOT NULL").await, 1);
}

/// The friend of a stranger who made the account with Ada's address.
async fn invitations_by_the_creator_end_with_a_reset(engine: Engine) {
    let app = engine.prepare().await.set("SVC_EMAIL_VERIFICATION", "off").start().await;
    let eve = unverified(&app, ADA, "lovelace").await;
    let team = create_team(&eve, "Crew").await;
    let invitation = invite(&eve, &team, "friend@example.com", "owner").await;
    let link = reset_link(&app, ADA).await;
    let ada = app.anonymous();
    ada.post_form(&link, &[("password", NEW_PASSWORD), ("account", "keep")]).await.expect(303);
    let page = app.anonymous().get(&invitation).await;
    assert!(page.text().contains("This invitation was revoked"), "{}", page.text());
    assert_eq!(app.database().count("SELECT count(*) FROM invitations WHERE state = 'revoked'").await, 1);
}

async fn reset_of_an_account_that_is_not_mine_creates_another(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let eve = unverified(&app, "Ada@example.com", "gullible").await;
    let old_id = user_id(&eve).await;
    let team = create_team(&eve, "Trap").await;
    let before = counts(&app).await;
    let link = reset_link(&app, ADA).await;
    let browser = app.anonymous();
    let answer = [("password", NEW_PASSWORD), ("account", "anew")];
    let next = browser.post_form(&link, &answer).await.expect(303);
    assert_eq!(next.location(), "/auth/account/security?done=password");
    browser.api_user().await.expect(200);
    browser.post_form(&link, &answer).await.expect(404);
    assert_eq!(counts(&app).await, before.iter().map(|count| count + 1).collect::<Vec<_>>());
    browser.log_in(ADA, NEW_PASSWORD).await.expect(303);
    let user = browser.api_user().await.expect(200).json();
    assert!(user["id"] != old_id.as_str() && user["email"] == "Ada@example.com", "{user}");
    assert_eq!(user["username"], "Ada");
    browser.get(&team).await.expect(404);
    eve.get(&team).await.expect(200);
    assert_eq!(eve.api_user().await.expect(200).json()["email"], format!("{old_id}@unverified.invalid"));
    // Concurrent submissions from two tabs create one account.
    unverified(&app, "bob@example.com", "bob").await;
    let link = reset_link(&app, "bob@example.com").await;
    let tabs = [app.anonymous(), app.anonymous()];
    for tab in &tabs {
        tab.get(&link).await.expect(200);
    }
    let (one, other) = tokio::join!(tabs[0].post_form(&link, &answer), tabs[1].post_form(&link, &answer));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [303, 404]);
}

async fn reset_never_asks_about_verified_account(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up(ADA).await;
    let id = user_id(&ada).await;
    ada.post_form(&link_of(&app.mail_to(ADA, "Verify your").await), &[]).await.expect(303);
    let link = reset_link(&app, ADA).await;
    assert!(!app.anonymous().get(&link).await.expect(200).text().contains("name=\"account\""));
    // A forged form cannot take its address either.
    app.anonymous().post_form(&link, &[("password", NEW_PASSWORD), ("account", "anew")]).await.expect(303);
    let browser = app.anonymous();
    browser.log_in(ADA, NEW_PASSWORD).await.expect(303);
    assert_eq!(user_id(&browser).await, id);
}
