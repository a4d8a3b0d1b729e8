//! The error of use cases that is not the user's fault.

use crate::crypto::hashing_pool::HashingError;
use crate::model::ids::SessionId;
use crate::random::RandomError;
use crate::store::StoreError;

/// Why a use case failed through no fault of the user's. Its transaction was rolled back.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Random(#[from] RandomError),
    /// The queue for password hashes is full.
    #[error("too many logins wait for their password check")]
    Busy,
    #[error("{0}")]
    Crypto(String),
    /// A refresh lost too many races with other changes of its session.
    #[error("session {0} is changed by too many at once")]
    Contended(SessionId),
    /// A repeated request took over the claim of this one; nothing was changed.
    #[error("a repetition of this request took over")]
    TakenOver,
    /// An invariant is violated, for instance by the content of the database.
    #[error("{0}")]
    Inconsistent(String),
}

impl Error {
    /// A body could not be written as JSON.
    pub fn json(error: serde_json::Error) -> Self {
        Error::Store(error.into())
    }

    pub fn crypto(error: impl std::fmt::Display) -> Self {
        Error::Crypto(error.to_string())
    }
}

impl From<crate::crypto::access_token::SigningError> for Error {
    fn from(error: crate::crypto::access_token::SigningError) -> Self {
        Error::Crypto(error.to_string())
    }
}

impl From<HashingError> for Error {
    fn from(error: HashingError) -> Self {
        match error {
            HashingError::Busy => Error::Busy,
            other => Error::Crypto(other.to_string()),
        }
    }
}
