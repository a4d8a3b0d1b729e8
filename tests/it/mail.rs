//! Mails as recipients, operators and readers of the database see them.

use crate::harness::{Engine, MailServer, Need, Process, ReceivedMail, TestApp, eventually, run_program, snapshot};
use crate::invitations::{invite, link_in, shown_link};
use crate::organizations::{PASSWORD, create_team};
use std::collections::BTreeMap;
use std::time::Duration;

one_engine![
    invitation_is_mailed,
    mailed_link_verifies_address_and_shown_link_does_not,
    new_link_voids_mailed_and_shown_links,
    queued_mail_is_sealed_and_erased_after_delivery,
    mail_expires_with_its_link,
    void_invitations_are_not_mailed,
    queued_mails_are_resealed_with_new_key,
    log_contains_no_secrets,
];

const COUNT_MAILS: &str = "SELECT count(*) FROM outbox WHERE channel <> 'webhook'";

/// Waits until this number of mails meets a condition.
pub async fn wait_where(app: &TestApp, count: i64, condition: &str) {
    wait_in(app.database(), count, condition).await;
}

/// As [`wait_where`], for a service that the test started itself.
pub async fn wait_in(database: &crate::harness::TestDatabase, count: i64, condition: &str) {
    let sql = format!("{COUNT_MAILS} AND {condition}");
    eventually(condition, async || (database.count(&sql).await == count).then_some(())).await;
}

/// Whether OpenSSL is installed, which the mail server needs for TLS.
pub fn has_openssl() -> bool {
    Need::OpenSsl.is_met()
}

/// A user with a team, and the team's path.
pub async fn inviter(app: &TestApp) -> (crate::harness::Client, String) {
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew & Co").await;
    (ada, team)
}

async fn verified(app: &TestApp) -> i64 {
    app.database().count("SELECT count(*) FROM users WHERE email_verified_at IS NOT NULL").await
}

/// Envelope, head and heads of the parts as the mail server gets them, and the parts decoded: the place of a line's
/// break depends on the port.
fn expect_form(mail: &ReceivedMail) {
    let (head, body) = mail.text.split_once("\r\n\r\n").unwrap();
    let is_head = |line: &&str| line.starts_with("--") && *line != "--=20" || line.starts_with("Content-");
    let heads: Vec<&str> = body.lines().filter(is_head).collect();
    let (text, html) = (mail.part("text/plain"), mail.part("text/html"));
    let shown = [&head.replace('\r', ""), &heads.join("\n"), &text.replace('\r', ""), &html.replace('\r', "")];
    let shown = shown.map(String::as_str).join("\n\n");
    snapshot("mails/invitation_as_received", &format!("{} to {:?}\n\n{shown}", mail.sender, mail.recipients));
    for remote in ["<img", "<link", "@import", "url("] {
        assert!(!html.contains(remote), "{html}");
    }
    assert_eq!(html.matches("class=\"button fill\"").count(), 1, "one action: {html}");
    assert!(mail.text.is_ascii() && mail.text.lines().all(|line| line.len() <= 998));
}

async fn invitation_is_mailed(engine: Engine) {
    if !has_openssl() {
        return;
    }
    let server = MailServer::start().await.with_credentials("accounts", "pa55word");
    let app = engine.prepare().await.mails(&server).start().await;
    let (ada, team) = inviter(&app).await;
    let fields = [("email", "Bob@example.com"), ("role", "admin")];
    let page = ada.post_form(&format!("{team}/invitations"), &fields).await.expect(200);
    assert!(page.text().contains("Invitation sent to Bob@example.com"), "{}", page.text());
    let mail = server.wait_for(1).await.remove(0);
    expect_form(&mail);
    assert!(mail.encrypted && mail.user.as_deref() == Some("accounts"));
    let clear = server.plaintext_lines();
    assert!(clear.iter().all(|line| line.starts_with("EHLO ") || line == "STARTTLS"), "{clear:?}");
    assert_ne!(mail.link(), shown_link(&page));
    let german = ada.form(
        &format!("{team}/invitations"),
        &[("email", "cy@example.com"), ("csrf_token", &ada.token("csrf").unwrap())],
    );
    german.header("accept-language", "de").await.expect(200);
    let subject = server.wait_for(2).await[1].subject();
    assert!(subject.ends_with(" hat Sie zu „Crew & Co“ bei Doorward eingeladen"), "{subject}");
    wait_where(&app, 2, "state = 'delivered' AND length(payload) = 0").await;
    let attempt = "SELECT count(*) FROM outbox_attempts WHERE outcome = 'delivered' AND status = 250 AND attempt = 1";
    assert_eq!(app.database().count(attempt).await, 2);
}

