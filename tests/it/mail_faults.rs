//! Mail servers that are down, slow, strict, unreliable or untrusted.

use crate::harness::{Engine, MailServer, Process, Step, TestApp, Treatment, free_port, run_to_snapshot};
use crate::invitations::invite;
use crate::mail::{has_openssl, inviter, wait_in, wait_where};
use crate::organizations::create_team;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

both_engines![mail_lost_after_data_is_sent_twice, mail_of_killed_process_is_delivered,];
one_engine![
    mail_is_delivered_after_server_outage,
    slow_server_is_retried,
    refused_mail_is_not_retried,
    greylisted_mail_is_retried,
    rejected_login_and_sender_are_retried,
    implicit_tls_connection_is_reused,
];
single_run![
    server_with_invalid_certificate_gets_no_mail,
    server_without_starttls_gets_no_credentials,
    server_on_this_machine_needs_no_tls,
    server_that_wants_oauth_tokens_is_named_in_error,
    unreachable_server_is_retried
];

/// Queues one mail for a server; returns the running service.
async fn one_mail(engine: Engine, server: &MailServer, variables: &[(&str, &str)]) -> TestApp {
    let builder = engine.prepare().await.mails(server).set("SVC_SMTP_TIMEOUT", "1s");
    let builder = variables.iter().fold(builder, |builder, (name, value)| builder.set(name, *value));
    let app = builder.start().await;
    let (ada, team) = inviter(&app).await;
    invite(&ada, &team, "bob@example.com", "member").await;
    app
}

/// Waits until the first attempt has this outcome and a retry is pending.
async fn expect_retry_after(app: &TestApp, outcome: &str) {
    wait_where(app, 1, "state = 'pending' AND attempts = 1 AND length(payload) > 0").await;
    assert_eq!(app.database().texts("SELECT outcome FROM outbox_attempts").await, [outcome]);
}

/// Moves the clock past the first retry delay and waits for the delivery.
async fn expect_delivery_after_retry(app: &TestApp) {
    app.clock().advance(Duration::from_secs(31));
    wait_where(app, 1, "state = 'delivered' AND attempts = 2 AND length(payload) = 0").await;
}

async fn mail_is_delivered_after_server_outage(engine: Engine) {
    if !has_openssl() {
        return;
    }
    let mut server = MailServer::start().await;
    server.go_down().await;
    let app = one_mail(engine, &server, &[]).await;
    expect_retry_after(&app, "connect").await;
    server.come_up().await;
    expect_delivery_after_retry(&app).await;
    assert_eq!(server.received().len(), 1);
}

async fn slow_server_is_retried(engine: Engine) {
    if !has_openssl() {
        return;
    }
    let server = MailServer::start().await;
    server.treat_next([Treatment::Hang(Step::Recipient)]);
    let app = one_mail(engine, &server, &[]).await;
    expect_retry_after(&app, "timeout").await;
    expect_delivery_after_retry(&app).await;
}

async fn refused_mail_is_not_retried(engine: Engine) {
    if !has_openssl() {
        return;
    }
    let server = MailServer::start().await;
    let table = [
        (Step::Recipient, "550 5.1.1 no such user", 550),
        (Step::Data, "554 5.7.1 not from you", 554),
        (Step::Dot, "552 5.3.4 too large", 552),
    ];
    server.treat_next(table.map(|(step, text, _)| Treatment::Say(step, text)));
    let app = one_mail(engine, &server, &[]).await;
    let ada = app.anonymous();
    ada.log_in("ada", crate::organizations::PASSWORD).await.expect(303);
    let team = create_team(&ada, "Other").await;
    for (count, (_, text, status)) in (1..).zip(table) {
        wait_where(&app, count, "state = 'failed' AND attempts = 1 AND length(payload) = 0").await;
        let found = format!("SELECT count(*) FROM outbox_attempts WHERE outcome = 'refused' AND status = {status}");
        assert_eq!(app.database().count(&found).await, 1, "{text}");
        if count < 3 {
            invite(&ada, &team, &format!("bob{count}@example.com"), "member").await;
        }
    }
}

