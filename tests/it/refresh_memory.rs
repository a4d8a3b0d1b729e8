//! On PostgreSQL a refresh is decided on what the process remembers of the session's last one. It never counts what is no
//! longer so, not even for a moment, whoever changed it.

use crate::harness::{Client, Engine, TestApp};
use crate::organizations::{claims, create_team};
use doorward::domain::ids::SessionId;
use serde_json::json;
use std::time::Duration;

both![
    processes_in_turn_replace_each_others_tokens,
    a_stale_memory_is_no_theft_and_hides_none,
    what_was_changed_elsewhere_counts_at_once,
    an_ended_session_is_refused_at_once,
    an_organization_switched_elsewhere_is_the_active_one,
    what_is_remembered_is_what_was_written,
];
once_on_postgres![connections_are_used_again];

/// Longer than `SVC_REFRESH_GRACE`.
const PAST_GRACE: Duration = Duration::from_secs(31);

async fn two_processes(engine: Engine) -> (TestApp, TestApp, Client) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let second = app.second().await;
    let ada = app.sign_up("ada@example.com").await;
    (app, second, ada)
}

/// A refresh that replaces the token.
async fn replace(app: &TestApp, client: &Client) {
    app.clock().advance(PAST_GRACE);
    let reply = client.refresh("app").await.expect(200);
    assert!(reply.cookie("svc_refresh").is_some(), "the token was not replaced");
}

fn session_of(client: &Client) -> SessionId {
    SessionId(serde_json::from_value(claims(client)["sid"].clone()).unwrap())
}

async fn processes_in_turn_replace_each_others_tokens(engine: Engine) {
    let (app, second, ada) = two_processes(engine).await;
    let elsewhere = ada.at(&second.url());
    for _ in 0..3 {
        replace(&app, &ada).await;
        replace(&app, &ada).await;
        second.clock().advance(PAST_GRACE);
        elsewhere.refresh("app").await.expect(200);
    }
    ada.api_user().await.expect(200);
    assert_eq!(app.database().count("SELECT count(*) FROM sessions WHERE ended_at IS NOT NULL").await, 0);
}

async fn a_stale_memory_is_no_theft_and_hides_none(engine: Engine) {
    let (app, second, ada) = two_processes(engine).await;
    replace(&app, &ada).await;
    // The first process remembers the token that the thief has, as the current one; elsewhere it is replaced twice.
    let thief = ada.copy();
    let elsewhere = ada.at(&second.url());
    replace(&second, &elsewhere).await;
    replace(&second, &elsewhere).await;
    app.clock().advance(PAST_GRACE * 4);
    thief.refresh("app").await.expect_error(401, "unauthorized");
    assert_eq!(app.database().count("SELECT count(*) FROM sessions WHERE end_reason = 'reuse'").await, 1);
    ada.refresh("app").await.expect_error(401, "unauthorized");
}

async fn what_was_changed_elsewhere_counts_at_once(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    let change = async |sql: &str| app.database().execute(sql).await;
    replace(&app, &ada).await;
    change("UPDATE users SET roles = 'monitor'").await;
    replace(&app, &ada).await;
    assert_eq!(claims(&ada)["roles"], json!(["svc:monitor"]));
    change("UPDATE users SET roles = ''").await;
    replace(&app, &ada).await;
    assert_eq!(claims(&ada)["roles"], json!([]));
    change("UPDATE memberships SET role = 'member'").await;
    replace(&app, &ada).await;
    assert_eq!(claims(&ada)["org_role"], "member");
    let now = if engine == Engine::Sqlite { "1" } else { "now()" };
    change(&format!("UPDATE users SET disabled_at = {now}")).await;
    app.clock().advance(PAST_GRACE);
    ada.copy().refresh("app").await.expect_error(401, "unauthorized");
    change("UPDATE users SET disabled_at = NULL").await;
    replace(&app, &ada).await;
}

async fn an_ended_session_is_refused_at_once(engine: Engine) {
    let (app, second, ada) = two_processes(engine).await;
    replace(&app, &ada).await;
    ada.copy().at(&second.url()).log_out().await.expect(204);
    app.clock().advance(PAST_GRACE);
    ada.refresh("app").await.expect_error(401, "unauthorized");
}

async fn an_organization_switched_elsewhere_is_the_active_one(engine: Engine) {
    let (app, second, ada) = two_processes(engine).await;
    let team = create_team(&ada, "Crew").await;
    replace(&app, &ada).await;
    let tab = ada.copy();
    tab.at(&second.url()).post_form(&format!("{team}/switch"), &[]).await.expect(303);
    replace(&app, &ada).await;
    assert!(team.ends_with(claims(&ada)["org_id"].as_str().unwrap()));
}

async fn what_is_remembered_is_what_was_written(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let id = session_of(&ada);
    assert!(app.app.store.session_remembered(id).is_none());
    for _ in 0..3 {
        replace(&app, &ada).await;
        let remembered = app.app.store.session_remembered(id);
        assert_eq!(remembered.is_some(), engine == Engine::Postgres, "SQLite's read costs no round trip");
        let Some(remembered) = remembered else { return };
        let stored = app.app.store.session_row(id).await.unwrap().unwrap();
        assert_eq!(format!("{remembered:?}"), format!("{stored:?}"));
    }
}

/// Neither a connection for each request, nor one that stays where a request left it.
async fn connections_are_used_again() {
    let app = Engine::Postgres.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    for _ in 0..30 {
        replace(&app, &ada).await;
    }
    let open = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
                AND application_name = 'doorward'";
    let connections = app.database().count(open).await;
    assert!((1..=12).contains(&connections), "{connections} connections for one request at a time");
    let idle = format!("{open} AND state = 'idle in transaction'");
    assert_eq!(app.database().count(&idle).await, 0);
}
