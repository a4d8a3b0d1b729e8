//! Running a statement on either engine: one text and its arguments, compiled for both drivers.

/// Runs an expression, a future of `Result<T, sqlx::Error>`, on the connection of either engine, with the text in its
/// dialect. For statements that the macros below cannot say.
macro_rules! with_engine {
    ($conn:expr, $text:expr, |$c:ident, $sql:ident| $body:expr) => {{
        let text = $crate::store::sql::Sql::from($text);
        let conn: &mut $crate::store::Conn = $conn;
        let result = match conn.engine(text)? {
            $crate::store::conn::Engine::Sqlite($c) => {
                let $sql = text.sqlite;
                $body.await
            }
            $crate::store::conn::Engine::Postgres($c) => {
                let $sql = text.postgres;
                $crate::store::postgres::answered(async { $body.await }).await
            }
        };
        conn.settle(result)
    }};
}

/// Runs a text with its arguments. They are evaluated before the connection is taken, so that they may read it.
macro_rules! run {
    ($to:tt, $query:ident.$run:ident, [$($bound:ident)*] $argument:expr $(, $rest:expr)*) => {
        match $argument {
            argument => run!($to, $query.$run, [$($bound)* argument] $($rest),*),
        }
    };
    (($conn:expr, $text:expr), query.execute, [$($bound:ident)*]) => {
        with_engine!($conn, $text, |c, sql| async {
            sqlx::query(sql)$(.bind($bound))*.execute(c).await.map(|result| result.rows_affected())
        })
    };
    (($conn:expr, $text:expr), $query:ident.$run:ident, [$($bound:ident)*]) => {
        with_engine!($conn, $text, |c, sql| sqlx::$query(sql)$(.bind($bound))*.$run(c))
    };
}

/// Executes a text with its arguments, or the builder made of it; returns the number of rows that it changed.
macro_rules! execute {
    ($conn:expr, $text:expr, |$sql:ident| $builder:expr) => {
        with_engine!($conn, $text, |c, $sql| async {
            $builder.build().execute(c).await.map(|result| result.rows_affected())
        })
    };
    ($conn:expr, $text:expr $(, $argument:expr)* $(,)?) => {
        run!(($conn, $text), query.execute, [] $($argument),*)
    };
}

/// The row that a text with its arguments finds.
macro_rules! fetch_one {
    ($conn:expr, $text:expr $(, $argument:expr)* $(,)?) => {
        run!(($conn, $text), query_as.fetch_one, [] $($argument),*)
    };
}

/// The first row, if there is one.
macro_rules! fetch_optional {
    ($conn:expr, $text:expr $(, $argument:expr)* $(,)?) => {
        run!(($conn, $text), query_as.fetch_optional, [] $($argument),*)
    };
}

/// All rows.
macro_rules! fetch_all {
    ($conn:expr, $text:expr, |$sql:ident| $builder:expr) => {
        with_engine!($conn, $text, |c, $sql| async { $builder.build_query_as().fetch_all(c).await })
    };
    ($conn:expr, $text:expr $(, $argument:expr)* $(,)?) => {
        run!(($conn, $text), query_as.fetch_all, [] $($argument),*)
    };
}

/// As `fetch_one!`, for a text of one column.
macro_rules! fetch_scalar {
    ($conn:expr, $text:expr $(, $argument:expr)* $(,)?) => {
        run!(($conn, $text), query_scalar.fetch_one, [] $($argument),*)
    };
}

/// As `fetch_optional!`, for a text of one column.
macro_rules! fetch_optional_scalar {
    ($conn:expr, $text:expr $(, $argument:expr)* $(,)?) => {
        run!(($conn, $text), query_scalar.fetch_optional, [] $($argument),*)
    };
}

/// As `fetch_all!`, for a text of one column.
macro_rules! fetch_scalars {
    ($conn:expr, $text:expr, |$sql:ident| $builder:expr) => {
        with_engine!($conn, $text, |c, $sql| async { $builder.build_query_scalar().fetch_all(c).await })
    };
    ($conn:expr, $text:expr $(, $argument:expr)* $(,)?) => {
        run!(($conn, $text), query_scalar.fetch_all, [] $($argument),*)
    };
}
