//! Sign-up and log-in where nobody is let in before the proof of their address (contract 7, docs/decisions/0005).

use crate::harness::{Client, Engine, Receiver, Reply, TestApp, code_of, link_of, run_program, wrong_code};
use crate::organizations::{claims, create_team};
use std::time::Duration;

both![
    an_account_begins_with_the_proof,
    a_link_elsewhere_needs_the_password_of_the_sign_up,
    a_known_address_gets_the_same_answer,
    nothing_tells_afterwards_whether_an_address_was_known,
    each_sign_up_waits_for_itself,
    an_account_without_proof_gives_way,
    an_account_without_proof_is_led_to_it,
    a_sign_up_ends_with_its_link,
    a_newer_mail_of_a_sign_up_voids_the_one_before,
    an_invitation_that_was_shown_is_kept_for_the_proof,
    a_mailed_invitation_is_proof_enough,
    codes_of_sign_ups_share_their_tries,
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

async fn an_account_begins_with_the_proof(engine: Engine) {
    let receiver = Receiver::start().await;
    let app = engine.prepare().await.set("SVC_EMAIL_VERIFICATION", "required").webhooks(&receiver).start().await;
    let ada = app.anonymous();
    let fields = [("email", "Ada@example.com"), ("username", "ada"), ("password", PASSWORD), ("return_to", "/app?a=b")];
    assert_eq!(ada.post_form("/auth/signup", &fields).await.expect(303).location(), "/auth/email/verify");
    assert!(!has_session(&ada));
    assert_eq!(app.database().count(USERS).await, 0);
    assert_eq!(app.database().count("SELECT count(*) FROM outbox WHERE channel = 'webhook'").await, 0);
    let page = ada.get("/auth/email/verify").await.expect(200).text();
    assert!(page.contains("Ada@example.com"), "{page}");
    let code = code_of(&app.mail_to("ada@example.com", FINISH).await);
    type_code(&ada, &wrong_code(&code)).await.expect(422);
    assert_eq!(type_code(&ada, &code).await.expect(303).location(), "/app?a=b");
    let user = ada.api_user().await.expect(200).json();
    assert_eq!((&user["email"], &user["username"]), (&"Ada@example.com".into(), &"ada".into()));
    assert_eq!(app.database().count("SELECT count(*) FROM users WHERE email_verified_at IS NOT NULL").await, 1);
    assert_eq!(app.database().count("SELECT count(*) FROM outbox WHERE kind = 'user.created'").await, 1);
    assert_eq!(app.database().count("SELECT count(*) FROM account_tokens").await, 0);
    app.anonymous().log_in("ada", PASSWORD).await.expect(303);
}

async fn a_link_elsewhere_needs_the_password_of_the_sign_up(engine: Engine) {
    let app = required(engine).await;
    let ada = app.anonymous();
    sign_up_with(&ada, "ada@example.com", PASSWORD).await.expect(303);
    let link = link_of(&app.mail_to("ada@example.com", FINISH).await);
    let phone = app.anonymous();
    assert!(phone.get(&link).await.expect(200).text().contains("type=\"password\""));
    phone.post_form(&link, &[("password", OTHER)]).await.expect(422);
    assert_eq!(app.database().count(USERS).await, 0);
    assert_eq!(phone.post_form(&link, &[("password", PASSWORD)]).await.expect(303).location(), "/auth/account");
    phone.api_user().await.expect(200);
    phone.post_form(&link, &[("password", PASSWORD)]).await.expect(404);
    // Where it was begun there is nothing left to do.
    ada.get("/auth/email/verify").await.expect(404);
    assert!(!has_session(&ada));
}

async fn a_known_address_gets_the_same_answer(engine: Engine) {
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
        let page = eve.get("/auth/email/verify").await.expect(200).text().replace(email, "");
        let page = page.replace(&eve.token("csrf").unwrap(), "");
        let wrong = type_code(&eve, "000000").await.expect(422).text().replace(email, "");
        let wrong = wrong.replace(&eve.token("csrf").unwrap(), "");
        answers.push((reply.location().to_owned(), work, page, wrong));
    }
    assert_eq!(answers[0], answers[1]);
    let told = app.mail_to("ada@example.com", "You have an account").await;
    assert_eq!(link_of(&told), "/auth/login");
    assert_eq!(app.database().count(USERS).await, 1);
    app.anonymous().log_in("ada@example.com", OTHER).await.expect(401);
}

