//! An outbox with many rows, created by a single statement in the database.

use crate::instance::{Engine, Instance};
use crate::outcome::Outcome;
use rusqlite::Connection as Sqlite;
use sqlx::{AssertSqlSafe, Connection, PgConnection};

/// The number of rows of an outbox.
#[derive(Clone, Copy)]
pub struct Stock {
    /// Rows delivered two days ago, each with its attempt.
    pub finished: u64,
    /// Due rows.
    pub pending: u64,
}

impl Stock {
    /// Inserts the rows into the empty outbox of an instance whose service is not running.
    pub async fn put_into(self, instance: &Instance) -> Outcome<()> {
        match instance.engine {
            Engine::Sqlite => {
                let file = instance.directory.join("doorward.db");
                let script = self.script(SQLITE);
                tokio::task::spawn_blocking(move || Sqlite::open(file)?.execute_batch(&script)).await??;
            }
            Engine::Postgres => {
                let url = instance.url().ok_or("no database")?;
                let mut connection = PgConnection::connect(url).await?;
                sqlx::raw_sql(AssertSqlSafe(self.script(POSTGRES))).execute(&mut connection).await?;
                // Otherwise autovacuum would run in the middle of a measurement.
                sqlx::raw_sql("VACUUM ANALYZE").execute(&mut connection).await?;
                connection.close().await?;
            }
        }
        Ok(())
    }

    fn script(self, dialect: Dialect) -> String {
        let Dialect { now, second, payload, empty, no, id, numbers } = dialect;
        let Self { finished, pending } = self;
        let long_ago = format!("{now} - 172800 * {second}");
        let columns = "(id, channel, kind, payload, state, attempts, lease, started, interrupted, due_at, created_at, \
                       finished_at)";
        let deliveries = |first, count, values: &str| {
            let rows = numbers(first, count);
            format!(
                "INSERT INTO outbox {columns} SELECT {id}, 'webhook', 'user.created', {payload}, {values} FROM {rows};"
            )
        };
        [
            deliveries(1, finished, &format!("'delivered', 1, 1, {no}, {no}, {long_ago}, {long_ago}, {long_ago}")),
            format!(
                "INSERT INTO outbox_attempts \
                 (delivery_id, lease, attempt, started_at, duration_us, outcome, status, response) \
                 SELECT {id}, 1, 1, {long_ago}, 1500, 'delivered', 204, {} FROM {};",
                empty,
                numbers(1, finished)
            ),
            deliveries(finished + 1, pending, &format!("'pending', 0, 0, {no}, {no}, {now}, {now}, NULL")),
        ]
        .concat()
    }
}

#[derive(Clone, Copy)]
struct Dialect {
    now: &'static str,
    /// A second, to be multiplied and subtracted from `now`.
    second: &'static str,
    payload: &'static str,
    empty: &'static str,
    no: &'static str,
    /// An id that increases with `n`.
    id: &'static str,
    /// Rows `n`, from the first number, with this count.
    numbers: fn(u64, u64) -> String,
}

const SQLITE: Dialect = Dialect {
    now: "CAST(unixepoch('subsec') * 1000000 AS INTEGER)",
    second: "1000000",
    payload: "zeroblob(200)",
    empty: "x''",
    no: "0",
    id: "unhex(printf('%032x', n))",
    numbers: |first, count| {
        let last = first + count - 1;
        format!(
            "(WITH RECURSIVE c (n) AS (SELECT {first} UNION ALL SELECT n + 1 FROM c WHERE n < {last}) SELECT n FROM c)"
        )
    },
};

const POSTGRES: Dialect = Dialect {
    now: "now()",
    second: "interval '1 second'",
    payload: "convert_to(repeat('x', 200), 'UTF8')",
    empty: "''::bytea",
    no: "FALSE",
    id: "lpad(to_hex(n), 32, '0')::uuid",
    numbers: |first, count| format!("generate_series({first}::bigint, {}::bigint) AS c (n)", first + count - 1),
};