async fn greylisted_mail_is_retried(engine: Engine) {
    if !has_openssl() {
        return;
    }
    let server = MailServer::start().await;
    server.treat_next([Treatment::Say(Step::Recipient, "451 4.7.1 come back later")]);
    let app = one_mail(engine, &server, &[]).await;
    expect_retry_after(&app, "deferred").await;
    assert_eq!(app.database().count("SELECT count(*) FROM outbox_attempts WHERE status = 451").await, 1);
    assert!(server.received().is_empty());
    expect_delivery_after_retry(&app).await;
    assert_eq!(server.received().len(), 1);
}

async fn mail_lost_after_data_is_sent_twice(engine: Engine) {
    if !has_openssl() {
        return;
    }
    let server = MailServer::start().await;
    server.treat_next([Treatment::Close(Step::Dot)]);
    let app = one_mail(engine, &server, &[]).await;
    expect_retry_after(&app, "lost_after_data").await;
    expect_delivery_after_retry(&app).await;
    let [first, second] = server.received().try_into().expect("two mails");
    assert_eq!(first.header("message-id"), second.header("message-id"));
    assert_eq!(first.text, second.text);
    // Before the final dot it is certain that the server did not accept the mail.
    server.treat_next([Treatment::Close(Step::Data)]);
    let ada = app.anonymous();
    ada.log_in("ada", crate::organizations::PASSWORD).await.expect(303);
    let team = create_team(&ada, "Other").await;
    invite(&ada, &team, "cy@example.com", "member").await;
    wait_where(&app, 1, "state = 'pending' AND attempts = 1").await;
    assert_eq!(app.database().count("SELECT count(*) FROM outbox_attempts WHERE outcome = 'closed'").await, 1);
}

async fn mail_of_killed_process_is_delivered(engine: Engine) {
    if !has_openssl() {
        return;
    }
    let server = MailServer::start().await;
    server.treat_next([Treatment::Held(Arc::new(Semaphore::new(0)))]);
    let builder = engine.prepare().await.mails(&server).set("SVC_SMTP_TIMEOUT", "2s");
    let process = Process::start(builder.variables()).await;
    let ada = builder.anonymous();
    ada.sign_up("ada@example.com").await.expect(303);
    let team = create_team(&ada, "Crew").await;
    invite(&ada, &team, "bob@example.com", "member").await;
    server.wait_for(1).await;
    process.kill();
    wait_in(builder.database(), 1, "state = 'processing' AND started").await;
    let app = builder.advance_clock(Duration::from_mins(10)).start().await;
    wait_where(&app, 1, "state = 'delivered' AND length(payload) = 0").await;
    let [first, second] = server.received().try_into().expect("two mails");
    assert_eq!(first.header("message-id"), second.header("message-id"));
    let outcomes = app.database().texts("SELECT outcome FROM outbox_attempts ORDER BY lease").await;
    assert_eq!(outcomes, ["interrupted", "delivered"]);
}

async fn rejected_login_and_sender_are_retried(engine: Engine) {
    if !has_openssl() {
        return;
    }
    let server = MailServer::start().await.with_credentials("accounts", "old");
    server.change_password("new");
    let app = one_mail(engine, &server, &[]).await;
    expect_retry_after(&app, "login").await;
    assert_eq!(app.database().count("SELECT count(*) FROM outbox_attempts WHERE status = 535").await, 1);
    server.change_password("old");
    // A rejected sender is retried too.
    server.treat_next([Treatment::Say(Step::Sender, "550 5.7.1 not your address")]);
    app.clock().advance(Duration::from_secs(31));
    wait_where(&app, 1, "state = 'pending' AND attempts = 2").await;
    assert_eq!(app.database().count("SELECT count(*) FROM outbox_attempts WHERE outcome = 'sender'").await, 1);
    app.clock().advance(Duration::from_mins(3));
    wait_where(&app, 1, "state = 'delivered'").await;
}

