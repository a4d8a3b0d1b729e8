//! Mail servers that are down, slow, strict, forgetful or false.

use crate::harness::{Engine, MailServer, Process, Step, TestApp, Treatment, free_port};
use crate::invitations::invite;
use crate::mail::{inviter, possible, wait_in, wait_where};
use crate::organizations::create_team;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

both![
    a_server_that_was_down_gets_its_mail,
    a_slow_server_is_asked_again,
    a_refused_recipient_is_final,
    a_greylisted_mail_comes_later,
    a_mail_lost_after_its_dot_comes_twice,
    a_killed_process_leaves_no_mail_behind,
    a_password_is_the_operators_to_mend,
    tls_from_the_start_and_one_connection_for_many,
];
once![a_false_certificate_gets_nothing, without_tls_nothing_is_said, a_name_that_nobody_has];

/// One mail for a server of this kind; gives the running service.
async fn one_mail(engine: Engine, server: &MailServer, variables: &[(&str, &str)]) -> TestApp {
    let builder = engine.prepare().await.mails(server).set("SVC_SMTP_TIMEOUT", "1s");
    let builder = variables.iter().fold(builder, |builder, (name, value)| builder.set(name, *value));
    let app = builder.start().await;
    let (ada, team) = inviter(&app).await;
    invite(&ada, &team, "bob@example.com", "member").await;
    app
}

/// Waits until the first attempt is recorded so, and the mail waits for another.
async fn put_off(app: &TestApp, outcome: &str) {
    wait_where(app, 1, "state = 'pending' AND attempts = 1 AND length(payload) > 0").await;
    assert_eq!(app.database().texts("SELECT outcome FROM outbox_attempts").await, [outcome]);
}

/// Lets the first delay pass; the mail then arrives.
async fn arrives(app: &TestApp) {
    app.clock().advance(Duration::from_secs(31));
    wait_where(app, 1, "state = 'delivered' AND attempts = 2 AND length(payload) = 0").await;
}

async fn a_server_that_was_down_gets_its_mail(engine: Engine) {
    if !possible() {
        return;
    }
    let mut server = MailServer::start().await;
    server.go_down().await;
    let app = one_mail(engine, &server, &[]).await;
    put_off(&app, "connect").await;
    server.come_up().await;
    arrives(&app).await;
    assert_eq!(server.received().len(), 1);
}

async fn a_slow_server_is_asked_again(engine: Engine) {
    if !possible() {
        return;
    }
    let server = MailServer::start().await;
    server.treat_next([Treatment::Hang(Step::Recipient)]);
    let app = one_mail(engine, &server, &[]).await;
    put_off(&app, "timeout").await;
    arrives(&app).await;
}

