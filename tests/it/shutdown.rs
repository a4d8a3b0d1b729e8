//! What the end of a process does not wait for.

use crate::harness::{Builder, Engine, Process, TestApp, advance_tokio_clock, eventually, on_one_thread, run_program};
use doorward::store::CHANGE_RETENTION;
use std::time::Duration;
use tokio::time::Instant;

both_engines![shutdown_leaves_the_rest_of_a_clean_up, shutdown_leaves_the_rest_of_the_session_changes];

const OLD: i64 = 50_000;

/// Inserts rows of a table that are older than any is kept.
async fn insert_old_rows(builder: &Builder, engine: Engine, columns: &str, values: &str) {
    let (id, hash, at) = match engine {
        Engine::Sqlite => ("randomblob(16)", "randomblob(32)", "(1500000000000000 + i)"),
        Engine::Postgres => (
            "gen_random_uuid()",
            "uuid_send(gen_random_uuid())",
            "(to_timestamp(1500000000) + i * interval '1 microsecond')",
        ),
    };
    let numbers = format!("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {OLD})");
    let values = values.replace("ID", id).replace("HASH", hash).replace("AT", at);
    builder.database().execute(&format!("INSERT INTO {columns} {numbers} SELECT {values}")).await;
}

async fn shutdown_leaves_the_rest_of_a_clean_up(engine: Engine) {
    let builder = engine.prepare().await;
    for arguments in [["user", "create", "ada@example.com"].as_slice(), &["org", "create", "Crew", "--owner", "ada"]] {
        let output = run_program(arguments, builder.variables()).await;
        assert!(output.status.success(), "{output:?}");
    }
    let entries = "audit (id, at, kind, actor, address, user_agent, detail, times)";
    insert_old_rows(&builder, engine, entries, "ID, AT, 'signed_in', 'user', '', '', '', 1 FROM n").await;
    leaves_a_rest(&builder, "audit WHERE kind = 'signed_in'").await;
    builder.database().execute("DELETE FROM audit").await;
    let invitations = "invitations (id, organization_id, email, email_key, role, metadata, token_hash, proves_address, \
        state, created_at, expires_at, finished_at)";
    let values = "ID, o.id, 'bob@example.com', 'bob@example.com', 'member', '{}', HASH, FALSE, 'revoked', AT, AT, AT \
        FROM n, organizations o WHERE o.name = 'Crew'";
    insert_old_rows(&builder, engine, invitations, values).await;
    leaves_a_rest(&builder, "invitations").await;
}

/// Fails unless a process that is stopped during its clean-up ends soon, and leaves some of these rows.
async fn leaves_a_rest(builder: &Builder, rows: &str) {
    let left = async || builder.database().count(&format!("SELECT count(*) FROM {rows}")).await;
    let mut process = Process::start(builder.variables()).await;
    eventually("the clean-up has begun", async || (left().await < OLD).then_some(())).await;
    let asked = Instant::now();
    process.signal("TERM");
    assert!(process.wait().await.success(), "{}", process.stderr());
    let took = asked.elapsed();
    assert!(left().await > 0, "{rows}: it removed all before it ended");
    assert!(took < Duration::from_secs(5), "{rows}: {took:?}");
    assert!(!process.stderr().contains("took too long"), "{}", process.stderr());
}

/// The turn of one interval notes the changes that the turns after the next one remove.
async fn shutdown_leaves_the_rest_of_the_session_changes(engine: Engine) {
    on_one_thread(async move || {
        let mut app = engine.app().await;
        let (columns, values) = match engine {
            Engine::Sqlite => ("(user_id)", "randomblob(16)"),
            Engine::Postgres => ("(xid, user_id)", "txid_current(), gen_random_uuid()"),
        };
        let numbers = format!("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {OLD})");
        app.database()
            .execute(&format!("INSERT INTO session_changes {columns} {numbers} SELECT {values} FROM n"))
            .await;
        // Else its start, which waits for the database, would run out of time with the clock.
        app.anonymous().get("/auth/ready").await.expect(200);
        let left = async |app: &TestApp| app.database().count("SELECT count(*) FROM session_changes").await;
        while left(&app).await >= OLD {
            advance_tokio_clock(CHANGE_RETENTION).await;
        }
        app.stop().await;
        assert!(left(&app).await > 0, "it removed all before it ended");
    })
    .await;
}
