//! The session cache and its staleness bound: a change takes effect with the next request on the process that made it,
//! and within a second on others, no matter who made it (docs/reference/browser.md 8.3).

use crate::harness::{
    Client, Engine, Process, Proxy, TestApp, advance_tokio_clock, begin, eventually, free_port, on_one_thread,
    run_program,
};
use crate::organizations::{claims, create_team, member, user_id};
use doorward::domain::account::delete::Delete;
use doorward::domain::account::operator;
use doorward::domain::change;
use doorward::model::principal::Principal;
use doorward::model::roles::PlatformRole;
use doorward::store::ChangeCursor;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

both_engines![
    process_refuses_session_it_ended_at_once,
    other_process_refuses_ended_session_within_a_second,
    cli_change_takes_effect_within_a_second,
    direct_sql_change_takes_effect_within_a_second,
    organization_changes_take_effect_at_once,
    session_end_among_concurrent_readers_is_final,
    cached_session_still_records_last_use,
    polled_changes_are_removed,
    renamed_organization_is_one_change_for_all_its_sessions,
];
once_on_postgres![invalidation_works_without_notifications, long_transaction_hides_no_change];

/// The staleness bound for changes by other processes.
const MAX_STALENESS: Duration = Duration::from_secs(1);

/// Fails unless a request one second from now gets this status.
async fn expect_after_a_second(client: &Client, expected: u16) {
    advance_tokio_clock(MAX_STALENESS).await;
    client.api_user().await.expect(expected);
}

/// Sends requests until the session is cached.
async fn fill_cache(client: &Client) {
    for _ in 0..3 {
        client.api_user().await.expect(200);
    }
}

async fn process_refuses_session_it_ended_at_once(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    for round in 0..10 {
        let ada = app.sign_up(&format!("ada{round}@example.com")).await;
        let tab = ada.copy();
        fill_cache(&tab).await;
        ada.log_out().await.expect(204);
        tab.api_user().await.expect(401);
    }
    let ada = app.sign_up("ada@example.com").await;
    let id = operator::find(&app.app.store, &Principal::operator(), "ada").await.unwrap().id;
    fill_cache(&ada).await;
    assert!(crate::operators::grant(&app.app, id, PlatformRole::Monitor).await.unwrap());
    assert_eq!(ada.api_user().await.expect(200).json()["roles"], serde_json::json!(["svc:monitor"]));
    assert!(crate::operators::set_disabled(&app.app, id, true).await.unwrap());
    ada.api_user().await.expect(401);
    let bob = app.sign_up("bob@example.com").await;
    fill_cache(&bob).await;
    let id = operator::find(&app.app.store, &Principal::operator(), "bob").await.unwrap().id;
    change::run(&app.app, &Principal::operator(), Delete { user: id }).await.unwrap();
    bob.api_user().await.expect(401);
}

async fn other_process_refuses_ended_session_within_a_second(engine: Engine) {
    on_one_thread(async move || {
        let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
        let second = app.second_process().await;
        let ada = app.sign_up("ada@example.com").await;
        let elsewhere = ada.copy().at(&second.url());
        fill_cache(&elsewhere).await;
        ada.log_out().await.expect(204);
        expect_after_a_second(&elsewhere, 401).await;
        let bob = app.sign_up("bob@example.com").await;
        let elsewhere = bob.copy().at(&second.url());
        fill_cache(&elsewhere).await;
        let id = operator::find(&app.app.store, &Principal::operator(), "bob").await.unwrap().id;
        change::run(&app.app, &Principal::operator(), Delete { user: id }).await.unwrap();
        expect_after_a_second(&elsewhere, 401).await;
    })
    .await;
}

async fn cli_change_takes_effect_within_a_second(engine: Engine) {
    on_one_thread(async move || {
        let app = engine.app().await;
        let ada = app.sign_up("ada@example.com").await;
        fill_cache(&ada).await;
        let output = run_program(&["user", "disable", "ada"], app.variables()).await;
        assert!(output.status.success(), "{output:?}");
        expect_after_a_second(&ada, 401).await;
        let output = run_program(&["user", "enable", "ada"], app.variables()).await;
        assert!(output.status.success(), "{output:?}");
        ada.api_user().await.expect(401);
    })
    .await;
}

