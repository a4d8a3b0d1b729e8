//! What PostgreSQL itself does of refreshes: the service's two statements, prepared, sent by its own benchmark client.

use crate::outcome::{Outcome, progress};
use crate::postgres::Cluster;
use sqlx::{Connection, PgConnection};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The session of a client: its number in an id.
macro_rules! own_session {
    () => {
        "('00000000-0000-7000-8000-' || lpad(:client_id::text, 12, '0'))::uuid"
    };
}

/// The statements of `store/sessions.rs`, with the values that a refresh has.
const SCRIPT: &str = concat!(
    "SELECT s.id, s.user_id, s.organization_id, m.role AS organization_role, u.roles, u.disabled_at, s.nonce, \
     s.generation, s.issued_at, s.used, s.parent_generation, s.parent_issued_at, s.replaced_at, s.version, \
     s.last_used_at, s.expires_at, s.ended_at FROM sessions s JOIN users u ON u.id = s.user_id \
     JOIN memberships m ON m.organization_id = s.organization_id AND m.user_id = s.user_id WHERE s.id = ",
    own_session!(),
    " \\gset\n",
    "UPDATE sessions SET generation = :generation::bigint + 1, issued_at = now(), used = false, \
     parent_generation = :generation::bigint, parent_issued_at = now(), replaced_at = now(), last_used_at = now(), \
     version = version + 1 WHERE id = ",
    own_session!(),
    " AND version = :version::bigint AND ended_at IS NULL;\n",
);

/// As many sessions as there may be clients, like those that are there.
const SESSIONS: &str = "INSERT INTO sessions (id, user_id, organization_id, nonce, generation, issued_at, used, version, \
     user_agent, address, created_at, last_used_at, expires_at) \
     SELECT ('00000000-0000-7000-8000-' || lpad((row_number() OVER () - 1)::text, 12, '0'))::uuid, user_id, \
     organization_id, nonce, 1, issued_at, FALSE, 1, user_agent, address, created_at, last_used_at, expires_at \
     FROM (SELECT * FROM sessions ORDER BY id LIMIT 1000) s ON CONFLICT DO NOTHING";

/// The client, ready to run.
pub struct PgBench {
    program: PathBuf,
    script: PathBuf,
    url: String,
}

impl PgBench {
    /// Prepares a filled database; `None` where the program is not installed.
    pub async fn prepare(cluster: &Cluster, database: &str, script: &Path) -> Outcome<Option<Self>> {
        let Some(program) = cluster.program("pgbench") else {
            progress("pgbench is left out: it is not installed (Debian: apt-get install postgresql-contrib)");
            return Ok(None);
        };
        let url = cluster.url(database);
        sqlx::raw_sql(SESSIONS).execute(&mut PgConnection::connect(&url).await?).await?;
        std::fs::write(script, SCRIPT)?;
        Ok(Some(Self { program, script: script.to_owned(), url }))
    }

    /// Refreshes per second of so many clients.
    pub async fn run(&self, clients: usize, duration: Duration) -> Outcome<f64> {
        let mut command = Command::new(&self.program);
        command.args(["--no-vacuum", "--protocol=prepared", "--jobs=2"]).arg("--file").arg(&self.script);
        command.arg(format!("--client={clients}")).arg(format!("--time={}", duration.as_secs().max(1))).arg(&self.url);
        let output = tokio::task::spawn_blocking(move || command.stdin(Stdio::null()).output()).await??;
        let text = String::from_utf8_lossy(&output.stdout);
        let found = text.lines().find_map(|line| line.strip_prefix("tps = ")?.split(' ').next()?.parse().ok());
        found.ok_or_else(|| format!("pgbench: {}", String::from_utf8_lossy(&output.stderr)).into())
    }
}
