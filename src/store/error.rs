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

/// The codes with which PostgreSQL closes or refuses a connection (its Appendix A):
/// `admin_shutdown`, `crash_shutdown`, `cannot_connect_now`, `too_many_connections`.
const OUT_OF_REACH: [&str; 4] = ["57P01", "57P02", "57P03", "53300"];

impl StoreError {
    /// Whether the database was out of reach or overloaded, so that trying again later makes sense.
    pub fn is_unavailable(&self) -> bool {
        match self {
            StoreError::Database(sqlx::Error::Database(error)) => {
                error.code().is_some_and(|code| OUT_OF_REACH.contains(&&*code))
            }
            StoreError::Database(error) => matches!(
                error,
                sqlx::Error::Io(_)
                    // A server that hangs up during the handshake of a connection.
                    | sqlx::Error::Protocol(_)
                    | sqlx::Error::PoolTimedOut
                    | sqlx::Error::PoolClosed
                    | sqlx::Error::WorkerCrashed
            ),
            _ => false,
        }
    }
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