/// Triggers watch every column that a response shows or depends on, so that changes by hand count as well.
async fn direct_sql_change_takes_effect_within_a_second(engine: Engine) {
    on_one_thread(async move || {
        let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
        let ada = app.sign_up("ada@example.com").await;
        let disabled = if engine == Engine::Sqlite { "disabled_at = 1" } else { "disabled_at = now()" };
        for (change, field, value) in [
            ("email = 'ada@example.org', email_key = 'ada@example.org'", "email", serde_json::json!("ada@example.org")),
            ("username = 'Ada'", "username", serde_json::json!("Ada")),
            ("roles = 'monitor'", "roles", serde_json::json!(["svc:monitor"])),
        ] {
            fill_cache(&ada).await;
            app.database().execute(&format!("UPDATE users SET {change}")).await;
            advance_tokio_clock(MAX_STALENESS).await;
            assert_eq!(ada.api_user().await.expect(200).json()[field], value, "{change}");
        }
        app.database().execute(&format!("UPDATE users SET {disabled}")).await;
        expect_after_a_second(&ada, 401).await;
        app.database().execute("UPDATE users SET disabled_at = NULL").await;
        expect_after_a_second(&ada, 200).await;
        fill_cache(&ada).await;
        app.database().execute("DELETE FROM sessions").await;
        expect_after_a_second(&ada, 401).await;
    })
    .await;
}

/// A refresh reads, or has the database verify, which organization is active.
async fn organization_changes_take_effect_at_once(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let second = app.second_process().await;
    let ada = app.sign_up("ada@example.com").await;
    let elsewhere = ada.at(&second.url());
    let team = create_team(&ada, "Crew").await;
    fill_cache(&elsewhere).await;
    ada.post_form(&format!("{team}/switch"), &[]).await.expect(303);
    elsewhere.refresh("app").await.expect(200);
    assert!(team.ends_with(claims(&elsewhere)["org_id"].as_str().unwrap()));
    ada.post_form(&format!("{team}/delete"), &[("name", "Crew")]).await.expect(303);
    elsewhere.get(&team).await.expect(404);
    elsewhere.refresh("app").await.expect(200);
    assert!(!team.ends_with(claims(&elsewhere)["org_id"].as_str().unwrap()));
    assert_eq!(user_id(&elsewhere).await, user_id(&ada).await);
}

/// Readers fill the cache at the moment at which sessions end.
async fn session_end_among_concurrent_readers_is_final(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    for round in 0..8 {
        let ada = app.sign_up(&format!("ada{round}@example.com")).await;
        let tab = ada.copy();
        let answers = Arc::new(Semaphore::new(0));
        let mut readers = tokio::task::JoinSet::new();
        for _ in 0..6 {
            let (tab, answers) = (tab.copy(), answers.clone());
            readers.spawn(async move {
                while tab.api_user().await.status == 200 {
                    answers.add_permits(1);
                }
            });
        }
        // After more responses in each round.
        answers.acquire_many(20 * round).await.unwrap().forget();
        ada.log_out().await.expect(204);
        for _ in 0..20 {
            tab.api_user().await.expect(401);
        }
        readers.join_all().await;
    }
}

async fn cached_session_still_records_last_use(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    fill_cache(&ada).await;
    let used_later = "SELECT count(*) FROM sessions WHERE last_used_at > created_at";
    assert_eq!(app.database().count(used_later).await, 0);
    app.clock().advance(Duration::from_secs(61));
    fill_cache(&ada).await;
    app.app.last_use.write(&app.app.store).await.unwrap();
    let count = async || (app.database().count(used_later).await == 1).then_some(());
    eventually("the last use is written", count).await;
    fill_cache(&ada).await;
    ada.api_user().await.expect(200);
}

