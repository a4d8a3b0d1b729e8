//! `doorward secrets reset`: the secret key of an instance with people who have two-factor authentication is lost.

use crate::backup::{doorward, mode, with_new_database};
use crate::harness::{
    Client, Engine, PASSWORD, Process, Reply, TempDir, TestApp, code_of, eventually, link_of, run_program,
    run_to_snapshot,
};
use crate::provider_logins::{Stage, connect, is_logged_in, people};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use doorward::domain::provider::fields::ProviderFields;
use doorward::mail::Content;
use serde_json::json;
use std::collections::BTreeMap;

both_engines![
    everybody_gets_in_by_password_and_mail_and_sets_up_another_app,
    mailed_link_without_password_opens_no_session,
    new_password_alone_opens_no_session,
    operator_lets_in_with_password_alone,
    reset_is_refused_while_key_fits,
    reset_requires_confirmation
];
one_engine![provider_alone_stands_for_no_password];
single_run![missing_key_file_is_made, reset_is_refused_while_service_runs];

const ADA: &str = "ada@example.com";
const VERIFY: &str = "Verify your";
const TWO_FACTOR: &str = "/auth/account/two-factor";

fn new_key() -> String {
    STANDARD.encode([7; 32])
}

fn with_new_key(app: &TestApp) -> BTreeMap<String, String> {
    let mut variables = app.variables().clone();
    variables.insert("SVC_SECRET_KEY".to_owned(), new_key());
    variables
}

/// A service with an account that has an authenticator app.
async fn with_two_factor(engine: Engine) -> (TestApp, Client) {
    let builder = engine.prepare().await.with_email_verification().set("SVC_RATE_LIMIT", "off");
    let app = builder.set("SVC_JWT_ALG", "ES256").start().await;
    let ada = app.sign_up_verified(ADA).await;
    ada.turn_on_two_factor(&app).await;
    (app, ada)
}

/// Loses the key, resets and starts again.
async fn lose_key(mut app: TestApp) -> TestApp {
    app.stop().await;
    doorward(&["secrets", "reset", "--yes"], &with_new_key(&app)).await;
    app.restart_with(&[("SVC_SECRET_KEY", &new_key())]).await
}

/// Logs in with the right password, which asks for a mailed code.
async fn password_step(app: &TestApp) -> Client {
    let browser = app.anonymous();
    let reply = browser.log_in(ADA, PASSWORD).await.expect(303);
    assert_eq!(reply.location(), "/auth/email/verify");
    browser.api_user().await.expect(401);
    browser
}

/// The mail that the last login has caused.
async fn mailed(app: &TestApp) -> doorward::mail::Content {
    app.mail_to(ADA, VERIFY).await
}

async fn everybody_gets_in_by_password_and_mail_and_sets_up_another_app(engine: Engine) {
    let (app, ada) = with_two_factor(engine).await;
    let bob = app.sign_up("bob@example.com").await;
    let signing_keys = "SELECT count(*) FROM es256_signing_keys";
    assert_eq!(app.database().count(signing_keys).await, 1);
    let app = lose_key(app).await;
    assert_eq!(app.database().count(signing_keys).await, 1, "another one");
    for session in [&ada, &bob] {
        let session = session.at(&app.url());
        session.api_user().await.expect(401);
        session.refresh("app").await.expect(401);
        session.get("/auth/account").await.expect(303);
    }
    app.anonymous().log_in("bob@example.com", PASSWORD).await.expect(303);
    // By the code, in the browser that had the password.
    let browser = password_step(&app).await;
    let page = browser.get("/auth/email/verify").await.expect(200).text();
    assert!(page.contains(ADA), "{page}");
    let first = mailed(&app).await;
    let code = code_of(&first);
    browser.post_form("/auth/email/verify", &[("code", &crate::harness::wrong_code(&code))]).await.expect(422);
    browser.api_user().await.expect(401);
    let reply = browser.post_form("/auth/email/verify", &[("code", &code)]).await.expect(303);
    assert_eq!(reply.location(), TWO_FACTOR);
    browser.api_user().await.expect(200);
    browser.get(TWO_FACTOR).await.expect(200);
    browser.get("/auth/account/security").await.expect(200);
    // By the link, in the same browser; each login needs both again.
    let again = password_step(&app).await;
    let link = eventually("another mail", async || {
        let link = link_of(&mailed(&app).await);
        (link != link_of(&first)).then_some(link)
    })
    .await;
    let reply: Reply = again.post_form(&link, &[]).await.expect(303);
    assert_eq!(reply.location(), TWO_FACTOR);
    again.api_user().await.expect(200);
    again.turn_on_two_factor(&app).await;
    let reply = app.anonymous().log_in(ADA, PASSWORD).await.expect(303);
    assert_eq!(reply.location(), "/auth/login/second-factor");
}

async fn mailed_link_without_password_opens_no_session(engine: Engine) {
    let (app, _) = with_two_factor(engine).await;
    let app = lose_key(app).await;
    password_step(&app).await;
    let link = link_of(&mailed(&app).await);
    let thief = app.anonymous();
    thief.get(&link).await.expect(200);
    thief.post_form(&link, &[]).await.expect(422);
    thief.post_form(&link, &[("password", "a guess in the fog")]).await.expect(422);
    thief.api_user().await.expect(401);
    let phone = app.anonymous();
    phone.get(&link).await.expect(200);
    let reply = phone.post_form(&link, &[("password", PASSWORD)]).await.expect(303);
    assert_eq!(reply.location(), TWO_FACTOR);
    phone.api_user().await.expect(200);
}

