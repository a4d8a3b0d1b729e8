//! Why a change that an operator or a backend asked for was refused.

use super::field_errors::FieldErrors;
use crate::error::Error;
use crate::messages::Message;
use crate::model::audit::Actor;
use crate::store::{StoreError, UserRow};
use std::time::Duration;

/// Why what an operator or a backend asked for was not done.
#[derive(Debug, thiserror::Error)]
pub enum OperatorError {
    /// There is no such user.
    #[error("there is no user \"{0}\"")]
    NoSuchUser(String),
    /// The identifier is one account's id and another's username, which is older than the rule that forbids such names.
    #[error(
        "\"{identifier}\" is the id of {id_of} and the username of {username_of}; name the account by its email address"
    )]
    Ambiguous {
        /// As typed.
        identifier: String,
        /// The email address of the account with this id.
        id_of: String,
        /// The email address of the account with this username.
        username_of: String,
    },
    /// The service keeps an administrator.
    #[error("\"{0}\" is the last administrator who is not disabled; make another account one first")]
    LastAdmin(String),
    /// Arguments are not valid, with the messages for their fields.
    #[error("{}", english(.0))]
    Fields(FieldErrors),
    /// Too many emails to this address.
    #[error("too many emails to this address")]
    TooSoon(Duration),
    /// Only who may change platform roles may change an account that has one.
    #[error("\"{0}\" has platform roles, and the API key may not change such an account")]
    Protected(String),
    /// An internal error, or the database failed.
    #[error(transparent)]
    Failed(#[from] Error),
}

fn english(errors: &FieldErrors) -> String {
    errors.messages().map(Message::english).collect::<Vec<_>>().join(" ")
}

impl From<StoreError> for OperatorError {
    fn from(error: StoreError) -> Self {
        OperatorError::Failed(error.into())
    }
}

/// Refuses an account with platform roles to a backend without the scope for them. Asked once the account is locked.
pub fn require_changeable(actor: &Actor, account: &UserRow) -> Result<(), OperatorError> {
    if actor.may_change(account.roles) { Ok(()) } else { Err(OperatorError::Protected(account.email.clone())) }
}
