//! What `doorward doctor` finds in the database itself: what is missing, damaged, or waits there.

use crate::backup::doorward;
use crate::doctor::{doctor, with};
use crate::harness::{Engine, MailServer, Receiver};
use doorward::model::finding::FindingCode;
use std::os::unix::fs::FileExt;

both_engines![
    missing_parts_of_the_schema_are_found,
    events_and_mails_that_wait_are_found,
    instance_without_recent_backup_is_found,
];
single_run![destroyed_page_is_found];
once_on_postgres![too_few_connections_are_found];

/// The record of the steps says that all were taken.
async fn missing_parts_of_the_schema_are_found(engine: Engine) {
    let builder = engine.prepare().await;
    for plant in [
        "ALTER TABLE invitations RENAME TO of_old",
        "ALTER TABLE users RENAME COLUMN username TO of_old",
        "DROP INDEX users_email_key",
    ] {
        builder.database().execute(plant).await;
    }
    doctor(builder.variables()).await.expect(FindingCode::SchemaIncomplete, "schema_incomplete");
}

/// The first page of a table; a start does not read it.
async fn destroyed_page_is_found() {
    let builder = Engine::Sqlite.prepare().await;
    for table in ["users", "sessions"] {
        let page = format!("SELECT rootpage FROM sqlite_schema WHERE name = '{table}'");
        let page = u64::try_from(builder.database().count(&page).await).unwrap();
        let size = u64::try_from(builder.database().count("PRAGMA page_size").await).unwrap();
        let path = builder.database().url().strip_prefix("sqlite:").unwrap();
        let file = std::fs::File::options().write(true).open(path).unwrap();
        file.write_all_at(&vec![0xff; usize::try_from(size).unwrap()], (page - 1) * size).unwrap();
    }
    let examined = doctor(builder.variables()).await;
    let damaged = examined.messages(FindingCode::DatabaseDamaged);
    assert!(examined.code == Some(1) && damaged.len() == 2, "{:#?}", examined.checks);
    assert!(damaged[0].starts_with("the table sessions is damaged ("), "{damaged:?}");
    assert!(damaged[1].starts_with("the table users is damaged (") && damaged[1].contains("backup"), "{damaged:?}");
}

async fn events_and_mails_that_wait_are_found(engine: Engine) {
    let receiver = Receiver::start().await;
    let builder = engine.prepare().await.with_email_verification().webhooks(&receiver).without_background();
    let app = builder.start().await;
    let healthy = doctor(app.variables()).await;
    assert!(healthy.messages(FindingCode::EventsNotDelivered).is_empty(), "{:#?}", healthy.checks);
    assert!(healthy.messages(FindingCode::MailsWait).is_empty(), "{:#?}", healthy.checks);
    for name in ["ada", "bob"] {
        app.sign_up(&format!("{name}@example.com")).await;
    }
    // Two addresses to be verified, without a mail server.
    let examined = doctor(app.variables()).await;
    examined.expect_warning(FindingCode::MailsWait, "mails_wait");
    assert!(examined.messages(FindingCode::EventsNotDelivered).is_empty(), "{:#?}", examined.checks);
    app.database().execute("UPDATE outbox SET state = 'failed' WHERE kind = 'user.created'").await;
    let long_ago = if engine == Engine::Sqlite { "1000000" } else { "'2020-01-01'" };
    app.database().execute(&format!("UPDATE outbox SET due_at = {long_ago} WHERE state = 'pending'")).await;
    doctor(app.variables()).await.expect_warning(FindingCode::EventsNotDelivered, "events_not_delivered");
    let server = MailServer::start().await;
    let certificate = server.certificate().display().to_string();
    let mailing = [
        ("SVC_SMTP_URL", server.url()),
        ("SVC_MAIL_FROM", "accounts@mail.example".to_owned()),
        ("SVC_SMTP_CA_FILE", certificate),
    ];
    let mailing = mailing.each_ref().map(|(name, value)| (*name, value.as_str()));
    doctor(&with(app.variables(), &mailing)).await.expect_warning(FindingCode::MailsWait, "mails_late");
}

async fn instance_without_recent_backup_is_found(engine: Engine) {
    let app = engine.app().await;
    assert!(doctor(app.variables()).await.messages(FindingCode::NoBackup).is_empty(), "it is new");
    let long_ago = if engine == Engine::Sqlite { "1000000" } else { "'2020-01-01'" };
    app.database().execute(&format!("UPDATE instance SET created_at = {long_ago}")).await;
    doctor(app.variables()).await.expect_warning(FindingCode::NoBackup, "no_backup");
    doorward(&["backup", "--record"], app.variables()).await;
    assert!(doctor(app.variables()).await.messages(FindingCode::NoBackup).is_empty(), "one was recorded");
    app.database().execute(&format!("UPDATE instance SET backed_up_at = {long_ago}")).await;
    let old = doctor(app.variables()).await;
    assert!(old.messages(FindingCode::NoBackup)[0].contains("days old"), "{:#?}", old.checks);
}

async fn too_few_connections_are_found() {
    let builder = Engine::Postgres.prepare().await;
    let healthy = doctor(builder.variables()).await;
    assert!(healthy.messages(FindingCode::ConnectionsShort).is_empty(), "{:#?}", healthy.checks);
    let name = builder.database().url().rsplit('/').next().unwrap();
    builder.database().execute(&format!("ALTER DATABASE \"{name}\" CONNECTION LIMIT 12")).await;
    doctor(builder.variables()).await.expect_warning(FindingCode::ConnectionsShort, "connections_short");
}
