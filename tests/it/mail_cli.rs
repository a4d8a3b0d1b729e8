//! The command line's mail commands.

use crate::harness::{Engine, MailServer, Step, TestApp, Treatment, run_program, run_to_snapshot};
use crate::invitations::invite;
use crate::mail::{has_openssl, inviter, wait_where};
use doorward::store::Channel;
use serde_json::Value;
use std::process::Output;
use std::time::Duration;

both_engines![failed_mails_are_written_again];
one_engine![operator_can_pass_links_on, test_mail_reports_server_reply];
once_on_postgres![command_wakes_sending_process];

async fn mail(app: &TestApp, arguments: &[&str]) -> Output {
    run_program(&[&["mail"], arguments].concat(), app.variables()).await
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

async fn listed(app: &TestApp, arguments: &[&str]) -> Vec<Value> {
    let output = mail(app, &[&["list", "--json"], arguments].concat()).await;
    let list: Value = serde_json::from_str(&text(&output)).unwrap();
    list["data"].as_array().unwrap().clone()
}

async fn operator_can_pass_links_on(engine: Engine) {
    let app = engine.app().await;
    let (ada, team) = inviter(&app).await;
    for name in ["bob", "cy"] {
        invite(&ada, &team, &format!("{name}@example.com"), "member").await;
    }
    let all = listed(&app, &[]).await;
    let to: Vec<&str> = all.iter().map(|one| one["to"].as_str().unwrap()).collect();
    assert_eq!(to, ["cy@example.com", "bob@example.com"], "newest first");
    assert_eq!(listed(&app, &["--to", "BOB@example.com"]).await, [all[1].clone()]);
    assert_eq!(listed(&app, &["--to", "bob@example.com", "--state", "pending"]).await.len(), 1);
    assert_eq!(listed(&app, &["--to", "bob@example.com", "--state", "failed"]).await.len(), 0);
    for (state, count) in [("pending", 2), ("processing", 0), ("delivered", 0), ("failed", 0)] {
        assert_eq!(listed(&app, &["--state", state]).await.len(), count, "{state}");
    }
    for filter in [[].as_slice(), &["--state", "pending"]] {
        let first = text(&mail(&app, &[&["list", "--limit", "1"], filter].concat()).await);
        let place = first.split_once("--after ").unwrap().1.split_whitespace().next().unwrap();
        let page = mail(&app, &[&["list", "--json", "--limit", "1", "--after", place], filter].concat()).await;
        let page: Value = serde_json::from_str(&text(&page)).unwrap();
        assert_eq!((&page["data"], &page["next"]), (&serde_json::json!([all[1]]), &Value::Null));
    }
    let id = all[1]["id"].as_str().unwrap();
    let link = text(&mail(&app, &["link", id]).await);
    app.anonymous().get(link.trim().strip_prefix(&app.variables()["SVC_BASE_URL"]).unwrap()).await.expect(200);
    // Webhooks are listed separately.
    let webhooks = run_program(&["webhooks", "list"], app.variables()).await;
    assert_eq!(text(&webhooks).trim(), "No such deliveries.");
    let created = "SELECT created_at FROM outbox WHERE outbox.id = mails.id";
    app.database().execute(&format!("UPDATE mails SET expires_at = ({created})")).await;
    wait_where(&app, 2, "state = 'failed'").await;
    run_to_snapshot("commands/mail_list_erased", &["mail", "list"], app.variables()).await;
    run_to_snapshot("commands/mail_show_erased", &["mail", "show", id], app.variables()).await;
    run_to_snapshot("commands/mail_link_erased", &["mail", "link", id], app.variables()).await;
}

async fn failed_mails_are_written_again(engine: Engine) {
    if !has_openssl() {
        return;
    }
    let server = MailServer::start().await;
    let app = engine.prepare().await.mails(&server).set("SVC_RATE_LIMIT", "off").start().await;
    let (ada, team) = inviter(&app).await;
    server.treat_next([(); 4].map(|()| Treatment::Say(Step::Recipient, "550 5.7.1 blocked")));
    for name in ["bob", "cy", "dee"] {
        invite(&ada, &team, &format!("{name}@example.com"), "member").await;
    }
    app.anonymous().post_form("/auth/password/forgot", &[("email", "ada@example.com")]).await.expect(303);
    wait_where(&app, 4, "state = 'failed'").await;
    let failed = listed(&app, &["--state", "failed"]).await;
    let id_to = |to: &str| failed.iter().find(|one| one["to"] == to).unwrap()["id"].as_str().unwrap().to_owned();
    let (cy, dee) = (id_to("cy@example.com"), id_to("dee@example.com"));
    // What the others were for has ended.
    let end = "UPDATE mails SET expires_at = (SELECT created_at FROM outbox WHERE id = mails.id) \
        WHERE recipient = 'cy@example.com'";
    app.database().execute(end).await;
    app.database().execute("UPDATE invitations SET state = 'revoked' WHERE email = 'dee@example.com'").await;
    let retry = async |arguments: &[&str]| mail(&app, &[&["retry", "--json"], arguments].concat()).await;
    let report: Value = serde_json::from_str(&text(&retry(&["--failed", "--since", "2h"]).await)).unwrap();
    assert_eq!(report["written"], 2, "{report}");
    let reasons: Vec<(&str, &str)> = report["skipped"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["id"].as_str().unwrap(), one["reason"].as_str().unwrap()))
        .collect();
    assert!(
        reasons.contains(&(cy.as_str(), "its time is over")) && reasons.iter().any(|(id, _)| *id == dee),
        "{reasons:?}"
    );
    wait_where(&app, 2, "state = 'delivered'").await;
    let mut to: Vec<String> = server.wait_for(2).await.iter().map(|mail| mail.recipients[0].clone()).collect();
    to.sort();
    assert_eq!(to, ["ada@example.com", "bob@example.com"]);
    let report: Value = serde_json::from_str(&text(&retry(&["--failed"]).await)).unwrap();
    assert_eq!((&report["written"], report["skipped"].as_array().unwrap().len()), (&0.into(), 4), "{report}");
    let none: Value = serde_json::from_str(&text(&retry(&["--failed", "--since", "1ms"]).await)).unwrap();
    assert_eq!(none["skipped"].as_array().unwrap().len(), 0, "{none}");
    let unknown = "0191d6ab-3f0e-7000-8000-000000000000";
    let refused = retry(&[&dee, unknown, &dee]).await;
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    let report: Value = serde_json::from_slice(&refused.stdout).unwrap();
    assert_eq!(report["skipped"][1], serde_json::json!({"id": unknown, "reason": "not found"}));
}

