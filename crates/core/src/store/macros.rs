//! Running a statement on either engine: the same expression, compiled for both drivers.

/// Runs one expression, a future of `Result<T, sqlx::Error>`, on the connection of either engine.
///
/// With a text from `now_sql!` or `dialect_sql!`, the expression also gets the text in the engine's dialect and the
/// value of its first parameter.
macro_rules! with_engine {
    ($conn:expr, |$c:ident| $body:expr) => {
        with_engine!(@run $conn, |$c| $body.await)
    };
    ($conn:expr, $text:expr, |$c:ident, $sql:ident, $now:ident| $body:expr) => {
        with_engine!(@run_now $conn, $text, |$c, $sql, $now| $body.await)
    };
    (@run $conn:expr, |$c:ident| $outcome:expr) => {{
        let conn: &mut $crate::store::Conn = $conn;
        let result = match conn.engine()? {
            $crate::store::conn::Engine::Sqlite($c) => $outcome,
            $crate::store::conn::Engine::Postgres($c) => $crate::store::postgres::answered(async { $outcome }).await,
        };
        conn.settle(result)
    }};
    (@run_now $conn:expr, $text:expr, |$c:ident, $sql:ident, $now:ident| $outcome:expr) => {{
        let conn: &mut $crate::store::Conn = $conn;
        let text: $crate::store::sql::NowSql = $text;
        let $now = conn.now_parameter();
        let result = match conn.engine()? {
            $crate::store::conn::Engine::Sqlite($c) => {
                let $sql = text.sqlite;
                $outcome
            }
            $crate::store::conn::Engine::Postgres($c) => {
                let $sql = text.postgres;
                $crate::store::postgres::answered(async { $outcome }).await
            }
        };
        conn.settle(result)
    }};
}

/// As `with_engine!`, for a query that is executed: returns the number of rows that it changed.
macro_rules! execute {
    ($conn:expr, |$c:ident| $query:expr) => {
        with_engine!(@run $conn, |$c| $query.execute($c).await.map(|result| result.rows_affected()))
    };
    ($conn:expr, $text:expr, |$sql:ident, $now:ident| $query:expr) => {
        with_engine!(@run_now $conn, $text, |c, $sql, $now| {
            $query.execute(c).await.map(|result| result.rows_affected())
        })
    };
}
