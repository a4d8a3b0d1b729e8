//! What can go wrong in the database, in the service's own terms.

use crate::model::principal::{Denied, Operation};
use std::io::ErrorKind;

pub type Result<T> = std::result::Result<T, StoreError>;

/// A rule of the schema that a statement broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constraint {
    UserEmail,
    UserUsername,
    /// Any other; a bug.
    Other,
}

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A rule of the schema was broken; nothing was written.
    #[error("a constraint of the database was violated: {0:?}")]
    Constraint(Constraint),
    /// The commit that this transaction shared with others failed; nothing of it was written.
    #[error("the transaction was not committed: {0}")]
    CommitFailed(String),
    /// The transaction could not begin, or not be committed; nothing of it was written.
    #[error("the transaction was not committed: {0}")]
    NotCommitted(String),
    /// The transaction cannot continue after an earlier error in it.
    #[error("the transaction had already failed")]
    Poisoned,
    /// The database is of a state that this binary cannot work with.
    #[error("{0}")]
    Schema(String),
    /// The schema lacks this many steps, and may not be changed.
    #[error("the schema lacks {0} of this version's steps")]
    OldSchema(usize),
    /// The principal may not do it; nothing was written.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// The transaction was to be committed before its permit was compared with what it changes; a bug. Nothing was written, but by
    /// a transaction of one statement on PostgreSQL.
    #[error("a change was not checked against its permit: {0:?}")]
    Unchecked(Operation),
    #[error(transparent)]
    Random(#[from] crate::random::RandomError),
    /// A payload could not be written as JSON.
    #[error("an event could not be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The database cannot be used now: why, in plain words.
    #[error("database: {0}")]
    Away(String),
    /// The database could not be reached, or failed.
    #[error("database: {}", reason(.0))]
    Database(sqlx::Error),
    #[error("database: {0}")]
    SqliteRead(#[from] rusqlite::Error),
}

/// The words of the database itself: sqlx adds lines of the server's source.
fn reason(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Database(error) => error.message().to_owned(),
        sqlx::Error::Io(error) => error.to_string(),
        sqlx::Error::PoolTimedOut => "no connection became free in time".to_owned(),
        other => other.to_string(),
    }
}

/// What PostgreSQL, or a pooler before it, says when a connection is of no use any more (its Appendix A), by the first
/// characters of the code: connection failure, wrong password or refused user, no such database, read-only, shutdown.
const LOST: [&str; 5] = ["08", "28", "3D", "25006", "57P0"];
/// What it says when it has no disk, memory or connections left.
const FULL: &str = "53";
/// What it says when it has no connection left.
const TOO_MANY: &str = "53300";
/// What it says while it starts, and ends.
const STARTING: &str = "57P03";
/// What it says when others hold what a statement needs: lock timeout, statement timeout, serialization failure, deadlock.
const HELD: [&str; 4] = ["55P03", "57014", "40001", "40P01"];
/// The primary result codes of SQLite for a lock that others hold, and for a full disk.
const SQLITE_UNAVAILABLE: [u32; 2] = [5, 13];

impl StoreError {
    /// Whether trying again later makes sense: the database is unavailable, or others hold what the statement needs.
    pub fn is_unavailable(&self) -> bool {
        match self {
            StoreError::CommitFailed(_) | StoreError::NotCommitted(_) => true,
            StoreError::SqliteRead(error) => error
                .sqlite_error()
                .is_some_and(|error| SQLITE_UNAVAILABLE.contains(&(error.extended_code.cast_unsigned() & 0xff))),
            _ => self.is_away() || self.is_held() || self.code_is(is_sqlite_unavailable),
        }
    }

    /// Whether the database's own line in the log says it, once: that it is away, or commits nothing.
    pub fn is_told(&self) -> bool {
        self.is_away() || matches!(self, StoreError::CommitFailed(_))
    }

    /// Whether PostgreSQL cannot be reached, or cannot serve.
    pub fn is_away(&self) -> bool {
        self.is_lost()
            || matches!(self, StoreError::Database(sqlx::Error::PoolTimedOut))
            || self.code_is(|code| code.starts_with(FULL))
    }

    /// Whether the connection is of no use any more.
    pub(super) fn is_lost(&self) -> bool {
        match self {
            StoreError::Away(_) => true,
            StoreError::Database(sqlx::Error::Database(_)) => {
                self.code_is(|code| LOST.iter().any(|lost| code.len() == 5 && code.starts_with(lost)))
            }
            StoreError::Database(error) => matches!(
                error,
                sqlx::Error::Io(_)
                    | sqlx::Error::Tls(_)
                    // A server that hangs up during the handshake of a connection, or a proxy that has none.
                    | sqlx::Error::Protocol(_)
                    | sqlx::Error::PoolClosed
                    | sqlx::Error::WorkerCrashed
            ),
            _ => false,
        }
    }

    /// Whether the server did not answer in time.
    pub(super) fn is_unanswered(&self) -> bool {
        matches!(self, StoreError::Database(sqlx::Error::Io(error)) if error.kind() == ErrorKind::TimedOut)
    }

    /// Whether others hold what the statement needs.
    pub(super) fn is_held(&self) -> bool {
        self.code_is(|code| HELD.contains(&code))
    }

    /// Whether there are too many connections for another one; those that are open go on being answered.
    pub(super) fn is_without_connection(&self) -> bool {
        matches!(self, StoreError::Database(sqlx::Error::PoolTimedOut)) || self.code_is(|code| code == TOO_MANY)
    }

    /// Whether a server that starts, or has too many connections for the moment, may take one soon, or its name have an
    /// address: on a machine that starts, the resolver may come later.
    pub(super) fn is_short(&self) -> bool {
        match self {
            StoreError::Database(sqlx::Error::Io(error)) => {
                error.kind() == ErrorKind::ConnectionRefused || is_without_address(error)
            }
            _ => self.code_is(|code| [TOO_MANY, STARTING].contains(&code)),
        }
    }

    /// The cause, without saying that it is the database.
    pub(super) fn cause(&self) -> String {
        match self {
            StoreError::Database(error) => reason(error),
            StoreError::Away(cause) => cause.clone(),
            other => other.to_string(),
        }
    }

    /// Logs that something could not be done; what the database's own line says is not said again.
    pub fn log(&self, what: &str) {
        if self.is_told() {
            tracing::debug!(target: "doorward::store::error", "{what}: {self}");
        } else {
            tracing::warn!(target: "doorward::store::error", "{what}: {self}");
        }
    }

    pub(super) fn code_is(&self, matches: impl Fn(&str) -> bool) -> bool {
        match self {
            StoreError::Database(sqlx::Error::Database(error)) => error.code().is_some_and(|code| matches(&code)),
            _ => false,
        }
    }
}

/// The standard library has no kind for this.
fn is_without_address(error: &std::io::Error) -> bool {
    error.raw_os_error().is_none() && error.to_string().starts_with("failed to lookup address information")
}

/// PostgreSQL's codes have five characters, SQLite's are shorter numbers.
fn is_sqlite_unavailable(code: &str) -> bool {
    code.len() < 5 && code.parse::<u32>().is_ok_and(|code| SQLITE_UNAVAILABLE.contains(&(code & 0xff)))
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