async fn polled_changes_are_removed(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    ada.log_out().await.expect(204);
    assert_eq!(recorded_changes(&app).await, 1);
    // An open transaction on the same server, such as that of another test, keeps changes that it may have written.
    let all_removed = async || {
        let cursor = app.app.store.session_changes_cursor().await.unwrap();
        remove_changes(&app, &cursor).await;
        (recorded_changes(&app).await == 0).then_some(cursor)
    };
    let cursor = eventually("polled changes are removed", all_removed).await;
    let bob = app.sign_up("bob@example.com").await;
    let tab = bob.copy();
    fill_cache(&tab).await;
    bob.log_out().await.expect(204);
    remove_changes(&app, &cursor).await;
    assert_eq!(recorded_changes(&app).await, 1);
    tab.api_user().await.expect(401);
}

/// However many members it has: of each session that shows its name the row itself stays as it was.
async fn renamed_organization_is_one_change_for_all_its_sessions(engine: Engine) {
    on_one_thread(async move || {
        let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
        let second = app.second_process().await;
        let ada = app.sign_up("ada@example.com").await;
        let team = create_team(&ada, "Crew").await;
        ada.post_form(&format!("{team}/switch"), &[]).await.expect(303);
        let people = [ada.copy(), ada.at(&second.url()), member(&app, &ada, &team, "bob@example.com", "member").await];
        let names = async || {
            let mut names = Vec::new();
            for person in &people {
                let shown = person.get("/auth/api/v2/session").await.expect(200).json();
                names.push(shown["organization"]["name"].as_str().unwrap().to_owned());
            }
            names
        };
        assert_eq!(names().await, ["Crew"; 3]);
        let before = recorded_changes(&app).await;
        ada.post_form(&format!("{team}/rename"), &[("name", "Band")]).await.expect(303);
        assert_eq!(recorded_changes(&app).await, before + 1);
        advance_tokio_clock(MAX_STALENESS).await;
        assert_eq!(names().await, ["Band"; 3]);
    })
    .await;
}

async fn recorded_changes(app: &TestApp) -> i64 {
    app.database().count("SELECT count(*) FROM session_changes").await
}

async fn remove_changes(app: &TestApp, before: &ChangeCursor) {
    let mut tx = begin(&app.app.store).await;
    tx.session_changes_delete(before, 10).await.unwrap();
    tx.commit().await.unwrap();
}

/// Processes poll for changes. Without the database no response is 200 beyond the staleness bound.
async fn invalidation_works_without_notifications() {
    on_one_thread(async move || {
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
        fill_cache(&ada).await;
        // Kills the LISTEN connections of both processes.
        let listeners = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
            WHERE datname = current_database() AND query LIKE 'LISTEN%'";
        app.database().count(listeners).await;
        let tab = ada.copy();
        elsewhere.log_out().await.expect(204);
        expect_after_a_second(&tab, 401).await;
        let bob = app.sign_up("bob@example.com").await;
        fill_cache(&bob).await;
        proxy.cut();
        let refused = async || (bob.api_user().await.status == 500).then_some(());
        eventually("requests fail without the database", refused).await;
        proxy.restore();
        let recovered = async || (bob.api_user().await.status == 200).then_some(());
        eventually("requests succeed again", recovered).await;
    })
    .await;
}

/// Change ids are assigned before the commit, so that a poll must not skip one that commits late.
async fn long_transaction_hides_no_change() {
    let app = Engine::Postgres.app().await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    let mut late = begin(&app.app.store).await;
    let id = operator::find(&app.app.store, &Principal::operator(), "ada").await.unwrap().id;
    late.user_set_disabled(id, true).await.unwrap();
    let tab = bob.copy();
    fill_cache(&tab).await;
    bob.log_out().await.expect(204);
    tab.api_user().await.expect(401);
    fill_cache(&ada).await;
    late.commit().await.unwrap();
    ada.api_user().await.expect(401);
}
