//! Errors of a login.

use crate::error::Error;
use crate::metrics::LoginResult;
use crate::model::authentication::Authentication;
use crate::model::ids::UserId;
use crate::store::StoreError;

/// A login that goes on by mail, with what it showed so far.
#[derive(Debug)]
pub struct StoppedLogin {
    pub user: UserId,
    pub shown: Authentication,
}

#[derive(Debug, thiserror::Error)]
pub enum LoginError {
    /// Unknown user or wrong password.
    #[error("unknown user or wrong password")]
    WrongCredentials,
    /// The password was right, but a mailed link or code is needed too: the address is not verified, or the
    /// authenticator app was lost with the secret key.
    #[error("the address is not verified")]
    Unverified(StoppedLogin),
    /// The password was right, but an operator disabled the user.
    #[error("the user is disabled")]
    Disabled,
    #[error(transparent)]
    Failed(#[from] Error),
}

impl LoginError {
    pub(super) const fn result(&self) -> LoginResult {
        match self {
            LoginError::WrongCredentials => LoginResult::Wrong,
            LoginError::Unverified(_) => LoginResult::Unverified,
            LoginError::Disabled => LoginResult::Disabled,
            LoginError::Failed(_) => LoginResult::Failed,
        }
    }
}

impl From<StoreError> for LoginError {
    fn from(error: StoreError) -> Self {
        LoginError::Failed(error.into())
    }
}