async fn a_refused_recipient_is_final(engine: Engine) {
    if !possible() {
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

async fn a_greylisted_mail_comes_later(engine: Engine) {
    if !possible() {
        return;
    }
    let server = MailServer::start().await;
    server.treat_next([Treatment::Say(Step::Recipient, "451 4.7.1 come back later")]);
    let app = one_mail(engine, &server, &[]).await;
    put_off(&app, "deferred").await;
    assert_eq!(app.database().count("SELECT count(*) FROM outbox_attempts WHERE status = 451").await, 1);
    assert!(server.received().is_empty());
    arrives(&app).await;
    assert_eq!(server.received().len(), 1);
}

async fn a_mail_lost_after_its_dot_comes_twice(engine: Engine) {
    if !possible() {
        return;
    }
    let server = MailServer::start().await;
    server.treat_next([Treatment::Close(Step::Dot)]);
    let app = one_mail(engine, &server, &[]).await;
    put_off(&app, "lost_after_data").await;
    arrives(&app).await;
    let [first, second] = server.received().try_into().expect("two mails");
    assert_eq!(first.header("message-id"), second.header("message-id"));
    assert_eq!(first.text, second.text);
    // Before the dot it is known that nothing was taken.
    server.treat_next([Treatment::Close(Step::Data)]);
    let ada = app.anonymous();
    ada.log_in("ada", crate::organizations::PASSWORD).await.expect(303);
    let team = create_team(&ada, "Other").await;
    invite(&ada, &team, "cy@example.com", "member").await;
    wait_where(&app, 1, "state = 'pending' AND attempts = 1").await;
    assert_eq!(app.database().count("SELECT count(*) FROM outbox_attempts WHERE outcome = 'closed'").await, 1);
}

async fn a_killed_process_leaves_no_mail_behind(engine: Engine) {
    if !possible() {
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
    let app = builder.later(Duration::from_mins(10)).start().await;
    wait_where(&app, 1, "state = 'delivered' AND length(payload) = 0").await;
    let [first, second] = server.received().try_into().expect("two mails");
    assert_eq!(first.header("message-id"), second.header("message-id"));
    let outcomes = app.database().texts("SELECT outcome FROM outbox_attempts ORDER BY lease").await;
    assert_eq!(outcomes, ["interrupted", "delivered"]);
}

async fn a_password_is_the_operators_to_mend(engine: Engine) {
    if !possible() {
        return;
    }
    let server = MailServer::start().await.with_log_in("accounts", "old");
    server.change_password("new");
    let app = one_mail(engine, &server, &[]).await;
    put_off(&app, "login").await;
    assert_eq!(app.database().count("SELECT count(*) FROM outbox_attempts WHERE status = 535").await, 1);
    server.change_password("old");
    // The sender, too.
    server.treat_next([Treatment::Say(Step::Sender, "550 5.7.1 not your address")]);
    app.clock().advance(Duration::from_secs(31));
    wait_where(&app, 1, "state = 'pending' AND attempts = 2").await;
    assert_eq!(app.database().count("SELECT count(*) FROM outbox_attempts WHERE outcome = 'sender'").await, 1);
    app.clock().advance(Duration::from_mins(3));
    wait_where(&app, 1, "state = 'delivered'").await;
}

async fn tls_from_the_start_and_one_connection_for_many(engine: Engine) {
    if !possible() {
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
    assert!(all.iter().all(|mail| mail.encrypted) && server.said_in_the_clear().is_empty());
    assert_eq!(all[1].earlier_on_connection, 1);
    assert_ne!(all[0].header("message-id"), all[1].header("message-id"));
}

async fn a_false_certificate_gets_nothing() {
    if !possible() {
        return;
    }
    let (named, stranger) = (MailServer::start().await.by_another_name(), MailServer::start().await);
    let other = named.certificate().display().to_string();
    let rows: [(&MailServer, &[(&str, &str)]); 2] = [(&named, &[]), (&stranger, &[("SVC_SMTP_CA_FILE", &other)])];
    for (server, variables) in rows {
        let app = one_mail(Engine::Sqlite, server, variables).await;
        put_off(&app, "tls").await;
        let clear = server.said_in_the_clear();
        assert!(clear.iter().all(|line| line.starts_with("EHLO ") || line == "STARTTLS"), "{clear:?}");
        assert!(server.received().is_empty());
    }
}

async fn without_tls_nothing_is_said() {
    if !possible() {
        return;
    }
    let server = MailServer::start().await.with_log_in("accounts", "pa55word").without_starttls();
    let app = one_mail(Engine::Sqlite, &server, &[]).await;
    put_off(&app, "starttls").await;
    let clear = server.said_in_the_clear();
    assert!(clear.iter().all(|line| line.starts_with("EHLO ") || line == "QUIT"), "{clear:?}");
}

async fn a_name_that_nobody_has() {
    if !possible() {
        return;
    }
    let server = MailServer::start().await;
    let nowhere = "smtp://nobody.invalid".to_owned();
    let app = one_mail(Engine::Sqlite, &server, &[("SVC_SMTP_URL", &nowhere)]).await;
    put_off(&app, "name").await;
    let silent = format!("smtps://127.0.0.1:{}", free_port());
    let app = one_mail(Engine::Sqlite, &server, &[("SVC_SMTP_URL", &silent)]).await;
    put_off(&app, "connect").await;
}