async fn test_mail_reports_server_reply(engine: Engine) {
    if !has_openssl() {
        return;
    }
    let server = MailServer::start().await.with_credentials("accounts", "pa55word");
    let builder = engine.prepare().await.mails(&server);
    let test = ["mail", "test", "you@example.com"];
    let sent = text(&run_to_snapshot("commands/mail_test", &test, builder.variables()).await);
    let received = server.wait_for(1).await.remove(0);
    assert!(sent.contains(&received.header("message-id")) && received.recipients == ["you@example.com"]);
    assert!(!sent.contains("pa55word"), "{sent}");
    let test_json = [test.as_slice(), &["--json"]].concat();
    run_to_snapshot("commands/mail_test_json", &test_json, builder.variables()).await;
    server.treat_next([Treatment::Say(Step::Recipient, "550 5.1.1 no such user")]);
    run_to_snapshot("commands/mail_test_refused_json", &test_json, builder.variables()).await;
    let stranger = MailServer::start().await;
    let mut untrusting = builder.variables().clone();
    untrusting.insert("SVC_SMTP_CA_FILE".to_owned(), stranger.certificate().display().to_string());
    run_to_snapshot("commands/mail_test_untrusted", &test, &untrusting).await;
    server.change_password("another");
    run_to_snapshot("commands/mail_test_wrong_password", &test, builder.variables()).await;
    run_to_snapshot("commands/mail_test_wrong_address", &["mail", "test", "nobody"], builder.variables()).await;
    assert_eq!(builder.database().count("SELECT count(*) FROM outbox").await, 0, "it is stored nowhere");
}

async fn command_wakes_sending_process() {
    let app = Engine::Postgres.app().await;
    let (_, team) = inviter(&app).await;
    let own = uuid::Uuid::from_u128(1);
    let mut listener = app.app.store.outbox_listen(Channel::Mail, own).await.unwrap().expect("a listener");
    let invite =
        ["invitation", "create", "--org", team.rsplit('/').next().unwrap(), "--email", "vip@example.com", "--json"];
    let made = run_program(&invite, app.variables()).await;
    assert!(made.status.success(), "{made:?}");
    tokio::time::timeout(Duration::from_secs(15), listener.remote_wakeup()).await.expect("an announcement").unwrap();
    // A command that queues nothing wakes no process.
    text(&mail(&app, &["list"]).await);
    let wakeup = tokio::time::timeout(Duration::from_millis(200), listener.remote_wakeup()).await;
    assert!(wakeup.is_err(), "{wakeup:?}");
}
