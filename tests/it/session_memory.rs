//! Sessions are kept in memory, and nobody is ever answered from it what is no longer so: on the process that changed it
//! from the very next request, on others within a second, whoever changed it (contract.md 4).

use crate::harness::{Client, Engine, Process, Proxy, TestApp, eventually, free_port, run_program};
use crate::organizations::{claims, create_team, user_id};
use doorward::domain::account::delete::delete;
use doorward::domain::account::operator;
use doorward::model::audit::By;
use doorward::model::roles::PlatformRole;
use doorward::store::Place;
use std::time::Duration;
use tokio::time::Instant;

both![
    the_process_that_ended_a_session_refuses_it_at_once,
    another_process_refuses_an_ended_session_within_a_second,
    the_command_line_is_heard_within_a_second,
    whatever_writes_to_the_database_is_seen_within_a_second,
    roles_and_organizations_are_the_present_ones,
    a_change_among_many_readers_is_never_taken_back,
    a_last_use_is_still_written,
    what_every_process_has_read_is_removed,
];
once_on_postgres![no_channel_between_processes_is_needed, a_long_transaction_hides_no_change];

/// What contract.md 4 grants other processes, and what a busy machine may add to the measurement.
const WITHIN: Duration = Duration::from_secs(1);
const MEASURED: Duration = Duration::from_secs(9);

