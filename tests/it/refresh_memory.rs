//! On PostgreSQL a refresh uses the session row that the process cached at the last one. A stale row never decides: a
//! change by any writer takes effect at once.

use crate::harness::{Client, Engine, TestApp, advance_tokio_clock, eventually, on_one_thread};
use crate::organizations::{claims, create_team};
use doorward::model::ids::SessionId;
use doorward::store::{SessionRow, SessionStore};
use serde_json::json;
use sqlx::{Connection, PgConnection};
use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

both_engines![
    processes_replace_each_others_tokens,
    stale_row_neither_fakes_nor_hides_token_reuse,
    external_changes_take_effect_at_once,
    session_ended_elsewhere_is_refused_at_once,
    organization_switch_elsewhere_takes_effect_at_once,
    organization_that_was_left_is_in_no_token,
    session_that_is_shortened_ends,
    cached_row_equals_stored_row,
];
single_run![tokens_beyond_their_age_are_confirmed_by_one_number];
once_on_postgres![
    connections_are_reused,
    concurrent_reads_of_the_gate_share_statements,
    concurrent_refreshes_share_statements,
    sessions_of_the_gate_are_read_ahead,
    one_of_two_refreshes_in_a_statement_is_written,
    locked_session_does_not_block_others,
];

/// Longer than `SVC_REFRESH_GRACE`.
const PAST_GRACE: Duration = Duration::from_secs(31);

async fn two_processes(engine: Engine) -> (TestApp, TestApp, Client) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let second = app.second_process().await;
    let ada = app.sign_up("ada@example.com").await;
    (app, second, ada)
}

/// A refresh that replaces the token.
async fn replace(app: &TestApp, client: &Client) {
    app.clock().advance(PAST_GRACE);
    let reply = client.refresh("app").await.expect(200);
    assert!(reply.cookie("svc_refresh").is_some(), "the token was not replaced");
}

fn session_id(client: &Client) -> SessionId {
    SessionId(serde_json::from_value(claims(client)["sid"].clone()).unwrap())
}