async fn implicit_tls_connection_is_reused(engine: Engine) {
    if !has_openssl() {
        return;
    }
    let server = MailServer::start_with_tls().await;
    let app = one_mail(engine, &server, &[]).await;
    wait_where(&app, 1, "state = 'delivered'").await;
    let ada = app.anonymous();
    ada.log_in("ada", crate::organizations::PASSWORD).await.expect(303);
    let team = create_team(&ada, "Other").await;
    invite(&ada, &team, "cy@example.com", "member").await;
    let all = server.wait_for(2).await;
    assert!(all.iter().all(|mail| mail.encrypted) && server.plaintext_lines().is_empty());
    assert_eq!(all[1].earlier_on_connection, 1);
    assert_ne!(all[0].header("message-id"), all[1].header("message-id"));
}

async fn server_with_invalid_certificate_gets_no_mail() {
    if !has_openssl() {
        return;
    }
    let (named, stranger) = (MailServer::start().await.with_other_host_name(), MailServer::start().await);
    let other = named.certificate().display().to_string();
    let rows: [(&MailServer, &[(&str, &str)]); 2] = [(&named, &[]), (&stranger, &[("SVC_SMTP_CA_FILE", &other)])];
    for (server, variables) in rows {
        let app = one_mail(Engine::Sqlite, server, variables).await;
        expect_retry_after(&app, "tls").await;
        let clear = server.plaintext_lines();
        assert!(clear.iter().all(|line| line.starts_with("EHLO ") || line == "STARTTLS"), "{clear:?}");
        assert!(server.received().is_empty());
    }
}

async fn server_without_starttls_gets_no_credentials() {
    if !has_openssl() {
        return;
    }
    let server = MailServer::start().await.with_credentials("accounts", "pa55word").without_starttls();
    let server = server.with_address_elsewhere();
    let app = one_mail(Engine::Sqlite, &server, &[]).await;
    expect_retry_after(&app, "starttls").await;
    let clear = server.plaintext_lines();
    assert!(clear.iter().all(|line| line.starts_with("EHLO ") || line == "QUIT"), "{clear:?}");
}

async fn server_on_this_machine_needs_no_tls() {
    if !has_openssl() {
        return;
    }
    let server = MailServer::start().await.with_credentials("accounts", "pa55word").without_starttls();
    let app = one_mail(Engine::Sqlite, &server, &[]).await;
    wait_where(&app, 1, "state = 'delivered'").await;
    let [mail] = server.received().try_into().expect("one mail");
    assert!(!mail.encrypted && mail.user.as_deref() == Some("accounts"), "{mail:?}");
}

async fn server_that_wants_oauth_tokens_is_named_in_error() {
    if !has_openssl() {
        return;
    }
    let server = MailServer::start().await.with_credentials("accounts", "pa55word").with_mechanisms("XOAUTH2");
    let app = one_mail(Engine::Sqlite, &server, &[]).await;
    expect_retry_after(&app, "login").await;
    run_to_snapshot("commands/mail_test_oauth", &["mail", "test", "you@example.com"], app.variables()).await;
}

async fn unreachable_server_is_retried() {
    if !has_openssl() {
        return;
    }
    let server = MailServer::start().await;
    let nowhere = "smtp://nobody.invalid".to_owned();
    let app = one_mail(Engine::Sqlite, &server, &[("SVC_SMTP_URL", &nowhere)]).await;
    expect_retry_after(&app, "name").await;
    let silent = format!("smtps://127.0.0.1:{}", free_port());
    let app = one_mail(Engine::Sqlite, &server, &[("SVC_SMTP_URL", &silent)]).await;
    expect_retry_after(&app, "connect").await;
}