async fn new_password_alone_opens_no_session(engine: Engine) {
    let (app, _) = with_two_factor(engine).await;
    let app = lose_key(app).await;
    let set = doorward(&["user", "set-password", "ada"], app.variables()).await;
    let browser = app.anonymous();
    let reply = browser.log_in(ADA, set["password"].as_str().unwrap()).await.expect(303);
    assert_eq!(reply.location(), "/auth/email/verify");
    browser.api_user().await.expect(401);
}

async fn operator_lets_in_with_password_alone(engine: Engine) {
    let (app, _) = with_two_factor(engine).await;
    let app = lose_key(app).await;
    let reset = doorward(&["user", "two-factor", "reset", "ada", "--yes"], app.variables()).await;
    assert_eq!(reset["changed"], true);
    let browser = app.anonymous();
    browser.log_in(ADA, PASSWORD).await.expect(303);
    browser.api_user().await.expect(200);
}

/// Its session may be open in someone else's browser, and the mailbox beside it.
async fn provider_alone_stands_for_no_password(engine: Engine) {
    for mode in ["optional", "required"] {
        let builder = engine.prepare().await.with_email_verification().set("SVC_RATE_LIMIT", "off");
        let stage = Stage::with(builder, people(true), ProviderFields::default()).await;
        let ada = stage.app.sign_up_verified(ADA).await;
        connect(&stage.provider, &ada, "ada").await.expect(303);
        let database = stage.app.database();
        database.execute("INSERT INTO lost_factors (user_id, lost_at) SELECT id, created_at FROM users").await;
        if mode == "required" {
            database.execute("UPDATE users SET email_verified_at = NULL").await;
        }
        let Stage { app, provider } = stage;
        let stage = Stage { app: app.restart_with(&[("SVC_EMAIL_VERIFICATION", mode)]).await, provider };
        let mails =
            async || -> Vec<_> { stage.app.mails_to(ADA).await.into_iter().map(|mail| mail.message_id).collect() };
        let before = mails().await;
        let thief = stage.app.anonymous();
        stage.log_in(&thief, "ada").await.expect(403);
        assert_eq!(mails().await, before, "{mode}");
        let code = async |browser: &Client| {
            assert_eq!(browser.log_in(ADA, PASSWORD).await.expect(303).location(), "/auth/email/verify");
            let is_new = |mail: &Content| !before.contains(&mail.message_id);
            let another = async || stage.app.mails_to(ADA).await.into_iter().find(is_new);
            code_of(&eventually("another mail", another).await)
        };
        let browser = stage.app.anonymous();
        browser.post_form("/auth/email/verify", &[("code", &code(&browser).await)]).await.expect(303);
        // What verifies an address may have been asked for without the password, so that it opens no session.
        assert_eq!(is_logged_in(&browser), mode == "optional");
        if mode == "optional" {
            let session = browser.get("/auth/api/v2/session").await.expect(200).json();
            assert_eq!(session["session"]["methods"], json!(["password", "mailed_link"]), "{session}");
        }
    }
}

async fn reset_is_refused_while_key_fits(engine: Engine) {
    let (mut app, _) = with_two_factor(engine).await;
    app.stop().await;
    run_to_snapshot("commands/secrets_reset_key_fits", &["secrets", "reset", "--yes"], app.variables()).await;
    let app = app.restart().await;
    assert_eq!(app.anonymous().log_in(ADA, PASSWORD).await.location(), "/auth/login/second-factor");
}

async fn reset_requires_confirmation(engine: Engine) {
    let (mut app, _) = with_two_factor(engine).await;
    app.stop().await;
    run_to_snapshot("commands/secrets_reset_unconfirmed", &["secrets", "reset"], &with_new_key(&app)).await;
    run_to_snapshot("commands/secrets_reset_unconfirmed_json", &["secrets", "reset", "--json"], &with_new_key(&app))
        .await;
    let app = app.restart().await;
    assert_eq!(app.anonymous().log_in(ADA, PASSWORD).await.location(), "/auth/login/second-factor");
}

/// An instance that keeps its key in a file.
async fn with_key_file(folder: &TempDir) -> BTreeMap<String, String> {
    let mut variables = with_new_database(Engine::Sqlite.prepare().await.variables(), folder);
    variables.remove("SVC_SECRET_KEY");
    doorward(&["migrate"], &variables).await;
    doorward(&["user", "create", ADA, "--verified"], &variables).await;
    variables
}

async fn missing_key_file_is_made() {
    let folder = TempDir::new("key");
    let variables = with_key_file(&folder).await;
    let file = folder.path().join("data/secret.key");
    let old = std::fs::read(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    run_to_snapshot("commands/keys_rotate_without_key", &["keys", "rotate"], &variables).await;
    assert_eq!(run_program(&["secrets", "reset"], &variables).await.status.code(), Some(2));
    assert!(!file.exists(), "only after the confirmation");
    run_to_snapshot("commands/secrets_reset", &["secrets", "reset", "--yes"], &variables).await;
    std::fs::remove_file(&file).unwrap();
    run_to_snapshot("commands/secrets_reset_json", &["secrets", "reset", "--yes", "--json"], &variables).await;
    assert!(std::fs::read(&file).unwrap() != old && mode(&file) == 0o600);
    let service = Process::start(&variables).await;
    service.kill();
}

async fn reset_is_refused_while_service_runs() {
    let folder = TempDir::new("key");
    let mut variables = with_key_file(&folder).await;
    let service = Process::start(&variables).await;
    variables.insert("SVC_SECRET_KEY".to_owned(), new_key());
    run_to_snapshot("commands/secrets_reset_service_runs", &["secrets", "reset", "--yes"], &variables).await;
    service.kill();
}
