//! A new account in the database, under the first free username if it may have any.

use super::first_organization;
use crate::context::App;
use crate::domain::account::identity::{Email, Username};
use crate::domain::organization::respond::AnswerError;
use crate::error::Error;
use crate::messages::Message;
use crate::model::event::Event;
use crate::model::ids::{OrganizationId, UserId};
use crate::model::organization::MemberRole;
use crate::model::roles::Roles;
use crate::random;
use crate::store::{Constraint, StoreError, Tx, UserRow};
use std::time::Duration;

/// Derived names are numbered in order up to here; for names that more people share, a random number follows.
const NUMBERED_IN_ORDER: u32 = 5;
/// Every attempt ends with a name found taken, so this many do not happen by chance.
const MAX_ATTEMPTS: u32 = 20;

pub(super) static EMAIL_TAKEN: Message = Message::new("email-taken");
pub(super) static USERNAME_TAKEN: Message = Message::new("username-taken");

/// What is needed for a new account, checked, its password hashed.
pub(in crate::domain) struct Account {
    pub(in crate::domain) email: Email,
    /// `None`: derived from the address.
    pub(in crate::domain) username: Option<Username>,
    pub(in crate::domain) password_hash: String,
    pub(in crate::domain) roles: Roles,
}

/// What to say beside the fields of a form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldErrors {
    /// Beside the e-mail address.
    pub email: Option<Message>,
    /// Beside the username.
    pub username: Option<Message>,
    /// Beside the password.
    pub password: Option<Message>,
}

/// Why a sign-up did not happen.
#[derive(Debug, thiserror::Error)]
pub enum SignUpError {
    /// Something typed cannot be accepted.
    #[error("the input was not accepted")]
    Fields(FieldErrors),
    /// The invitation was answered, revoked or replaced, has expired, or never was.
    #[error("the invitation is no longer valid")]
    InvitationVoid,
    /// Too many mails to this address.
    #[error("too many mails to this address")]
    TooSoon(Duration),
    /// A fault of ours.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for SignUpError {
    fn from(error: StoreError) -> Self {
        SignUpError::Failed(error.into())
    }
}

/// An account that was written, and the organization that its first session begins in.
pub(in crate::domain) struct Inserted {
    pub(in crate::domain) user: UserRow,
    pub(in crate::domain) organization: (OrganizationId, MemberRole),
}

pub(in crate::domain) enum InsertError {
    /// Try again with the next number.
    DerivedNameTaken,
    SignUp(SignUpError),
}

impl<E: Into<SignUpError>> From<E> for InsertError {
    fn from(error: E) -> Self {
        InsertError::SignUp(error.into())
    }
}

impl From<AnswerError> for SignUpError {
    fn from(error: AnswerError) -> Self {
        match error {
            AnswerError::Unknown | AnswerError::Over(..) | AnswerError::WrongAccount => SignUpError::InvitationVoid,
            AnswerError::Failed(error) => SignUpError::Failed(error),
        }
    }
}

/// Counts the attempts at an account whose username may be derived.
#[derive(Default)]
pub(in crate::domain) struct UsernameAttempts(u32);

impl UsernameAttempts {
    /// The number of the next attempt, from 1.
    pub(in crate::domain) fn next(&mut self) -> Result<u32, Error> {
        self.0 += 1;
        if self.0 > MAX_ATTEMPTS {
            return Err(Error::Inconsistent("no free username was found".to_owned()));
        }
        Ok(self.0)
    }
}

/// What an attempt wrote, with its transaction; `None`, after a rollback, if the username that it derived was taken.
pub(in crate::domain) async fn written<T>(
    tx: Tx,
    attempt: Result<T, InsertError>,
) -> Result<Option<(Tx, T)>, SignUpError> {
    match attempt {
        Ok(written) => Ok(Some((tx, written))),
        Err(InsertError::DerivedNameTaken) => {
            tx.rollback().await?;
            Ok(None)
        }
        Err(InsertError::SignUp(error)) => Err(error),
    }
}

/// Writes the account with what direct sign-up creates, and their events; `verified`: the address is known to be the
/// person's.
pub(in crate::domain) async fn insert_direct(
    app: &App,
    tx: &mut Tx,
    account: &Account,
    attempt: u32,
    verified: bool,
) -> Result<Inserted, InsertError> {
    let user = insert_user(app, tx, account, attempt, verified).await?;
    let organization = first_organization::create(app, tx, user.id, &user.username).await?;
    Ok(Inserted { user, organization })
}

/// Writes the account alone, with its event; `verified`: the address is known to be the person's.
pub(super) async fn insert_user(
    app: &App,
    tx: &mut Tx,
    account: &Account,
    attempt: u32,
    verified: bool,
) -> Result<UserRow, InsertError> {
    let now = app.clock.now();
    let username = match &account.username {
        Some(username) => username.clone(),
        None => Username::derived(&account.email, number(attempt).map_err(Error::from)?),
    };
    let user = UserRow {
        id: UserId(random::uuid_v7(now).map_err(Error::from)?),
        email: account.email.as_str().to_owned(),
        username: username.as_str().to_owned(),
        password_hash: Some(account.password_hash.clone()),
        roles: account.roles,
        email_verified_at: verified.then_some(now),
        disabled_at: None,
        created_at: now,
    };
    match tx.user_create(&user, &account.email.key(), &username.key()).await {
        Ok(()) => {}
        Err(StoreError::Constraint(Constraint::UserEmail)) => {
            let errors = FieldErrors { email: Some(EMAIL_TAKEN.clone()), ..FieldErrors::default() };
            return Err(SignUpError::Fields(errors).into());
        }
        Err(StoreError::Constraint(Constraint::UserUsername)) if account.username.is_none() => {
            return Err(InsertError::DerivedNameTaken);
        }
        Err(StoreError::Constraint(Constraint::UserUsername)) => {
            let errors = FieldErrors { username: Some(USERNAME_TAKEN.clone()), ..FieldErrors::default() };
            return Err(SignUpError::Fields(errors).into());
        }
        Err(error) => return Err(error.into()),
    }
    tx.outbox_push(&Event::UserCreated { user_id: user.id }).await?;
    Ok(user)
}

/// The number behind a derived name at each attempt: none, 2, 3, …, then a random one.
fn number(attempt: u32) -> Result<u32, random::RandomError> {
    if attempt <= NUMBERED_IN_ORDER {
        return Ok(attempt);
    }
    Ok(10_000 + u32::from_le_bytes(random::bytes()?) % 90_000_000)
}
