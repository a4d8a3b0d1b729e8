//! Why a login did not happen.

use crate::error::Error;
use crate::model::ids::UserId;
use crate::store::StoreError;

/// Why a log-in did not happen.
#[derive(Debug, thiserror::Error)]
pub enum LogInError {
    /// No such user, or not the password.
    #[error("unknown user or wrong password")]
    WrongCredentials,
    /// The password was right, but the address must be proved first.
    #[error("the address is not proved")]
    Unproved(UserId),
    /// The password was right, but an operator disabled the user.
    #[error("the user is disabled")]
    Disabled,
    /// A fault of ours.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for LogInError {
    fn from(error: StoreError) -> Self {
        LogInError::Failed(error.into())
    }
}
