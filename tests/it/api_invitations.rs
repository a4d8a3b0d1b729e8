//! API v2 for applications' backends (docs/reference/api-v2.md 18.7): invitations.

use crate::api_organizations::{KeyHolder, ORGANIZATIONS};
use crate::harness::{Answers, Engine, TestApp, link_of};
use crate::organizations::{PASSWORD, create_team};
use reqwest::Method;
use serde_json::json;

both_engines![database_holds_no_link,];
one_engine![mailed_link_verifies_address_and_link_of_answer_does_not, pending_invitations_are_resent_and_revoked,];

async fn invitations(app: &TestApp) -> String {
    let ada = app.sign_up("ada@example.com").await;
    let page = create_team(&ada, "Crew").await;
    format!("{ORGANIZATIONS}/{}/invitations", page.rsplit('/').next().unwrap())
}

async fn sign_up_by(app: &TestApp, link: &str, email: &str) {
    let browser = app.anonymous();
    let token = link.rsplit('/').next().unwrap();
    browser.get(&format!("/auth/signup?invitation={token}")).await.expect(200);
    let fields = [("email", email), ("password", PASSWORD), ("invitation", token)];
    browser.post_form("/auth/signup", &fields).await.expect(303);
}

async fn verified(app: &TestApp) -> Vec<String> {
    app.database().texts("SELECT email FROM users WHERE email_verified_at IS NOT NULL").await
}

async fn mailed_link_verifies_address_and_link_of_answer_does_not(engine: Engine) {
    let app = engine.app().await;
    let (list, backend) = (invitations(&app).await, KeyHolder::of_organizations(&app).await);
    let metadata = r#"{ "seat":"gold", "n": 1.00 }"#;
    let body = format!(r#"{{"email":"Bob@example.com","role":"admin","metadata":{metadata},"send_mail":false}}"#);
    let call = backend.call(Method::POST, &list).header("content-type", "application/json");
    let made = call.body(body).await.snapshot("api_invitations/created");
    assert!(made.text().contains(metadata), "letter by letter: {}", made.text());
    let link = made.json()["link"].as_str().unwrap().strip_prefix(&app.url()).unwrap().to_owned();
    let listed = backend.get(&list).await.snapshot("api_invitations/listed");
    assert!(listed.text().contains(metadata), "{}", listed.text());
    assert!(app.mails_to("bob@example.com").await.is_empty());
    sign_up_by(&app, &link, "bob@example.com").await;
    assert!(verified(&app).await.is_empty());
    let mailed = backend.post(&list, &json!({"email": "cy@example.com", "role": "member"})).await;
    mailed.snapshot("api_invitations/mailed");
    let link = link_of(&app.mail_to("cy@example.com", "").await);
    sign_up_by(&app, &link, "cy@example.com").await;
    assert_eq!(verified(&app).await, ["cy@example.com"]);
    backend.get(&list).await.snapshot("api_invitations/accepted");
    let member = backend.post(&list, &json!({"email": "CY@example.com", "role": "member"})).await;
    member.snapshot("api_invitations/already_member");
}

async fn pending_invitations_are_resent_and_revoked(engine: Engine) {
    let app = engine.app().await;
    let (list, backend) = (invitations(&app).await, KeyHolder::of_organizations(&app).await);
    let new = |email: &str, role: &str| json!({"email": email, "role": role});
    let mut answers = Answers::default();
    for body in [
        new("nobody", "member"),
        new("bob@example.com", "king"),
        json!({"email": "bob@example.com", "role": "member", "metadata": []}),
        json!({"email": "bob@example.com", "role": "member", "send_mail": "no"}),
    ] {
        answers.add(&body.to_string(), backend.post(&list, &body).await);
    }
    answers.snapshot("api_invitations/wrong_fields");
    let shown = json!({"email": "bob@example.com", "role": "member", "send_mail": false});
    let made = backend.post(&list, &shown).await.expect(201);
    let (path, link) = (made.location().to_owned(), made.json()["link"].as_str().unwrap().to_owned());
    let link = link.strip_prefix(&app.url()).unwrap();
    app.anonymous().get(link).await.expect(200);
    backend.post(&list, &new("BOB@example.com", "member")).await.snapshot("api_invitations/invited_already");
    let resend = format!("{path}/resend");
    let again = backend.call(Method::POST, &resend).await.snapshot("api_invitations/resent");
    assert_eq!(again.json()["id"], made.json()["id"]);
    app.anonymous().get(link).await.expect(404);
    let mailed = link_of(&app.mail_to("bob@example.com", "").await);
    app.anonymous().get(&mailed).await.expect(200);
    // Emails to one address are limited, those that a backend asks for too.
    for _ in 0..5 {
        backend.call(Method::POST, &resend).await.expect(200);
    }
    backend.call(Method::POST, &resend).await.snapshot("api_invitations/too_many_mails");
    let elsewhere = path.replace(list.rsplit('/').nth(1).unwrap(), "01890000-0000-7000-8000-000000000000");
    backend.call(Method::DELETE, &elsewhere).await.expect_error(404, "not_found");
    backend.call(Method::DELETE, &path).await.snapshot("api_invitations/revoked");
    backend.call(Method::DELETE, &path).await.snapshot("api_invitations/gone");
    backend.call(Method::POST, &resend).await.expect_error(404, "not_found");
    let listed = backend.get(&list).await.expect(200).json();
    assert_eq!(listed["data"][0]["state"], "revoked");
    let log = app.database().texts("SELECT kind FROM audit WHERE actor = 'key:backend' ORDER BY at, id").await;
    assert_eq!(log[..2], ["invitation_created", "invitation_resent"]);
    assert_eq!(log[7..], ["invitation_revoked"]);
}

/// What a dump of the database holds, as text and with bytes in hexadecimal.
async fn dump(app: &TestApp) -> String {
    if app.engine() == Engine::Postgres {
        let tables = ["invitations", "outbox", "mails", "audit", "idempotency_keys"];
        let rows = tables.map(|table| format!("SELECT t::text FROM {table} t")).join(" UNION ALL ");
        return app.database().texts(&rows).await.join("\n");
    }
    let path = app.database().url().trim_start_matches("sqlite:").trim_start_matches("//").to_owned();
    let files = [format!("{path}-wal"), path].map(|file| std::fs::read(file).unwrap_or_default());
    String::from_utf8_lossy(&files.concat()).into_owned()
}

async fn database_holds_no_link(engine: Engine) {
    let app = engine.app().await;
    let (list, backend) = (invitations(&app).await, KeyHolder::of_organizations(&app).await);
    let new = json!({"email": "bob@example.com", "role": "member", "send_mail": false});
    let made = backend.post(&list, &new).header("idempotency-key", "one").await.expect(201);
    let link = made.json()["link"].as_str().unwrap().to_owned();
    let token = link.rsplit('/').next().unwrap();
    let again = backend.post(&list, &new).header("idempotency-key", "one").await.expect(201);
    assert_eq!(again.text(), made.text(), "the kept answer has it, sealed");
    let mailed = json!({"email": "cy@example.com", "role": "member"});
    backend.post(&list, &mailed).await.expect(201);
    let mailed = link_of(&app.mail_to("cy@example.com", "").await);
    let dump = dump(&app).await;
    assert!(dump.contains("bob@example.com"), "not the database");
    for token in [token, mailed.rsplit('/').next().unwrap()] {
        let hex = token.bytes().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
        assert!(token.len() > 20 && !dump.contains(token) && !dump.to_lowercase().contains(&hex), "{token}");
    }
}
