//! Why a change that an operator or a backend asked for was refused.

use super::field_errors::FieldErrors;
use crate::error::Error;
use crate::messages::Message;
use crate::model::principal::{AccountTarget, Denied};
use crate::model::time::whole_seconds;
use crate::settings::duration;
use crate::store::{MAX_IDENTITIES, StoreError, Tx, UserRow};
use std::time::Duration;

/// Why what an operator or a backend asked for was not done.
#[derive(Debug, thiserror::Error)]
pub enum OperatorError {
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
    /// Administrators neither disable nor demote themselves.
    #[error("the account is the administrator's own")]
    OwnAccount,
    #[error("\"{0}\" is the last active administrator; make someone else an administrator first")]
    LastAdmin(String),
    /// Arguments are not valid, with the messages for their fields.
    #[error("{}", english(.0))]
    Fields(FieldErrors),
    /// An account at a provider cannot be connected; with its place among those that were given.
    #[error("identity {0}: {1}")]
    Identity(usize, IdentityRefusal),
    #[error("{}", next_email_in(*.0))]
    TooSoon(Duration),
    /// Only who may change platform roles may change an account that has one.
    #[error("\"{0}\" has platform roles, and the API key may not change such an account")]
    Protected(String),
    #[error(transparent)]
    Failed(#[from] Error),
}

/// Why an account at a provider that was named cannot be connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdentityRefusal {
    /// No provider has this issuer.
    #[error("no provider has this issuer")]
    Issuer,
    /// The provider calls nobody so.
    #[error("a subject of this provider has another form")]
    Subject,
    #[error("an account has this identity")]
    Taken,
    #[error("an account has {MAX_IDENTITIES} identities at most")]
    TooMany,
}

/// The last email to an address was written less than a minute ago, or there were too many.
pub fn next_email_in(wait: Duration) -> String {
    let wait = Duration::from_secs(whole_seconds(wait));
    format!("the next email to this address can be written in {}", duration::format(wait))
}

fn english(errors: &FieldErrors) -> String {
    errors.messages().map(Message::english).collect::<Vec<_>>().join(" ")
}

impl From<StoreError> for OperatorError {
    fn from(error: StoreError) -> Self {
        OperatorError::Failed(error.into())
    }
}

/// Requires that the permit of the transaction covers an account that it has locked.
pub fn require_changeable(tx: &mut Tx, account: &UserRow) -> Result<(), OperatorError> {
    require_target(tx, account, AccountTarget::new(account.id, account.roles))
}

/// As [`require_changeable`], of a change that may leave the service without an administrator.
pub fn require_target(tx: &mut Tx, account: &UserRow, target: AccountTarget) -> Result<(), OperatorError> {
    tx.require_account(target).map_err(|error| match error {
        StoreError::Denied(Denied::Protected) => OperatorError::Protected(account.email.clone()),
        StoreError::Denied(Denied::OwnAccount) => OperatorError::OwnAccount,
        StoreError::Denied(Denied::LastAdministrator) => OperatorError::LastAdmin(account.email.clone()),
        error => error.into(),
    })
}
