//! The language of mails is kept with the account: every mail is in it, also where others cause it.

use crate::harness::{Client, Engine, PASSWORD, TestApp, code_of, link_of, run_program};
use crate::invitations::invite;
use crate::organizations::{create_team, user_id};
use doorward::model::ids::UserId;
use std::collections::BTreeSet;
use uuid::Uuid;

one_engine![
    every_mail_is_in_language_of_account,
    pending_signup_keeps_language_of_its_page,
    login_sets_language_that_is_not_known,
    choice_of_language_is_kept_with_account,
    language_that_is_not_known_is_that_of_page,
    choices_of_language_are_limited,
];

const GRETA: &str = "greta@example.com";
const NEW: &str = "greta@beispiel.example";

/// Mails to an account's address: all kinds but `sign-up`, whose account begins with it, and the operator's test.
const KINDS: [&str; 12] = [
    "account-deleted",
    "address-taken",
    "email-change",
    "email-changed",
    "email-verification",
    "invitation",
    "password-changed",
    "password-reset",
    "provider-connected",
    "provider-disconnected",
    "sign-in-method-added",
    "sign-in-method-removed",
];

/// A browser whose pages are in a language.
fn browser(app: &TestApp, language: &str) -> Client {
    let client = app.anonymous();
    read_in(&client, language);
    client
}

/// Changes the language of a browser's pages, without telling the account.
fn read_in(client: &Client, language: &str) {
    client.jar().set("svc_lang", language);
}

async fn choose(client: &Client, language: &str) {
    client.get(&format!("/auth/language?to={language}")).await.expect(303);
}

async fn stored(app: &TestApp, email: &str) -> Vec<String> {
    let sql = format!("SELECT COALESCE(language, 'none') FROM users WHERE email = '{email}'");
    app.database().texts(&sql).await
}

/// The kinds of the mails to an address.
async fn kinds_to(app: &TestApp, email: &str) -> Vec<String> {
    let sql = format!("SELECT o.kind FROM outbox o JOIN mails m ON m.id = o.id WHERE m.recipient_key = '{email}'");
    app.database().texts(&sql).await
}

/// Runs a command, whose language is English.
async fn command(app: &TestApp, arguments: &[&str]) {
    let output = run_program(arguments, app.variables()).await;
    assert!(output.status.success(), "{arguments:?}: {output:?}");
}

/// Asks for a new password in English, and waits for the mail.
async fn ask_for_reset(app: &TestApp, email: &str) -> String {
    let reader = browser(app, "en");
    reader.post_form("/auth/password/forgot", &[("email", email)]).await.expect(303);
    link_of(&app.mail_to(email, "Passwort zurück").await)
}

async fn every_mail_is_in_language_of_account(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().set("SVC_RATE_LIMIT", "off").start().await;
    let greta = browser(&app, "de");
    greta.sign_up(GRETA).await.expect(303);
    read_in(&greta, "en");
    app.clock().advance(std::time::Duration::from_secs(61));
    greta.post_form("/auth/email/verify/resend", &[]).await.expect(303);
    let code = code_of(&app.mail_to(GRETA, "").await);
    greta.post_form("/auth/email/verify", &[("code", &code)]).await.expect(303);

    let ivan = app.sign_up_verified("ivan@example.com").await;
    let team = create_team(&ivan, "Crew").await;
    invite(&ivan, &team, GRETA, "member").await;
    ivan.post_form("/auth/account/email", &[("email", GRETA)]).await.expect(303);

    greta.turn_on_two_factor(&app).await;
    greta.post_form("/auth/account/two-factor/remove", &[("password", PASSWORD)]).await.expect(303);
    crate::provider_logins::connect_and_remove(&app, &greta).await;
    app.store_passkey(UserId(Uuid::parse_str(&user_id(&greta).await).unwrap())).await;
    command(&app, &["user", "two-factor", "reset", GRETA, "--yes"]).await;

    let reset = ask_for_reset(&app, GRETA).await;
    let fields = [("password", "a second lighthouse in the fog")];
    browser(&app, "en").post_form(&reset, &fields).await.expect(303);

    let greta = browser(&app, "en");
    greta.log_in(GRETA, fields[0].1).await.expect(303);
    greta.post_form("/auth/account/email", &[("email", NEW)]).await.expect(303);
    let code = code_of(&app.mail_to(NEW, "").await);
    greta.post_form("/auth/account/email/confirm", &[("code", &code)]).await.expect(303);
    // The address that may still be restored is theirs as well.
    ivan.post_form("/auth/account/email", &[("email", GRETA)]).await.expect(303);
    let org = team.rsplit('/').next().unwrap();
    command(&app, &["invitation", "create", "--org", org, "--email", NEW, "--role", "member"]).await;
    command(&app, &["user", "delete", NEW, "--yes"]).await;

    let mut seen = BTreeSet::new();
    for address in [GRETA, NEW] {
        seen.extend(kinds_to(&app, address).await);
        for mail in app.mails_to(address).await {
            assert!(mail.html.contains("<html lang=\"de\""), "{}: {}", mail.subject, mail.html);
        }
    }
    assert_eq!(seen.iter().map(String::as_str).collect::<Vec<_>>(), KINDS);
    for mail in app.mails_to("ivan@example.com").await {
        assert!(mail.html.contains("<html lang=\"en\""), "{}", mail.html);
    }
}