async fn mailed_link_verifies_address_and_shown_link_does_not(engine: Engine) {
    if !has_openssl() {
        return;
    }
    let server = MailServer::start().await;
    let app = engine.prepare().await.mails(&server).start().await;
    let (ada, team) = inviter(&app).await;
    for (count, (name, is_mailed)) in [("bob", false), ("cy", true)].into_iter().enumerate() {
        let shown = invite(&ada, &team, &format!("{name}@example.com"), "member").await;
        let mailed = server.wait_for(count + 1).await.remove(count).link();
        let link = if is_mailed { mailed } else { shown };
        let guest = app.anonymous();
        // Mail scanners follow links, so GET must not accept.
        guest.get(&link).await.expect(200);
        let token = link.rsplit('/').next().unwrap();
        guest.post_form("/auth/signup", &[("password", PASSWORD), ("invitation", token)]).await.expect(303);
        assert_eq!(verified(&app).await, i64::from(is_mailed), "{name}");
    }
}

async fn new_link_voids_mailed_and_shown_links(engine: Engine) {
    if !has_openssl() {
        return;
    }
    let server = MailServer::start().await;
    let app = engine.prepare().await.mails(&server).start().await;
    let (ada, team) = inviter(&app).await;
    let shown = invite(&ada, &team, "bob@example.com", "member").await;
    let mailed = server.wait_for(1).await[0].link();
    let resend = link_in(&ada.get(&format!("{team}/invitations")).await.text(), "/resend");
    let new_shown = shown_link(&ada.post_form(&resend, &[]).await.expect(200));
    let new_mailed = server.wait_for(2).await[1].link();
    let guest = app.anonymous();
    for void in [&shown, &mailed] {
        guest.get(void).await.expect(404);
    }
    for link in [&new_shown, &new_mailed] {
        guest.get(link).await.expect(200);
    }
    let bob = app.sign_up("bob@example.com").await;
    bob.post_form(&format!("{new_mailed}/accept"), &[]).await.expect(303);
    for over in [&new_shown, &new_mailed] {
        guest.get(over).await.expect(410);
    }
}

/// Everything stored about mails and invitations, as text.
async fn stored_text(app: &TestApp, engine: Engine) -> String {
    if engine == Engine::Sqlite {
        let path = app.database().url().trim_start_matches("sqlite:").to_owned();
        let files = [path.clone(), format!("{path}-wal")];
        let bytes = files.iter().filter_map(|file| std::fs::read(file).ok());
        return bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect();
    }
    let mut all = String::new();
    for table in ["outbox", "mails", "invitations", "outbox_attempts"] {
        all.extend(app.database().texts(&format!("SELECT t::text FROM {table} t")).await);
    }
    let payloads = app.database().texts("SELECT encode(payload, 'escape') FROM outbox").await;
    all.extend(payloads);
    all
}

async fn link_of(app: &TestApp) -> String {
    let list = run_program(&["mail", "list", "--json"], app.variables()).await;
    let list: serde_json::Value = serde_json::from_slice(&list.stdout).unwrap();
    let link = run_program(&["mail", "link", list["data"][0]["id"].as_str().unwrap()], app.variables()).await;
    assert!(link.status.success(), "{link:?}");
    String::from_utf8(link.stdout).unwrap().trim().to_owned()
}

async fn queued_mail_is_sealed_and_erased_after_delivery(engine: Engine) {
    let app = engine.app().await;
    let (ada, team) = inviter(&app).await;
    let shown = invite(&ada, &team, "bob@example.com", "member").await;
    assert!(ada.get(&format!("{team}/invitations")).await.text().contains("bob@example.com"));
    let link = link_of(&app).await;
    let token = link.rsplit('/').next().unwrap();
    assert!(link.starts_with(&format!("{}/auth/invitations/", app.variables()["SVC_BASE_URL"])), "{link}");
    app.anonymous().get(&format!("/auth/invitations/{token}")).await.expect(200);
    let found = stored_text(&app, engine).await;
    assert!(found.contains("invited you to “Crew"), "the subject is for the operator to see");
    for secret in [token, shown.rsplit('/').next().unwrap(), "/auth/invitations/", "invited you to join"] {
        assert!(!found.contains(secret), "{secret} is in the database");
    }
    if !has_openssl() {
        return;
    }
    let server = MailServer::start().await;
    let certificate = server.certificate().display().to_string();
    let changes = [
        ("SVC_SMTP_URL", server.url()),
        ("SVC_MAIL_FROM", "a@mail.example".to_owned()),
        ("SVC_SMTP_CA_FILE", certificate),
    ];
    let changes: Vec<(&str, &str)> = changes.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let app = app.restart_with(&changes).await;
    assert!(link.ends_with(&server.wait_for(1).await[0].link()), "what waited is sent once there is a server");
    wait_where(&app, 1, "state = 'delivered' AND length(payload) = 0").await;
    assert_eq!(app.database().count("SELECT count(*) FROM mails WHERE erased_at IS NULL").await, 0);
}