async fn nothing_tells_afterwards_whether_an_address_was_known(engine: Engine) {
    let app = required(engine).await;
    let ada = app.anonymous();
    sign_up_with(&ada, "ada@example.com", PASSWORD).await.expect(303);
    ada.post_form(&link_of(&app.mail_to("ada@example.com", FINISH).await), &[]).await.expect(303);
    for (email, name) in [("ada@example.com", "one"), ("eve@example.com", "two")] {
        let fields = [("email", email), ("username", name), ("password", OTHER)];
        app.anonymous().post_form("/auth/signup", &fields).await.expect(303);
        // The log-in does not know it, and its username is not taken.
        app.anonymous().log_in(email, OTHER).await.expect(401);
        let again = [("email", "third@example.com"), ("username", name), ("password", OTHER)];
        app.anonymous().post_form("/auth/signup", &again).await.expect(303);
    }
}

async fn each_sign_up_waits_for_itself(engine: Engine) {
    let app = required(engine).await;
    let (ada, eve) = (app.anonymous(), app.anonymous());
    sign_up_with(&ada, "ada@example.com", PASSWORD).await.expect(303);
    let hers = app.mail_to("ada@example.com", FINISH).await;
    sign_up_with(&eve, "ada@example.com", OTHER).await.expect(303);
    let stranger = app.mail_to("ada@example.com", FINISH).await;
    assert_ne!(link_of(&hers), link_of(&stranger));
    // The stranger's mail in her browser: her browser did not ask for it, and she does not know the password.
    assert!(ada.get(&link_of(&stranger)).await.expect(200).text().contains("type=\"password\""));
    ada.post_form(&link_of(&stranger), &[("password", PASSWORD)]).await.expect(422);
    ada.post_form(&link_of(&hers), &[]).await.expect(303);
    ada.api_user().await.expect(200);
    // What the stranger waited for is over.
    eve.get("/auth/email/verify").await.expect(404);
    eve.post_form(&link_of(&stranger), &[]).await.expect(404);
    app.anonymous().log_in("ada@example.com", OTHER).await.expect(401);
    app.anonymous().log_in("ada@example.com", PASSWORD).await.expect(303);
}

async fn an_account_without_proof_gives_way(engine: Engine) {
    let app = engine.prepare().await.asking_for_proof().start().await;
    let eve = app.sign_up("ada@example.com").await;
    let id = eve.api_user().await.json()["id"].clone();
    // Also where the proof is optional: the address is asked for.
    let ada = app.anonymous();
    assert_eq!(sign_up_with(&ada, "ada@example.com", OTHER).await.expect(303).location(), "/auth/email/verify");
    eve.api_user().await.expect(200);
    ada.post_form(&link_of(&app.mail_to("ada@example.com", FINISH).await), &[]).await.expect(303);
    assert_ne!(ada.api_user().await.expect(200).json()["id"], id, "another account");
    eve.api_user().await.expect(401);
    eve.refresh("app").await.expect(401);
    app.anonymous().log_in("ada@example.com", PASSWORD).await.expect(401);
    app.anonymous().log_in("ada@example.com", OTHER).await.expect(303);
    // An account with proof does not.
    let page = sign_up_with(&app.anonymous(), "ada@example.com", PASSWORD).await.expect(422).text();
    assert!(page.contains("already an account"), "{page}");
}