/// Asks until the answer is another one; fails if that takes longer than others may take.
async fn changes_within(client: &Client, was: u16, expected: u16) {
    let began = Instant::now();
    while client.api_user().await.status == was {
        assert!(began.elapsed() < WITHIN + MEASURED, "still {was} after {:?}", began.elapsed());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    client.api_user().await.expect(expected);
}

/// The user's page is in memory after this.
async fn remember(client: &Client) {
    for _ in 0..3 {
        client.api_user().await.expect(200);
    }
}

async fn the_process_that_ended_a_session_refuses_it_at_once(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    for round in 0..10 {
        let ada = app.sign_up(&format!("ada{round}@example.com")).await;
        let tab = ada.copy();
        remember(&tab).await;
        ada.log_out().await.expect(204);
        tab.api_user().await.expect(401);
    }
    let ada = app.sign_up("ada@example.com").await;
    let id = operator::find(&app.app.store, "ada").await.unwrap().id;
    remember(&ada).await;
    assert!(operator::grant(&app.app, id, PlatformRole::Admin).await.unwrap());
    assert_eq!(ada.api_user().await.expect(200).json()["roles"], serde_json::json!(["svc:admin"]));
    assert!(operator::set_disabled(&app.app, id, true).await.unwrap());
    ada.api_user().await.expect(401);
    let bob = app.sign_up("bob@example.com").await;
    remember(&bob).await;
    let id = operator::find(&app.app.store, "bob").await.unwrap().id;
    delete(&app.app, id, &By::operator()).await.unwrap();
    bob.api_user().await.expect(401);
}

async fn another_process_refuses_an_ended_session_within_a_second(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let second = app.second().await;
    let ada = app.sign_up("ada@example.com").await;
    let elsewhere = ada.copy().at(&second.url());
    remember(&elsewhere).await;
    ada.log_out().await.expect(204);
    changes_within(&elsewhere, 200, 401).await;
    let bob = app.sign_up("bob@example.com").await;
    let elsewhere = bob.copy().at(&second.url());
    remember(&elsewhere).await;
    let id = operator::find(&app.app.store, "bob").await.unwrap().id;
    delete(&app.app, id, &By::operator()).await.unwrap();
    changes_within(&elsewhere, 200, 401).await;
}

async fn the_command_line_is_heard_within_a_second(engine: Engine) {
    let builder = engine.prepare().await;
    let _process = Process::start(builder.variables()).await;
    let ada = builder.anonymous();
    ada.sign_up("ada@example.com").await.expect(303);
    remember(&ada).await;
    let output = run_program(&["user", "disable", "ada"], builder.variables()).await;
    assert!(output.status.success(), "{output:?}");
    changes_within(&ada, 200, 401).await;
    let output = run_program(&["user", "enable", "ada"], builder.variables()).await;
    assert!(output.status.success(), "{output:?}");
    ada.api_user().await.expect(401);
}

/// Not even the project's own code need be what writes: every column that an answer shows or depends on is watched.
async fn whatever_writes_to_the_database_is_seen_within_a_second(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    let later = if engine == Engine::Sqlite { "disabled_at = 1" } else { "disabled_at = now()" };
    for (change, field, value) in [
        ("email = 'ada@example.org', email_key = 'ada@example.org'", "email", serde_json::json!("ada@example.org")),
        ("username = 'Ada'", "username", serde_json::json!("Ada")),
        ("roles = 'monitor'", "roles", serde_json::json!(["svc:monitor"])),
    ] {
        remember(&ada).await;
        app.database().execute(&format!("UPDATE users SET {change}")).await;
        let began = Instant::now();
        while ada.api_user().await.expect(200).json()[field] != value {
            assert!(began.elapsed() < WITHIN + MEASURED, "{change}");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
    app.database().execute(&format!("UPDATE users SET {later}")).await;
    changes_within(&ada, 200, 401).await;
    app.database().execute("UPDATE users SET disabled_at = NULL").await;
    changes_within(&ada, 401, 200).await;
    remember(&ada).await;
    app.database().execute("DELETE FROM sessions").await;
    changes_within(&ada, 200, 401).await;
}

/// Which organization is the active one and what a member may do there is read from the database each time.
async fn roles_and_organizations_are_the_present_ones(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let second = app.second().await;
    let ada = app.sign_up("ada@example.com").await;
    let elsewhere = ada.at(&second.url());
    let team = create_team(&ada, "Crew").await;
    remember(&elsewhere).await;
    ada.post_form(&format!("{team}/switch"), &[]).await.expect(303);
    elsewhere.refresh("app").await.expect(200);
    assert!(team.ends_with(claims(&elsewhere)["org_id"].as_str().unwrap()));
    ada.post_form(&format!("{team}/delete"), &[("name", "Crew")]).await.expect(303);
    elsewhere.get(&team).await.expect(404);
    elsewhere.refresh("app").await.expect(200);
    assert!(!team.ends_with(claims(&elsewhere)["org_id"].as_str().unwrap()));
    assert_eq!(user_id(&elsewhere).await, user_id(&ada).await);
}

/// Readers fill the memory at the very moment at which sessions end.
async fn a_change_among_many_readers_is_never_taken_back(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    for round in 0..8 {
        let ada = app.sign_up(&format!("ada{round}@example.com")).await;
        let tab = ada.copy();
        let mut readers = tokio::task::JoinSet::new();
        for _ in 0..6 {
            let tab = tab.copy();
            readers.spawn(async move { while tab.api_user().await.status == 200 {} });
        }
        tokio::time::sleep(Duration::from_millis(10 * round)).await;
        ada.log_out().await.expect(204);
        for _ in 0..20 {
            tab.api_user().await.expect(401);
        }
        readers.join_all().await;
    }
}

async fn a_last_use_is_still_written(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    remember(&ada).await;
    let later = "SELECT count(*) FROM sessions WHERE last_used_at > created_at";
    assert_eq!(app.database().count(later).await, 0);
    app.clock().advance(Duration::from_secs(61));
    remember(&ada).await;
    app.app.last_use.write(&app.app.store).await.unwrap();
    let count = async || (app.database().count(later).await == 1).then_some(());
    eventually("the last use is written", count).await;
    remember(&ada).await;
    ada.api_user().await.expect(200);
}

async fn what_every_process_has_read_is_removed(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    ada.log_out().await.expect(204);
    assert_eq!(notes(&app).await, 1);
    // A transaction that is open anywhere on the server keeps notes that it may have written; in other stories there are.
    let all_gone = async || {
        let place = app.app.store.session_changes_place().await.unwrap();
        remove_notes(&app, &place).await;
        (notes(&app).await == 0).then_some(place)
    };
    let place = eventually("what was read is removed", all_gone).await;
    let bob = app.sign_up("bob@example.com").await;
    let tab = bob.copy();
    remember(&tab).await;
    bob.log_out().await.expect(204);
    remove_notes(&app, &place).await;
    assert_eq!(notes(&app).await, 1);
    tab.api_user().await.expect(401);
}

async fn notes(app: &TestApp) -> i64 {
    app.database().count("SELECT count(*) FROM session_changes").await
}

async fn remove_notes(app: &TestApp, before: &Place) {
    let mut tx = app.app.store.begin().await.unwrap();
    tx.session_changes_delete(before, 10).await.unwrap();
    tx.commit().await.unwrap();
}

/// Nothing is announced: what the others must know is asked for. Without the database nobody is told 200 for longer.
async fn no_channel_between_processes_is_needed() {
    let builder = Engine::Postgres.prepare().await;
    let server = builder.database().server_address().to_owned();
    let direct = builder.database().url().to_owned();
    let proxy = Proxy::start(&server).await;
    let app = builder.set("SVC_DATABASE_URL", direct.replace(&server, &proxy.address().to_string())).start().await;
    let mut variables = app.variables().clone();
    variables.insert("SVC_DATABASE_URL".to_owned(), direct);
    variables.insert("SVC_LISTEN".to_owned(), format!("127.0.0.1:{}", free_port()));
    let _second = Process::start(&variables).await;
    let ada = app.sign_up("ada@example.com").await;
    let elsewhere = ada.copy().at(&format!("http://{}", variables["SVC_LISTEN"]));
    remember(&ada).await;
    // No process hears any announcement from here on.
    let listeners = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
        WHERE datname = current_database() AND query LIKE 'LISTEN%'";
    app.database().count(listeners).await;
    let tab = ada.copy();
    elsewhere.log_out().await.expect(204);
    changes_within(&tab, 200, 401).await;
    let bob = app.sign_up("bob@example.com").await;
    remember(&bob).await;
    proxy.cut();
    let refused = async || (bob.api_user().await.status == 500).then_some(());
    eventually("no answer without the database", refused).await;
    proxy.mend();
    let back = async || (bob.api_user().await.status == 200).then_some(());
    eventually("answers again", back).await;
}

/// Ids of changes are drawn before the commit: one that commits late must not be passed over.
async fn a_long_transaction_hides_no_change() {
    let app = Engine::Postgres.app().await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    let mut late = app.app.store.begin().await.unwrap();
    let id = operator::find(&app.app.store, "ada").await.unwrap().id;
    late.user_set_disabled(id, true).await.unwrap();
    let tab = bob.copy();
    remember(&tab).await;
    bob.log_out().await.expect(204);
    tab.api_user().await.expect(401);
    remember(&ada).await;
    late.commit().await.unwrap();
    ada.api_user().await.expect(401);
}
