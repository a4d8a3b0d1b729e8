//! The limit of refreshes on PostgreSQL: one prepared statement each, sent by PostgreSQL's own benchmark client.

use crate::outcome::{Outcome, progress};
use crate::postgres::Cluster;
use sqlx::{Connection, PgConnection};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The id of a client's session, which contains the client's number.
macro_rules! own_session {
    () => {
        "('00000000-0000-7000-8000-' || lpad(:client_id::text, 12, '0'))::uuid"
    };
}

/// The minimal statement for one refresh: it writes and verifies the same as the service's, which is for several
/// sessions (`store/session/group/mod.rs`). The values are those of a refresh; the variables live as long as a client.
const SCRIPT: &str = concat!(
    "\\set next :version + 1\n",
    "UPDATE sessions SET generation = :next, issued_at = :at, used = :used, parent_generation = :version, \
     parent_issued_at = :at, replaced_at = :at, last_used_at = :at, version = version + 1 WHERE id = ",
    own_session!(),
    " AND version = :version AND ended_at IS NULL AND generation = :version AND issued_at = :at \
     AND EXISTS (SELECT 1 FROM users u JOIN memberships m ON m.user_id = u.id \
     WHERE u.id = sessions.user_id AND u.disabled_at IS NULL AND u.roles = :roles \
     AND m.organization_id = sessions.organization_id AND m.role = :role);\n",
    "\\set version :next\n",
);

/// When the clients' tokens were issued.
const AT: &str = "2026-01-01T00:00:00Z";

/// Resets the clients' sessions to the state before their first refresh.
const BEGIN: &str = "UPDATE sessions SET generation = 1, version = 1, issued_at = $1::text::timestamptz \
     WHERE id BETWEEN '00000000-0000-7000-8000-000000000000' AND '00000000-0000-7000-8000-000000000999'";

const DONE: &str = "SELECT coalesce(sum(version - 1), 0)::bigint FROM sessions \
     WHERE id BETWEEN '00000000-0000-7000-8000-000000000000' AND '00000000-0000-7000-8000-000000000999'";

/// Reads the roles, which all seeded users share.
const USERS: &str = "SELECT u.roles, m.role FROM sessions s JOIN users u ON u.id = s.user_id \
     JOIN memberships m ON m.user_id = u.id AND m.organization_id = s.organization_id LIMIT 1";

/// Creates a session for each possible client, copied from the existing ones.
const SESSIONS: &str = "INSERT INTO sessions (id, user_id, organization_id, nonce, generation, issued_at, used, version, \
     user_agent, address, created_at, last_used_at, expires_at) \
     SELECT ('00000000-0000-7000-8000-' || lpad((row_number() OVER () - 1)::text, 12, '0'))::uuid, user_id, \
     organization_id, nonce, 1, issued_at, FALSE, 1, user_agent, address, created_at, last_used_at, expires_at \
     FROM (SELECT * FROM sessions ORDER BY id LIMIT 1000) s ON CONFLICT DO NOTHING";

pub struct PgBench {
    program: PathBuf,
    script: PathBuf,
    url: String,
}

impl PgBench {
    /// Prepares a filled database; `None` if `pgbench` is not installed.
    pub async fn prepare(cluster: &Cluster, database: &str, script: &Path) -> Outcome<Option<Self>> {
        let Some(program) = cluster.program("pgbench") else {
            progress("pgbench is left out: it is not installed (Debian: apt-get install postgresql-contrib)");
            return Ok(None);
        };
        let url = cluster.url(database);
        let mut connection = PgConnection::connect(&url).await?;
        sqlx::raw_sql(SESSIONS).execute(&mut connection).await?;
        let (roles, role): (String, String) = sqlx::query_as(USERS).fetch_one(&mut connection).await?;
        // A variable of pgbench cannot be empty, as the roles are.
        let literal = |text: &str| format!("'{}'", text.replace('\'', "''"));
        std::fs::write(script, SCRIPT.replace(":roles", &literal(&roles)).replace(":role)", &(literal(&role) + ")")))?;
        Ok(Some(Self { program, script: script.to_owned(), url }))
    }

    /// Refreshes per second with this number of clients.
    pub async fn run(&self, clients: usize, duration: Duration) -> Outcome<f64> {
        let mut connection = PgConnection::connect(&self.url).await?;
        sqlx::query(BEGIN).bind(AT).execute(&mut connection).await?;
        let mut command = Command::new(&self.program);
        command.args(["--no-vacuum", "--protocol=prepared", "--jobs=2", "--define=version=1", "--define=used=f"]);
        command.arg(format!("--define=at={AT}")).arg("--file").arg(&self.script);
        command.arg(format!("--client={clients}")).arg(format!("--time={}", duration.as_secs().max(1))).arg(&self.url);
        let output = tokio::task::spawn_blocking(move || command.stdin(Stdio::null()).output()).await??;
        let text = String::from_utf8_lossy(&output.stdout);
        let found = |label| text.lines().find_map(|line: &str| line.strip_prefix(label)?.split([' ', '/']).next());
        let (Some(tps), Some(sent)) = (found("tps = "), found("number of transactions actually processed: ")) else {
            return Err(format!("pgbench: {}", String::from_utf8_lossy(&output.stderr)).into());
        };
        let done: i64 = sqlx::query_scalar(DONE).fetch_one(&mut connection).await?;
        if done != sent.parse::<i64>()? {
            return Err(format!("pgbench sent {sent} refreshes, and {done} changed a session").into());
        }
        Ok(tps.parse::<f64>()?)
    }
}
