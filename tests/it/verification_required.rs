//! Signup and login where the email address must be verified first (docs/reference/browser.md 10.3 and 10.4,
//! docs/concepts/decisions/0005).

use crate::application_scripts::page_of;
use crate::harness::{Client, Engine, Receiver, Reply, TestApp, code_of, link_of, run_program, wrong_code};
use crate::organizations::{claims, create_team};
use std::time::Duration;

both_engines![concurrent_signups_are_independent,];
one_engine![
    account_is_created_by_verification,
    link_in_other_browser_requires_signup_password,
    signup_with_known_address_is_indistinguishable,
    unfinished_signup_does_not_reveal_known_address,
    signup_must_verify_address_of_unverified_account,
    login_of_unverified_account_requires_verification,
    pending_signup_expires_with_its_link,
    newer_signup_email_invalidates_earlier_one,
    shown_invitation_is_kept_until_verification,
    emailed_invitation_verifies_address,
    signups_of_one_address_share_code_attempts,
];

const PASSWORD: &str = "a lighthouse in the fog";
const OTHER: &str = "a second lighthouse in the fog";
const USERS: &str = "SELECT count(*) FROM users";
const FINISH: &str = "Finish signing up";

async fn required(engine: Engine) -> TestApp {
    engine.prepare().await.set("SVC_EMAIL_VERIFICATION", "required").start().await
}

async fn sign_up_with(client: &Client, email: &str, password: &str) -> Reply {
    client.post_form("/auth/signup", &[("email", email), ("password", password)]).await
}

async fn type_code(client: &Client, code: &str) -> Reply {
    client.post_form("/auth/email/verify", &[("code", code)]).await
}

fn has_session(client: &Client) -> bool {
    client.token("access").is_some_and(|token| !token.is_empty())
}

async fn account_is_created_by_verification(engine: Engine) {
    let receiver = Receiver::start().await;
    let app = engine.prepare().await.set("SVC_EMAIL_VERIFICATION", "required").webhooks(&receiver).start().await;
    let ada = app.anonymous();
    let fields = [("email", "Ada@example.com"), ("username", "ada"), ("password", PASSWORD), ("return_to", "/app?a=b")];
    ada.post_form("/auth/signup", &fields).await.snapshot("signup/verification_required");
    assert!(!has_session(&ada));
    assert_eq!(app.database().count(USERS).await, 0);
    assert_eq!(app.database().count("SELECT count(*) FROM outbox WHERE channel = 'webhook'").await, 0);
    ada.get("/auth/email/verify").await.snapshot("verify/signup_shown");
    let code = code_of(&app.mail_to("ada@example.com", FINISH).await);
    type_code(&ada, &wrong_code(&code)).await.snapshot("verify/signup_wrong_code");
    type_code(&ada, &code).await.snapshot("verify/signup_done");
    let user = ada.api_user().await.expect(200).json();
    assert_eq!((&user["email"], &user["username"]), (&"Ada@example.com".into(), &"ada".into()));
    assert_eq!(app.database().count("SELECT count(*) FROM users WHERE email_verified_at IS NOT NULL").await, 1);
    assert_eq!(app.database().count("SELECT count(*) FROM outbox WHERE kind = 'user.created'").await, 1);
    assert_eq!(app.database().count("SELECT count(*) FROM account_tokens").await, 0);
    app.anonymous().log_in("ada", PASSWORD).await.expect(303);
}

async fn link_in_other_browser_requires_signup_password(engine: Engine) {
    let app = required(engine).await;
    let ada = app.anonymous();
    sign_up_with(&ada, "ada@example.com", PASSWORD).await.expect(303);
    let link = link_of(&app.mail_to("ada@example.com", FINISH).await);
    let phone = app.anonymous();
    phone.get(&link).await.snapshot("verify/signup_link_in_other_browser");
    phone.post_form(&link, &[("password", OTHER)]).await.snapshot("verify/signup_link_wrong_password");
    assert_eq!(app.database().count(USERS).await, 0);
    phone.post_form(&link, &[("password", PASSWORD)]).await.snapshot("verify/signup_done_in_other_browser");
    phone.api_user().await.expect(200);
    phone.post_form(&link, &[("password", PASSWORD)]).await.expect(404);
    // The browser of the signup has nothing left to verify.
    ada.get("/auth/email/verify").await.snapshot("verify/nothing_pending");
    assert!(!has_session(&ada));
}

