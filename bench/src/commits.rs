//! The other limit: bare durable commits of one row each.

use crate::outcome::Outcome;
use crate::stats::count;
use rusqlite::Connection as Sqlite;
use sqlx::{Connection, PgConnection};
use std::path::Path;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::Instant;

/// Commits per second of one connection in a loop, synced as the service's are.
pub async fn sqlite(file: &Path, duration: Duration) -> Outcome<f64> {
    let file = file.to_owned();
    tokio::task::spawn_blocking(move || {
        let connection = Sqlite::open(file)?;
        connection.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
             CREATE TABLE IF NOT EXISTS commits (id INTEGER PRIMARY KEY, n INTEGER NOT NULL); \
             INSERT OR IGNORE INTO commits VALUES (1, 0);",
        )?;
        let mut update = connection.prepare("UPDATE commits SET n = n + 1 WHERE id = 1")?;
        let end = Instant::now() + duration;
        let mut commits = 0;
        while Instant::now() < end {
            update.execute([])?;
            commits += 1;
        }
        Ok(count(commits) / duration.as_secs_f64())
    })
    .await?
}

/// Commits per second of many clients, each with its own row.
pub async fn postgres(url: &str, clients: usize, duration: Duration) -> Outcome<f64> {
    let mut setup = PgConnection::connect(url).await?;
    sqlx::raw_sql("CREATE TABLE IF NOT EXISTS commits (id BIGINT PRIMARY KEY, n BIGINT NOT NULL)")
        .execute(&mut setup)
        .await?;
    let mut connections = Vec::new();
    for id in (0_i64..).take(clients) {
        sqlx::query("INSERT INTO commits VALUES ($1, 0) ON CONFLICT DO NOTHING").bind(id).execute(&mut setup).await?;
        connections.push((id, PgConnection::connect(url).await?));
    }
    let mut tasks = JoinSet::new();
    let end = Instant::now() + duration;
    for (id, mut connection) in connections {
        tasks.spawn(async move {
            let mut commits = 0;
            while Instant::now() < end {
                sqlx::query("UPDATE commits SET n = n + 1 WHERE id = $1").bind(id).execute(&mut connection).await?;
                commits += 1;
            }
            Ok::<usize, sqlx::Error>(commits)
        });
    }
    let mut commits = 0;
    while let Some(done) = tasks.join_next().await {
        commits += done??;
    }
    Ok(count(commits) / duration.as_secs_f64())
}
