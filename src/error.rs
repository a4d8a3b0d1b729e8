//! Why a use case failed through no fault of the user's.

use crate::crypto::hashing_pool::HashingError;
use crate::model::ids::SessionId;
use crate::random::RandomError;
use crate::store::StoreError;

/// Why a use case failed through no fault of the user's; nothing was half-written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The operating system gave no random bytes.
    #[error(transparent)]
    Random(#[from] RandomError),
    /// The line of callers who wait for a password hash is full.
    #[error("too many log-ins wait for their password to be checked")]
    Busy,
    /// A cryptographic operation failed.
    #[error("{0}")]
    Crypto(String),
    /// The session was changed again and again while a refresh was deciding.
    #[error("session {0} is changed by too many at once")]
    Contended(SessionId),
    /// The database holds something that cannot be.
    #[error("{0}")]
    Inconsistent(String),
}

impl Error {
    /// A cryptographic operation failed.
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