async fn an_account_without_proof_is_led_to_it(engine: Engine) {
    let app = required(engine).await;
    let made = run_program(&["--json", "user", "create", "ada@example.com"], app.variables()).await;
    let made: serde_json::Value = serde_json::from_slice(&made.stdout).unwrap();
    let password = made["password"].as_str().unwrap();
    let ada = app.anonymous();
    ada.log_in("ada@example.com", "not the password at all").await.expect(401);
    let fields = [("email", "ada"), ("password", password), ("return_to", "/app?a=b")];
    assert_eq!(ada.post_form("/auth/login", &fields).await.expect(303).location(), "/auth/email/verify");
    assert!(!has_session(&ada));
    let code = code_of(&app.mail_to("ada@example.com", "Confirm your").await);
    // The way on leads through the log-in, where a second factor would be asked for.
    let next = type_code(&ada, &code).await.expect(303);
    assert_eq!(next.location(), "/auth/login?notice=confirmed&return_to=%2Fapp%3Fa%3Db");
    assert!(!has_session(&ada));
    assert_eq!(ada.post_form("/auth/login", &fields).await.expect(303).location(), "/app?a=b");
    ada.api_user().await.expect(200);
}

async fn a_sign_up_ends_with_its_link(engine: Engine) {
    let app = required(engine).await;
    let ada = app.anonymous();
    sign_up_with(&ada, "ada@example.com", PASSWORD).await.expect(303);
    let link = link_of(&app.mail_to("ada@example.com", FINISH).await);
    app.clock().advance(Duration::from_secs(24 * 3600 + 1));
    ada.get(&link).await.expect(404);
    ada.post_form(&link, &[("password", PASSWORD)]).await.expect(404);
    assert_eq!(app.database().count(USERS).await, 0);
}

async fn a_newer_mail_of_a_sign_up_voids_the_one_before(engine: Engine) {
    let app = required(engine).await;
    let ada = app.anonymous();
    sign_up_with(&ada, "ada@example.com", PASSWORD).await.expect(303);
    let old = app.mail_to("ada@example.com", FINISH).await;
    app.clock().advance(Duration::from_secs(61));
    ada.post_form("/auth/email/verify/resend", &[]).await.expect(303);
    let new = app.mail_to("ada@example.com", FINISH).await;
    ada.post_form(&link_of(&old), &[("password", PASSWORD)]).await.expect(404);
    if code_of(&old) != code_of(&new) {
        type_code(&ada, &code_of(&old)).await.expect(422);
    }
    assert_eq!(app.database().count(USERS).await, 0);
    ada.post_form(&link_of(&new), &[]).await.expect(303);
}

async fn an_invitation_that_was_shown_is_kept_for_the_proof(engine: Engine) {
    let app = engine.prepare().await.asking_for_proof().start().await;
    let ada = app.sign_up("ada@example.com").await;
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

async fn a_mailed_invitation_is_proof_enough(engine: Engine) {
    let app = engine.prepare().await.asking_for_proof().start().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    crate::invitations::invite(&ada, &team, "bob@example.com", "member").await;
    let app = app.restart_with(&[("SVC_EMAIL_VERIFICATION", "required")]).await;
    let link = link_of(&app.mail_to("bob@example.com", "Invitation").await);
    let bob = app.anonymous();
    let fields = [("password", PASSWORD), ("invitation", link.rsplit('/').next().unwrap())];
    bob.post_form("/auth/signup", &fields).await.expect(303);
    bob.api_user().await.expect(200);
    assert_eq!(app.database().count("SELECT count(*) FROM users WHERE email_verified_at IS NOT NULL").await, 1);
}

async fn codes_of_sign_ups_share_their_tries(engine: Engine) {
    let app = required(engine).await;
    // Guessing for somebody else's address, each time with a new sign-up.
    for _ in 0..20 {
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
    assert!(type_code(&eve, &code).await.expect(422).text().contains("cannot be used any more"));
}