async fn signup_with_known_address_is_indistinguishable(engine: Engine) {
    let app = engine.prepare().await.set("SVC_EMAIL_VERIFICATION", "required").without_background().start().await;
    let ada = app.anonymous();
    sign_up_with(&ada, "ada@example.com", PASSWORD).await.expect(303);
    ada.post_form(&link_of(&app.mail_to("ada@example.com", FINISH).await), &[]).await.expect(303);
    let mut answers = Vec::new();
    for email in ["ada@example.com", "eve@example.com"] {
        let eve = app.anonymous();
        eve.get("/auth/signup").await.expect(200);
        let before = (app.app.passwords.verifications(), app.app.store.statements());
        let reply = sign_up_with(&eve, email, OTHER).await.expect(303);
        let work = (app.app.passwords.verifications() - before.0, app.app.store.statements() - before.1);
        let csrf = eve.token("csrf").unwrap();
        let shown = |reply: Reply| {
            let page = page_of(&reply, "/auth/email/verify");
            reply.text().replace(email, "").replace(&csrf, "").replace(&page, "")
        };
        let page = shown(eve.get("/auth/email/verify").await.expect(200));
        let wrong = shown(type_code(&eve, "000000").await.expect(422));
        answers.push((reply.location().to_owned(), work, page, wrong));
    }
    assert_eq!(answers[0], answers[1]);
    let notice = app.mail_to("ada@example.com", "You already have an account").await;
    assert_eq!(link_of(&notice), "/auth/login");
    assert_eq!(app.database().count(USERS).await, 1);
    app.anonymous().log_in("ada@example.com", OTHER).await.expect(401);
}

async fn unfinished_signup_does_not_reveal_known_address(engine: Engine) {
    let app = required(engine).await;
    let ada = app.anonymous();
    sign_up_with(&ada, "ada@example.com", PASSWORD).await.expect(303);
    ada.post_form(&link_of(&app.mail_to("ada@example.com", FINISH).await), &[]).await.expect(303);
    for (email, name) in [("ada@example.com", "one"), ("eve@example.com", "two")] {
        let fields = [("email", email), ("username", name), ("password", OTHER)];
        app.anonymous().post_form("/auth/signup", &fields).await.expect(303);
        // Login with the pending account fails, and its username is still free.
        app.anonymous().log_in(email, OTHER).await.expect(401);
        let again = [("email", "third@example.com"), ("username", name), ("password", OTHER)];
        app.anonymous().post_form("/auth/signup", &again).await.expect(303);
    }
}

async fn concurrent_signups_are_independent(engine: Engine) {
    let app = required(engine).await;
    let (ada, eve) = (app.anonymous(), app.anonymous());
    sign_up_with(&ada, "ada@example.com", PASSWORD).await.expect(303);
    let own = app.mail_to("ada@example.com", FINISH).await;
    sign_up_with(&eve, "ada@example.com", OTHER).await.expect(303);
    let foreign = app.mail_to("ada@example.com", FINISH).await;
    assert_ne!(link_of(&own), link_of(&foreign));
    // Eve's link in ada's browser, which did not request it, asks for the password that only eve knows.
    assert!(ada.get(&link_of(&foreign)).await.expect(200).text().contains("type=\"password\""));
    ada.post_form(&link_of(&foreign), &[("password", PASSWORD)]).await.expect(422);
    ada.post_form(&link_of(&own), &[]).await.expect(303);
    ada.api_user().await.expect(200);
    // Eve's pending signup has ended.
    eve.get("/auth/email/verify").await.expect(404);
    eve.post_form(&link_of(&foreign), &[]).await.expect(404);
    app.anonymous().log_in("ada@example.com", OTHER).await.expect(401);
    app.anonymous().log_in("ada@example.com", PASSWORD).await.expect(303);
}

async fn signup_must_verify_address_of_unverified_account(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let eve = app.sign_up("ada@example.com").await;
    let id = eve.api_user().await.json()["id"].clone();
    // Although verification is optional here, the second signup has to verify the address.
    let ada = app.anonymous();
    assert_eq!(sign_up_with(&ada, "ada@example.com", OTHER).await.expect(303).location(), "/auth/email/verify");
    eve.api_user().await.expect(200);
    let link = link_of(&app.mail_to("ada@example.com", FINISH).await);
    ada.post_form(&link, &[]).await.snapshot("verify/whose_account");
    let fields = [("account", "anew"), ("holder", id.as_str().unwrap())];
    ada.post_form(&link, &fields).await.expect(303);
    assert_ne!(ada.api_user().await.expect(200).json()["id"], id, "another account");
    eve.api_user().await.expect(200);
    app.anonymous().log_in("ada@example.com", PASSWORD).await.expect(401);
    app.anonymous().log_in("ada@example.com", OTHER).await.expect(303);
    // A verified account stays.
    sign_up_with(&app.anonymous(), "ada@example.com", PASSWORD).await.snapshot("signup/address_taken");
}