async fn pending_signup_keeps_language_of_its_page(engine: Engine) {
    let app = engine.prepare().await.set("SVC_EMAIL_VERIFICATION", "required").start().await;
    let desk = browser(&app, "de");
    desk.sign_up(GRETA).await.expect(303);
    let link = link_of(&app.mail_to(GRETA, "").await);
    let phone = browser(&app, "en");
    phone.post_form(&link, &[("password", PASSWORD)]).await.expect(303);
    assert_eq!(stored(&app, GRETA).await, ["de"]);
    // A resend is in the language that the page has meanwhile.
    desk.sign_up(NEW).await.expect(303);
    read_in(&desk, "en");
    app.clock().advance(std::time::Duration::from_secs(61));
    desk.post_form("/auth/email/verify/resend", &[]).await.expect(303);
    phone.post_form(&link_of(&app.mail_to(NEW, "").await), &[("password", PASSWORD)]).await.expect(303);
    assert_eq!(stored(&app, NEW).await, ["en"]);
}

async fn login_sets_language_that_is_not_known(engine: Engine) {
    let app = engine.app().await;
    let greta = browser(&app, "en");
    greta.sign_up(GRETA).await.expect(303);
    app.database().execute("UPDATE users SET language = NULL").await;
    browser(&app, "de").log_in(GRETA, PASSWORD).await.expect(303);
    assert_eq!(stored(&app, GRETA).await, ["de"]);
    // It is known now: another browser's pages change nothing.
    browser(&app, "en").log_in(GRETA, PASSWORD).await.expect(303);
    assert_eq!(stored(&app, GRETA).await, ["de"]);
}

async fn choice_of_language_is_kept_with_account(engine: Engine) {
    let app = engine.app().await;
    let greta = browser(&app, "en");
    greta.sign_up(GRETA).await.expect(303);
    choose(&greta, "de").await;
    assert_eq!(stored(&app, GRETA).await, ["de"]);
    let forced = greta.get("/auth/language?to=en").header("sec-fetch-site", "cross-site").await;
    forced.expect(303);
    assert_eq!(stored(&app, GRETA).await, ["de"]);
    // In another browser, and without a session, the choice is that of the pages alone.
    choose(&app.anonymous(), "en").await;
    assert_eq!(stored(&app, GRETA).await, ["de"]);
    let exported = greta.post_form("/auth/account/export", &[]).await.expect(200).json();
    assert_eq!(exported["user"]["language"], "de");
    let output = run_program(&["--json", "user", "show", GRETA], app.variables()).await;
    let shown: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(shown["language"], "de");
    // A tag that this version does not know is English, and no fault.
    app.database().execute("UPDATE users SET language = 'tlh'").await;
    assert_eq!(app.anonymous().log_in(GRETA, PASSWORD).await.expect(303).location(), "/auth/account");
    assert_eq!(stored(&app, GRETA).await, ["tlh"]);
}

async fn language_that_is_not_known_is_that_of_page(engine: Engine) {
    let app = engine.app().await;
    command(&app, &["user", "create", GRETA, "--verified"]).await;
    assert_eq!(stored(&app, GRETA).await, ["none"]);
    let reader = browser(&app, "de");
    reader.post_form("/auth/password/forgot", &[("email", GRETA)]).await.expect(303);
    assert!(app.mail_to(GRETA, "").await.html.contains("<html lang=\"de\""));
}

async fn choices_of_language_are_limited(engine: Engine) {
    let app = engine.app().await;
    let greta = app.sign_up(GRETA).await;
    // The same choice again costs nothing.
    for _ in 0..30 {
        choose(&greta, "en").await;
    }
    for number in 0..20 {
        choose(&greta, if number % 2 == 0 { "de" } else { "en" }).await;
    }
    let refused = greta.get("/auth/language?to=de").await.expect(429);
    assert!(refused.header("retry-after").is_some());
    assert_eq!(stored(&app, GRETA).await, ["en"]);
}
