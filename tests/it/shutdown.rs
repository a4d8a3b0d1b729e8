//! What the end of a process does not wait for.

use crate::harness::{Builder, Engine, Process, eventually};
use std::time::Duration;
use tokio::time::Instant;

both_engines![shutdown_leaves_the_rest_of_a_clean_up];

const OLD: i64 = 50_000;

/// Inserts entries of the audit log that are older than any is kept.
async fn insert_old_entries(builder: &Builder, engine: Engine) {
    let numbers = format!("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {OLD})");
    let (id, at) = match engine {
        Engine::Sqlite => ("randomblob(16)", "1500000000000000 + i"),
        Engine::Postgres => ("gen_random_uuid()", "to_timestamp(1500000000) + i * interval '1 microsecond'"),
    };
    let columns = "id, at, kind, actor, address, user_agent, detail, times";
    let values = format!("SELECT {id}, {at}, 'signed_in', 'user', '', '', '', 1 FROM n");
    builder.database().execute(&format!("INSERT INTO audit ({columns}) {numbers} {values}")).await;
}

async fn shutdown_leaves_the_rest_of_a_clean_up(engine: Engine) {
    let builder = engine.prepare().await;
    insert_old_entries(&builder, engine).await;
    let left = async || builder.database().count("SELECT count(*) FROM audit WHERE kind = 'signed_in'").await;
    let mut process = Process::start(builder.variables()).await;
    eventually("the clean-up has begun", async || (left().await < OLD).then_some(())).await;
    let asked = Instant::now();
    process.signal("TERM");
    assert!(process.wait().await.success(), "{}", process.stderr());
    let took = asked.elapsed();
    assert!(left().await > 0, "it removed all before it ended");
    assert!(took < Duration::from_secs(5), "{took:?}");
    assert!(!process.stderr().contains("took too long"), "{}", process.stderr());
}
