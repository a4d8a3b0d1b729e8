//! Texts of statements in both SQL dialects, and reading rows of either engine.

/// A statement in both dialects; empty where the engine has no such statement.
#[derive(Clone, Copy)]
pub(super) struct Sql {
    pub(super) sqlite: &'static str,
    pub(super) postgres: &'static str,
}

impl From<&'static str> for Sql {
    fn from(text: &'static str) -> Self {
        Self { sqlite: text, postgres: text }
    }
}

/// The end of the range of texts that begin with a prefix: no character is greater.
pub(super) fn end_of_prefix(prefix: &str) -> String {
    format!("{prefix}{}", char::MAX)
}

/// A text compared by its bytes, as the engine's index on its beginnings has it.
macro_rules! by_bytes {
    (sqlite $text:literal) => {
        $text
    };
    (postgres $text:literal) => {
        concat!($text, " COLLATE \"C\"")
    };
}

/// Whether a text begins with a prefix: it is in the range from it, one parameter, to [`end_of_prefix`], another.
macro_rules! begins {
    ($engine:ident $text:literal, $from:literal, $to:literal) => {
        concat!(by_bytes!($engine $text), " >= ", $from, " AND ", by_bytes!($engine $text), " < ", $to)
    };
}

/// Joins pieces of SQL with the present moment between them, as `$1`: SQLite receives the time of the injected clock,
/// PostgreSQL the offset of the injected clock (zero in production), which it adds to its own `now()`. Times that
/// several processes compare therefore never depend on the clock of one of them.
macro_rules! now_sql {
    ($first:literal $(, $rest:literal)* $(,)?) => {
        $crate::store::sql::Sql {
            sqlite: concat!($first $(, "$1", $rest)*),
            postgres: concat!($first $(, "(now() + $1::bigint * interval '1 microsecond')", $rest)*),
        }
    };
}

/// A statement of pieces that stand in both dialects or in one: `sql` is for both; `at` is a moment in the form that
/// `now_sql!` uses, from any parameter or column; `postgres` is left out on SQLite, `sqlite` on PostgreSQL.
macro_rules! dialect_sql {
    ($($piece:ident($text:literal)),* $(,)?) => {
        $crate::store::sql::Sql {
            sqlite: concat!($(dialect_sql!(@sqlite $piece $text)),*),
            postgres: concat!($(dialect_sql!(@postgres $piece $text)),*),
        }
    };
    (@sqlite postgres $text:literal) => { "" };
    (@sqlite $piece:ident $text:literal) => { $text };
    (@postgres sqlite $text:literal) => { "" };
    (@postgres at $text:literal) => { concat!("(now() + ", $text, "::bigint * interval '1 microsecond')") };
    (@postgres $piece:ident $text:literal) => { $text };
}

/// Reads a struct from a row of either engine, field by field under the field's name.
macro_rules! row {
    ($name:ident { $($field:ident),* $(,)? } $(and $part:ident)?) => {
        row!(@impl $name, sqlx::sqlite::SqliteRow, ($($field),*), ($($part)?));
        row!(@impl $name, sqlx::postgres::PgRow, ($($field),*), ($($part)?));
    };
    (@impl $name:ident, $row:ty, ($($field:ident),*), ($($part:ident)?)) => {
        impl sqlx::FromRow<'_, $row> for $name {
            fn from_row(row: &$row) -> std::result::Result<Self, sqlx::Error> {
                use sqlx::Row as _;
                Ok(Self {
                    $($field: row.try_get(stringify!($field))?,)*
                    $($part: sqlx::FromRow::from_row(row)?)?
                })
            }
        }
    };
}