async fn mail_expires_with_its_link(engine: Engine) {
    let app = engine.app().await;
    let (ada, team) = inviter(&app).await;
    invite(&ada, &team, "bob@example.com", "member").await;
    app.clock().advance(Duration::from_hours(167));
    assert_eq!(app.database().count(&format!("{COUNT_MAILS} AND state = 'pending' AND length(payload) > 0")).await, 1);
    app.clock().advance(Duration::from_hours(2));
    wait_where(&app, 1, "state = 'failed' AND length(payload) = 0").await;
    assert_eq!(app.database().texts("SELECT outcome FROM outbox_attempts").await, ["expired"]);
}

async fn void_invitations_are_not_mailed(engine: Engine) {
    let app = engine.app().await;
    let (ada, team) = inviter(&app).await;
    invite(&ada, &team, "bob@example.com", "member").await;
    let page = ada.get(&format!("{team}/invitations")).await.text();
    ada.post_form(&link_in(&page, "/resend"), &[]).await.expect(200);
    // An email that is replaced or void has not failed: its recipient lacks nothing.
    let mails = async || {
        let states = app.database().texts("SELECT o.state FROM outbox o JOIN mails m ON m.id = o.id").await;
        let kept = app.database().count("SELECT count(*) FROM mails").await;
        assert_eq!(kept, i64::try_from(states.len()).unwrap());
        states
    };
    assert_eq!(mails().await, ["pending"]);
    ada.post_form(&link_in(&page, "/revoke"), &[]).await.expect(303);
    assert!(mails().await.is_empty());
    invite(&ada, &team, "cy@example.com", "member").await;
    assert_eq!(mails().await, ["pending"]);
    ada.post_form(&format!("{team}/delete"), &[("name", "Crew & Co")]).await.expect(303);
    assert!(mails().await.is_empty());
}

async fn queued_mails_are_resealed_with_new_key(engine: Engine) {
    const NEW: &str = "bmV3IHNlY3JldCBrZXkgb2YgdGhpcnR5LXR3byBiISE=";
    let app = engine.app().await;
    let (ada, team) = inviter(&app).await;
    invite(&ada, &team, "bob@example.com", "member").await;
    let link = link_of(&app).await;
    let both = format!("new:{NEW},old:{}", app.variables()["SVC_SECRET_KEY"]);
    let app = app.restart_with(&[("SVC_SECRET_KEY", &both)]).await;
    let resealed = run_program(&["secrets", "reseal", "--json"], app.variables()).await;
    assert!(resealed.status.success(), "{resealed:?}");
    let app = app.restart_with(&[("SVC_SECRET_KEY", NEW)]).await;
    assert_eq!(link_of(&app).await, link);
}

async fn log_contains_no_secrets(engine: Engine) {
    if !has_openssl() {
        return;
    }
    let server = MailServer::start().await.with_credentials("accounts", "pa55word");
    let builder = engine.prepare().await.mails(&server).set("SVC_LOG", "trace");
    let mut variables: BTreeMap<String, String> = builder.variables().clone();
    // The CA certificate can also be set by the usual variable.
    let certificate = variables.remove("SVC_SMTP_CA_FILE").unwrap();
    variables.insert("SSL_CERT_FILE".to_owned(), certificate);
    let process = Process::start(&variables).await;
    let ada = builder.anonymous();
    ada.sign_up("ada@example.com").await.expect(303);
    let team = create_team(&ada, "Crew").await;
    let shown = invite(&ada, &team, "bob@example.com", "member").await;
    let mailed = server.wait_for(1).await[0].link();
    wait_in(builder.database(), 1, "state = 'delivered'").await;
    eventually("it is logged", async || process.stderr().contains("mail delivered").then_some(())).await;
    let log = process.stderr();
    for secret in [&shown, &mailed, "pa55word", "bob@example.com", "invited you"] {
        let secret = secret.rsplit('/').next().unwrap();
        assert!(!log.contains(secret), "{secret} is in the log");
    }
}