async fn login_of_unverified_account_requires_verification(engine: Engine) {
    let app = required(engine).await;
    let made = run_program(&["--json", "user", "create", "ada@example.com"], app.variables()).await;
    let made: serde_json::Value = serde_json::from_slice(&made.stdout).unwrap();
    let password = made["password"].as_str().unwrap();
    let ada = app.anonymous();
    ada.log_in("ada@example.com", "not the password at all").await.expect(401);
    let fields = [("email", "ada"), ("password", password), ("return_to", "/app?a=b")];
    ada.post_form("/auth/login", &fields).await.snapshot("login/verification_required");
    assert!(!has_session(&ada));
    let code = code_of(&app.mail_to("ada@example.com", "Verify your").await);
    // Verification opens no session: login may still require a second factor.
    type_code(&ada, &code).await.snapshot("verify/done_before_login");
    assert!(!has_session(&ada));
    assert_eq!(ada.post_form("/auth/login", &fields).await.expect(303).location(), "/app?a=b");
    ada.api_user().await.expect(200);
}

async fn pending_signup_expires_with_its_link(engine: Engine) {
    let app = required(engine).await;
    let ada = app.anonymous();
    sign_up_with(&ada, "ada@example.com", PASSWORD).await.expect(303);
    let link = link_of(&app.mail_to("ada@example.com", FINISH).await);
    app.clock().advance(Duration::from_secs(24 * 3600 + 1));
    ada.get(&link).await.expect(404);
    ada.post_form(&link, &[("password", PASSWORD)]).await.expect(404);
    assert_eq!(app.database().count(USERS).await, 0);
}

async fn newer_signup_email_invalidates_earlier_one(engine: Engine) {
    let app = required(engine).await;
    let ada = app.anonymous();
    sign_up_with(&ada, "ada@example.com", PASSWORD).await.expect(303);
    let old = app.mail_to("ada@example.com", FINISH).await;
    app.clock().advance(Duration::from_secs(61));
    ada.post_form("/auth/email/verify/resend", &[]).await.expect(303);
    let new = app.mail_to("ada@example.com", FINISH).await;
    ada.post_form(&link_of(&old), &[("password", PASSWORD)]).await.expect(404);
    if code_of(&old) != code_of(&new) {
        // More often than wrong ones are taken.
        for _ in 0..7 {
            let page = type_code(&ada, &code_of(&old)).await.expect(422).text();
            assert!(page.contains("A newer email has another code."), "{page}");
        }
    }
    assert_eq!(app.database().count(USERS).await, 0);
    ada.post_form(&link_of(&new), &[]).await.expect(303);
}

async fn shown_invitation_is_kept_until_verification(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up_verified("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let shown = crate::invitations::invite(&ada, &team, "bob@example.com", "admin").await;
    let app = app.restart_with(&[("SVC_EMAIL_VERIFICATION", "required"), ("SVC_SIGNUP", "invite")]).await;
    let bob = app.anonymous();
    let token = shown.rsplit('/').next().unwrap();
    let fields = [("password", PASSWORD), ("invitation", token)];
    assert_eq!(bob.post_form("/auth/signup", &fields).await.expect(303).location(), "/auth/email/verify");
    bob.post_form(&link_of(&app.mail_to("bob@example.com", FINISH).await), &[]).await.expect(303);
    assert_eq!(claims(&bob)["org_role"], "admin");
    assert_eq!(claims(&bob)["org_id"], team.rsplit('/').next().unwrap());
}

async fn emailed_invitation_verifies_address(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up_verified("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    crate::invitations::invite(&ada, &team, "bob@example.com", "member").await;
    let app = app.restart_with(&[("SVC_EMAIL_VERIFICATION", "required")]).await;
    let link = link_of(&app.mail_to("bob@example.com", "invited you").await);
    let bob = app.anonymous();
    let fields = [("password", PASSWORD), ("invitation", link.rsplit('/').next().unwrap())];
    bob.post_form("/auth/signup", &fields).await.expect(303);
    bob.api_user().await.expect(200);
    assert_eq!(app.database().count("SELECT count(*) FROM users WHERE email_verified_at IS NOT NULL").await, 2);
}

async fn signups_of_one_address_share_code_attempts(engine: Engine) {
    let app = required(engine).await;
    // Guesses the code of a foreign address, with a new signup for every five guesses.
    for _ in 0..10 {
        let eve = app.anonymous();
        sign_up_with(&eve, "ada@example.com", OTHER).await.expect(303);
        let code = wrong_code(&code_of(&app.mail_to("ada@example.com", FINISH).await));
        for _ in 0..5 {
            type_code(&eve, &code).await.expect(422);
        }
        app.clock().advance(Duration::from_mins(10));
    }
    let eve = app.anonymous();
    sign_up_with(&eve, "ada@example.com", OTHER).await.expect(303);
    let code = code_of(&app.mail_to("ada@example.com", FINISH).await);
    assert!(type_code(&eve, &code).await.expect(422).text().contains("no longer works"));
}