async fn processes_replace_each_others_tokens(engine: Engine) {
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

async fn stale_row_neither_fakes_nor_hides_token_reuse(engine: Engine) {
    let (app, second, ada) = two_processes(engine).await;
    replace(&app, &ada).await;
    // The first process caches the thief's token as the current one; another process replaces it twice.
    let thief = ada.copy();
    let elsewhere = ada.at(&second.url());
    replace(&second, &elsewhere).await;
    replace(&second, &elsewhere).await;
    app.clock().advance(PAST_GRACE * 4);
    thief.refresh("app").await.expect_error(401, "unauthorized");
    assert_eq!(app.database().count("SELECT count(*) FROM sessions WHERE end_reason = 'reuse'").await, 1);
    ada.refresh("app").await.expect_error(401, "unauthorized");
}

async fn external_changes_take_effect_at_once(engine: Engine) {
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

async fn session_ended_elsewhere_is_refused_at_once(engine: Engine) {
    let (app, second, ada) = two_processes(engine).await;
    replace(&app, &ada).await;
    ada.copy().at(&second.url()).log_out().await.expect(204);
    app.clock().advance(PAST_GRACE);
    ada.refresh("app").await.expect_error(401, "unauthorized");
}

async fn organization_switch_elsewhere_takes_effect_at_once(engine: Engine) {
    let (app, second, ada) = two_processes(engine).await;
    let team = create_team(&ada, "Crew").await;
    replace(&app, &ada).await;
    let tab = ada.copy();
    tab.at(&second.url()).post_form(&format!("{team}/switch"), &[]).await.expect(303);
    replace(&app, &ada).await;
    assert!(team.ends_with(claims(&ada)["org_id"].as_str().unwrap()));
}

/// The organization is another one when the use of the token is written: with the new version, memory must not keep the
/// old one. Each refresh would go on with it, also after the end of the membership.
async fn organization_that_was_left_is_in_no_token(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").without_background().start().await;
    let ada = app.sign_up("ada@example.com").await;
    let (old, team) = (claims(&ada)["org_id"].clone(), create_team(&ada, "Crew").await);
    replace(&app, &ada).await;
    ada.api_user().await.expect(200);
    // As another process does, of whose change this one has not heard.
    let other = team.rsplit('/').next().unwrap();
    let crew = "(SELECT id FROM organizations WHERE name = 'Crew')";
    let switch = format!("UPDATE sessions SET organization_id = {crew}, version = version + 1");
    app.database().execute_all(&switch).await;
    app.app.last_use.write(&app.app.store).await.unwrap();
    for _ in 0..3 {
        replace(&app, &ada).await;
        assert_eq!(claims(&ada)["org_id"], other, "not {old}");
    }
}

/// An operator's hand.
async fn session_that_is_shortened_ends(engine: Engine) {
    let (app, _, ada) = two_processes(engine).await;
    replace(&app, &ada).await;
    app.database().execute_all("UPDATE sessions SET expires_at = created_at").await;
    app.clock().advance(PAST_GRACE);
    ada.refresh("app").await.expect_error(401, "unauthorized");
}

async fn cached_row_equals_stored_row(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let id = session_id(&ada);
    assert!(app.app.store.sessions().remembered(id).is_none());
    for _ in 0..3 {
        replace(&app, &ada).await;
        let remembered = app.app.store.sessions().remembered(id);
        assert_eq!(remembered.is_some(), engine == Engine::Postgres, "SQLite's read costs no round trip");
        let Some(remembered) = remembered else { return };
        let stored = app.app.store.sessions().read(id).await.unwrap().unwrap();
        let facts = |row: &SessionRow| (row.tokens, row.version, row.nonce, row.last_used_at, row.expires_at);
        assert_eq!(facts(&remembered), facts(&stored));
    }
}

/// There is neither a connection per request nor one left inside a transaction.
async fn connections_are_reused() {
    let app = Engine::Postgres.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    for _ in 0..30 {
        replace(&app, &ada).await;
    }
    let open = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
                AND application_name = 'doorward'";
    let idle = format!("{open} AND state = 'idle in transaction'");
    // The background is between two statements of a transaction at times; a transaction left open stays so.
    eventually("few connections, and none inside a transaction", async || {
        let (connections, inside) = (app.database().count(open).await, app.database().count(&idle).await);
        ((1..=12).contains(&connections) && inside == 0).then_some(())
    })
    .await;
}

async fn one_process() -> TestApp {
    Engine::Postgres.prepare().await.set("SVC_RATE_LIMIT", "off").start().await
}

/// Signs up users whose session rows the process then has in its cache.
async fn users_with_cached_rows(app: &TestApp, count: usize) -> Vec<Client> {
    let mut people = Vec::new();
    for number in 0..count {
        let client = app.sign_up(&format!("person{number}@example.com")).await;
        replace(app, &client).await;
        people.push(client);
    }
    people
}

/// Runs a locking statement in a transaction; the locks last until the connection closes.
async fn hold_lock(app: &TestApp, sql: &str) -> PgConnection {
    let mut connection = PgConnection::connect(app.database().url()).await.unwrap();
    sqlx::raw_sql(sqlx::AssertSqlSafe(format!("BEGIN; {sql}"))).execute(&mut connection).await.unwrap();
    connection
}

/// Starts all, lets them go on once each of them waits for the database, and awaits their answers.
async fn together<T>(lock: PgConnection, started: impl IntoIterator<Item = impl Future<Output = T>>) -> Vec<T> {
    let mut started: Vec<_> = started.into_iter().map(Box::pin).collect();
    poll_fn(|context| {
        assert!(started.iter_mut().all(|one| one.as_mut().poll(context).is_pending()));
        Poll::Ready(())
    })
    .await;
    lock.close().await.unwrap();
    let mut answers = Vec::new();
    for one in started {
        answers.push(one.await);
    }
    answers
}

/// Advances the generation of all rows concurrently; returns which were written, and the number of statements.
async fn advance_together(app: &TestApp, rows: &[SessionRow]) -> (Vec<bool>, u64) {
    let store = &app.app.store;
    let sessions = store.sessions();
    let lock = hold_lock(app, "LOCK TABLE sessions IN EXCLUSIVE MODE").await;
    let before = store.statements();
    let next = |row: &SessionRow| {
        let mut next = row.clone();
        next.tokens.generation += 1;
        next
    };
    let written = together(lock, rows.iter().map(|row| sessions.advance_remembered(row.clone(), next(row)))).await;
    (written.into_iter().map(Result::unwrap).collect(), store.statements() - before)
}

async fn concurrent_reads_of_the_gate_share_statements() {
    let app = one_process().await;
    let mut ids: Vec<_> = users_with_cached_rows(&app, 5).await.iter().map(session_id).collect();
    // A page's requests ask for the same session, and some for one that is gone.
    ids.extend([ids[0], SessionId(uuid::Uuid::nil())]);
    let store = &app.app.store;
    let sessions = store.sessions();
    let lock = hold_lock(&app, "LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE").await;
    let before = store.statements();
    let read = together(lock, ids.iter().map(|id| sessions.read(*id))).await;
    let statements = store.statements() - before;
    assert!(statements <= 3, "two start at once, the third takes all others: {statements}");
    for (read, id) in read.into_iter().zip(ids) {
        let stored = sessions.read(id).await.unwrap();
        let read = read.unwrap().map(|read| (read.nonce, read.tokens));
        assert_eq!(read, stored.map(|row| (row.nonce, row.tokens)), "{id}");
    }
}

/// The session, which is in memory then; asked for, so that it is read ahead.
async fn in_memory(sessions: &SessionStore<'_>, id: SessionId) -> SessionRow {
    let read = async || {
        if let Some(row) = sessions.recent(id).await {
            return Some(row);
        }
        sessions.read(id).await.unwrap();
        None
    };
    eventually("it is in memory", read).await
}

/// Read ahead, a cached session stays valid beyond 0.9 seconds without a request that reads it; a change ends that.
async fn sessions_of_the_gate_are_read_ahead() {
    let (app, second, ada) = two_processes(Engine::Postgres).await;
    let (sessions, id) = (app.app.store.sessions(), session_id(&ada));
    let first = in_memory(&sessions, id).await;
    let start = app.database().texts("SELECT clock_timestamp()::text").await.remove(0);
    let later = format!(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE \
         '%DISTINCT FROM $3' AND query_start > '{start}'::timestamptz + interval '1 second'"
    );
    eventually("it is read ahead", async || (app.database().count(&later).await > 0).then_some(())).await;
    let is_same = async || sessions.recent(id).await.filter(|row| Arc::ptr_eq(&row.view, &first.view)).map(drop);
    eventually("it is in memory", is_same).await;
    replace(&second, &ada.at(&second.url())).await;
    eventually("the change is seen", async || sessions.recent(id).await.is_none().then_some(())).await;
}

/// On SQLite, where nothing is read ahead: a change since is seen all the same.
async fn tokens_beyond_their_age_are_confirmed_by_one_number() {
    on_one_thread(async move || {
        let (app, second, ada) = two_processes(Engine::Sqlite).await;
        let (sessions, id) = (app.app.store.sessions(), session_id(&ada));
        let first = in_memory(&sessions, id).await;
        advance_tokio_clock(Duration::from_secs(2)).await;
        let again = sessions.recent(id).await.expect("it is confirmed");
        assert!(Arc::ptr_eq(&again.view, &first.view));
        replace(&second, &ada.at(&second.url())).await;
        advance_tokio_clock(Duration::from_secs(1)).await;
        assert!(sessions.recent(id).await.is_none(), "it has other tokens");
        assert_eq!(sessions.read(id).await.unwrap().unwrap().tokens.generation, first.tokens.generation + 1);
    })
    .await;
}

async fn concurrent_refreshes_share_statements() {
    let app = Engine::Postgres.prepare().await.without_background().start().await;
    let people = users_with_cached_rows(&app, 6).await;
    let mut rows: Vec<_> =
        people.iter().map(|person| app.app.store.sessions().remembered(session_id(person)).unwrap()).collect();
    // One cached row is stale.
    rows[3].version -= 1;
    let (written, statements) = advance_together(&app, &rows).await;
    assert_eq!(written, [true, true, true, false, true, true]);
    assert!(statements <= 3, "two start at once, the third takes all others: {statements}");
    for (row, written) in rows.iter().zip(written) {
        let stored = app.app.store.sessions().read(row.id).await.unwrap().unwrap();
        assert_eq!(stored.tokens.generation, row.tokens.generation + i64::from(written));
    }
}

async fn one_of_two_refreshes_in_a_statement_is_written() {
    let app = one_process().await;
    let people = users_with_cached_rows(&app, 3).await;
    let row = |person| app.app.store.sessions().remembered(session_id(person)).unwrap();
    let rows = [row(&people[0]), row(&people[1]), row(&people[2]), row(&people[2])];
    let (written, _) = advance_together(&app, &rows).await;
    assert!(written[0] && written[1] && written[2] != written[3], "{written:?}");
    let stored = app.app.store.sessions().read(rows[2].id).await.unwrap().unwrap();
    assert_eq!((stored.version, stored.tokens.generation), (rows[2].version + 1, rows[2].tokens.generation + 1));
}

async fn locked_session_does_not_block_others() {
    let app = one_process().await;
    let people = users_with_cached_rows(&app, 4).await;
    app.clock().advance(PAST_GRACE);
    // One more than the number of concurrent statements.
    let ids: Vec<_> = people[..3].iter().map(|person| format!("'{}'", session_id(person).0)).collect();
    let lock = hold_lock(&app, &format!("SELECT 1 FROM sessions WHERE id IN ({}) FOR UPDATE", ids.join(", "))).await;
    let mut waiting = tokio::task::JoinSet::new();
    for person in &people[..3] {
        let person = person.copy();
        waiting.spawn(async move { person.refresh("app").await.status });
    }
    app.database().wait_for_blocked(3).await;
    people[3].refresh("app").await.expect(200);
    assert!(waiting.try_join_next().is_none(), "the locked sessions still wait");
    lock.close().await.unwrap();
    assert_eq!(waiting.join_all().await, [200, 200, 200]);
}
