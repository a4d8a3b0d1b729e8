//! The whole of the abstraction over two databases: the same expression, compiled for either.

/// Runs one expression, a future of `Result<T, sqlx::Error>`, on either engine's connection.
///
/// With a text from `now_sql!`, the expression also gets the text in the engine's dialect and the value of its first
/// parameter.
macro_rules! on {
    ($conn:expr, |$c:ident| $body:expr) => {
        on!(@run $conn, |$c| $body.await)
    };
    ($conn:expr, $text:expr, |$c:ident, $sql:ident, $now:ident| $body:expr) => {
        on!(@run_now $conn, $text, |$c, $sql, $now| $body.await)
    };
    (@run $conn:expr, |$c:ident| $outcome:expr) => {{
        let conn: &mut $crate::store::Conn = $conn;
        let result = match conn.engine()? {
            $crate::store::conn::Engine::Sqlite($c) => $outcome,
            $crate::store::conn::Engine::Postgres($c) => $outcome,
        };
        conn.settle(result)
    }};
    (@run_now $conn:expr, $text:expr, |$c:ident, $sql:ident, $now:ident| $outcome:expr) => {{
        let conn: &mut $crate::store::Conn = $conn;
        let text: $crate::store::macros::NowSql = $text;
        let $now = conn.now_parameter();
        let result = match conn.engine()? {
            $crate::store::conn::Engine::Sqlite($c) => {
                let $sql = text.sqlite;
                $outcome
            }
            $crate::store::conn::Engine::Postgres($c) => {
                let $sql = text.postgres;
                $outcome
            }
        };
        conn.settle(result)
    }};
}

/// As `on!`, for a statement that is executed: gives the number of rows that it changed.
macro_rules! changed {
    ($conn:expr, |$c:ident| $query:expr) => {
        on!(@run $conn, |$c| $query.execute($c).await.map(|result| result.rows_affected()))
    };
    ($conn:expr, $text:expr, |$sql:ident, $now:ident| $query:expr) => {
        on!(@run_now $conn, $text, |c, $sql, $now| $query.execute(c).await.map(|result| result.rows_affected()))
    };
}

/// A statement in both dialects of "now".
#[derive(Clone, Copy)]
pub(super) struct NowSql {
    pub(super) sqlite: &'static str,
    pub(super) postgres: &'static str,
}

/// Joins pieces of SQL with the present moment between them, as `$1`: SQLite is given the injected clock's time,
/// PostgreSQL the injected clock's offset (zero in production), which it adds to its own `now()`, so that what
/// processes agree on by time never depends on the clock of one of them.
macro_rules! now_sql {
    ($first:literal $(, $rest:literal)* $(,)?) => {
        $crate::store::macros::NowSql {
            sqlite: concat!($first $(, "$1", $rest)*),
            postgres: concat!($first $(, "(now() + $1::bigint * interval '1 microsecond')", $rest)*),
        }
    };
}

/// Reads a struct from a row of either engine, field by field under the field's name.
macro_rules! row {
    ($name:ident { $($field:ident),* $(,)? }) => {
        row!(@impl $name, sqlx::sqlite::SqliteRow, $($field),*);
        row!(@impl $name, sqlx::postgres::PgRow, $($field),*);
    };
    (@impl $name:ident, $row:ty, $($field:ident),*) => {
        impl sqlx::FromRow<'_, $row> for $name {
            fn from_row(row: &$row) -> std::result::Result<Self, sqlx::Error> {
                use sqlx::Row as _;
                Ok(Self { $($field: row.try_get(stringify!($field))?),* })
            }
        }
    };
}

/// A statement of pieces that stand in both dialects or in one: `sql` is for both; `at` is a moment, given as
/// `now_sql!` has it, from any parameter or column; `postgres` is left out on SQLite.
macro_rules! dialect_sql {
    ($($piece:ident($text:literal)),* $(,)?) => {
        $crate::store::macros::NowSql {
            sqlite: concat!($(dialect_sql!(@sqlite $piece $text)),*),
            postgres: concat!($(dialect_sql!(@postgres $piece $text)),*),
        }
    };
    (@sqlite postgres $text:literal) => { "" };
    (@sqlite $piece:ident $text:literal) => { $text };
    (@postgres at $text:literal) => { concat!("(now() + ", $text, "::bigint * interval '1 microsecond')") };
    (@postgres $piece:ident $text:literal) => { $text };
}
