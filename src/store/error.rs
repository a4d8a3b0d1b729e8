//! What can go wrong in the database, in the service's own terms.

/// What a fallible store function returns.
pub type Result<T> = std::result::Result<T, StoreError>;

/// A rule of the schema that a statement broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constraint {
    /// Two accounts with one email address.
    UserEmail,
    /// Two accounts with one username.
    UserUsername,
    /// Any other; a bug.
    Other,
}

/// Why a store function failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A rule of the schema was broken; nothing was written.
    #[error("a constraint of the database was violated: {0:?}")]
    Constraint(Constraint),
    /// The commit that this transaction shared with others failed; nothing of it was written.
    #[error("the transaction was not committed: {0}")]
    NotCommitted(String),
    /// The transaction cannot continue after an earlier error in it.
    #[error("the transaction had already failed")]
    Poisoned,
    /// The database is of a state that this binary cannot work with.
    #[error("{0}")]
    Schema(String),
    /// The operating system returned no random bytes.
    #[error(transparent)]
    Random(#[from] crate::random::RandomError),
    /// A payload could not be written as JSON.
    #[error("an event could not be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The database could not be reached, or failed.
    #[error("database: {}", reason(.0))]
    Database(sqlx::Error),
    /// The inline reader of SQLite failed.
    #[error("database: {0}")]
    SqliteRead(#[from] rusqlite::Error),
}

/// The words of the database itself: sqlx adds lines of the server's source.
fn reason(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Database(error) => error.message().to_owned(),
        other => other.to_string(),
    }
}

/// What PostgreSQL, or a pooler before it, says when it cannot serve (its Appendix A), by the first characters of the
/// code: connection failure, wrong password or refused user, read-only, out of disk, memory or connections, shutdown.
const AWAY: [&str; 5] = ["08", "28", "25006", "53", "57P0"];
/// What it says when others hold what a statement needs: lock timeout, statement timeout, serialization failure, deadlock.
const HELD: [&str; 4] = ["55P03", "57014", "40001", "40P01"];
/// The primary result codes of SQLite for a lock that others hold, and for a full disk.
const SQLITE_AWAY: [u32; 2] = [5, 13];

impl StoreError {
    /// Whether trying again later makes sense: the database is away, or others hold what the statement needs.
    pub fn is_unavailable(&self) -> bool {
        self.is_away() || matches!(self, StoreError::NotCommitted(_)) || self.code_is(|code| HELD.contains(&code))
    }

    /// Whether the database cannot be reached, or cannot serve.
    pub fn is_away(&self) -> bool {
        match self {
            StoreError::Database(sqlx::Error::Database(_)) => self.code_is(is_away),
            StoreError::Database(error) => matches!(
                error,
                sqlx::Error::Io(_)
                    | sqlx::Error::Tls(_)
                    // A server that hangs up during the handshake of a connection, or a proxy that has none.
                    | sqlx::Error::Protocol(_)
                    | sqlx::Error::PoolTimedOut
                    | sqlx::Error::PoolClosed
                    | sqlx::Error::WorkerCrashed
            ),
            StoreError::SqliteRead(error) => {
                error.sqlite_error().is_some_and(|error| is_sqlite_away(error.extended_code.cast_unsigned()))
            }
            _ => false,
        }
    }

    fn code_is(&self, matches: impl Fn(&str) -> bool) -> bool {
        match self {
            StoreError::Database(sqlx::Error::Database(error)) => error.code().is_some_and(|code| matches(&code)),
            _ => false,
        }
    }
}

fn is_away(code: &str) -> bool {
    match code.parse() {
        // PostgreSQL's codes have five characters.
        Ok(number) if code.len() < 5 => is_sqlite_away(number),
        _ => AWAY.iter().any(|away| code.starts_with(away)),
    }
}

fn is_sqlite_away(code: u32) -> bool {
    SQLITE_AWAY.contains(&(code & 0xff))
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            sqlx::Error::Database(database)
                if database.is_unique_violation() || database.is_foreign_key_violation() =>
            {
                StoreError::Constraint(constraint(database.constraint(), database.message()))
            }
            _ => StoreError::Database(error),
        }
    }
}

/// PostgreSQL names the constraint; SQLite names only table and column, in its message.
fn constraint(name: Option<&str>, message: &str) -> Constraint {
    let is = |postgres: &str, sqlite: &str| name == Some(postgres) || message.ends_with(sqlite);
    if is("users_email_key", ": users.email_key") {
        Constraint::UserEmail
    } else if is("users_username_key", ": users.username_key") {
        Constraint::UserUsername
    } else {
        Constraint::Other
    }
}
