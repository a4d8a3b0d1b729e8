//! Inserts a new account into the database, and derives a free username where none was chosen.

use crate::context::App;
use crate::domain::identity::field_errors::{EMAIL_TAKEN, FieldErrors, USERNAME_TAKEN};
use crate::domain::identity::identifiers::{EmailAddress, Username};
use crate::domain::mailed_token::token_check::VerifyError;
use crate::domain::organization::first_organization;
use crate::domain::organization::respond::InvitationResponseError;
use crate::domain::ownership::identities::ConnectIdentityError;
use crate::error::Error;
use crate::messages::Locale;
use crate::metrics::SignupResult;
use crate::model::change::AccountChange;
use crate::model::ids::{OrganizationId, UserId};
use crate::model::organization::MemberRole;
use crate::model::principal::Operation;
use crate::model::roles::Roles;
use crate::random;
use crate::refusal::{ChangeError, Refusal};
use crate::store::{Constraint, StoreError, Tx, UserRow};
use std::time::Duration;

/// Taken usernames are numbered in sequence up to this number; after that a random number is used.
const MAX_SEQUENTIAL_SUFFIX: u32 = 5;
/// Each attempt fails only on a taken username, so that many failures do not happen by chance.
const MAX_ATTEMPTS: u32 = 20;

/// A validated new account, with its password hashed, if it has one.
pub(in crate::domain) struct Account {
    pub(in crate::domain) email: EmailAddress,
    pub(in crate::domain) username: Username,
    /// What happens if the username is taken.
    pub(in crate::domain) if_taken: IfTaken,
    /// `None`: no password, until a mailed link sets one.
    pub(in crate::domain) password_hash: Option<String>,
    pub(in crate::domain) roles: Roles,
    /// The language of the mails to it, if it is known.
    pub(in crate::domain) language: Option<Locale>,
}

/// What happens to a signup whose username is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::domain) enum IfTaken {
    /// It is refused, as the person chose the name.
    Refuse,
    /// The name gets a number: it was not chosen, or the answer must not tell who has an account.
    Number,
}

#[derive(Debug, thiserror::Error)]
pub enum SignupError {
    #[error("the input was not accepted")]
    Fields(FieldErrors),
    /// The invitation was answered, revoked or replaced, has expired, or never existed.
    #[error("the invitation is no longer valid")]
    InvitationVoid,
    /// Another account has got the account at the provider with which this signup began.
    #[error("another account has this account at the provider")]
    IdentityTaken,
    #[error("too many emails to this address")]
    TooSoon(Duration),
    #[error(transparent)]
    Failed(#[from] Error),
}

impl SignupError {
    pub(super) const fn result(&self) -> SignupResult {
        match self {
            SignupError::Fields(_) | SignupError::InvitationVoid | SignupError::IdentityTaken => SignupResult::Refused,
            SignupError::TooSoon(_) => SignupResult::Limited,
            SignupError::Failed(_) => SignupResult::Failed,
        }
    }
}

impl From<StoreError> for SignupError {
    fn from(error: StoreError) -> Self {
        SignupError::Failed(error.into())
    }
}

/// An inserted account, and the active organization of its first session.
pub(in crate::domain) struct Inserted {
    pub(in crate::domain) user: UserRow,
    pub(in crate::domain) organization: (OrganizationId, MemberRole),
}

pub(in crate::domain) enum InsertError {
    /// Retry with the next number.
    NumberTaken,
    SignUp(SignupError),
}

impl<E: Into<SignupError>> From<E> for InsertError {
    fn from(error: E) -> Self {
        InsertError::SignUp(error.into())
    }
}

impl From<InvitationResponseError> for SignupError {
    fn from(error: InvitationResponseError) -> Self {
        match error {
            InvitationResponseError::Unknown
            | InvitationResponseError::NotPending(..)
            | InvitationResponseError::WrongAccount => SignupError::InvitationVoid,
            InvitationResponseError::Failed(error) => SignupError::Failed(error),
        }
    }
}

impl From<ConnectIdentityError> for SignupError {
    fn from(error: ConnectIdentityError) -> Self {
        match error {
            ConnectIdentityError::Taken | ConnectIdentityError::TooMany | ConnectIdentityError::NoProvider => {
                SignupError::IdentityTaken
            }
            ConnectIdentityError::Failed(error) => SignupError::Failed(error),
        }
    }
}

impl From<SignupError> for ChangeError {
    fn from(error: SignupError) -> Self {
        match error {
            SignupError::Fields(errors) => Refusal::from(errors).into(),
            SignupError::Failed(error) => error.into(),
            other @ (SignupError::InvitationVoid | SignupError::IdentityTaken | SignupError::TooSoon(_)) => {
                ChangeError::Failed(Error::Inconsistent(other.to_string()))
            }
        }
    }
}

impl From<SignupError> for VerifyError {
    fn from(error: SignupError) -> Self {
        match error {
            SignupError::Failed(error) => VerifyError::Failed(error),
            SignupError::InvitationVoid => VerifyError::InvitationVoid,
            // The person can log in with it, and needs no other account.
            SignupError::IdentityTaken => VerifyError::Unknown,
            // The form was accepted before; only the address can have been taken since.
            SignupError::Fields(_) | SignupError::TooSoon(_) => VerifyError::AddressTaken,
        }
    }
}

/// Counts the attempts at an account whose username may get a number.
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

/// What an attempt inserted; `None` if the next number is to be tried, in another transaction.
pub(in crate::domain) fn unless_name_taken<T>(attempt: Result<T, InsertError>) -> Result<Option<T>, SignupError> {
    match attempt {
        Ok(inserted) => Ok(Some(inserted)),
        Err(InsertError::NumberTaken) => Ok(None),
        Err(InsertError::SignUp(error)) => Err(error),
    }
}

/// Inserts the account and its first organization, with their events. `verified` marks the address as verified.
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

/// Inserts only the account, with its event. A client who signs up goes on as its person; operators and backends, who
/// create it for someone else, stay who they are. `verified` marks the address as verified.
pub(super) async fn insert_user(
    app: &App,
    tx: &mut Tx,
    account: &Account,
    attempt: u32,
    verified: bool,
) -> Result<UserRow, InsertError> {
    let now = app.clock.now();
    let username = match username_suffix(attempt).map_err(Error::from)? {
        Some(number) => account.username.numbered(number),
        None => account.username.clone(),
    };
    let username = match account.if_taken {
        IfTaken::Number => username.unreserved(&app.settings.name),
        IfTaken::Refuse if username.is_withheld_from(&tx.principal(), &app.settings.name) => {
            return Err(username_taken().into());
        }
        IfTaken::Refuse => username,
    };
    let user = UserRow {
        id: UserId(random::uuid_v7(now).map_err(Error::from)?),
        email: account.email.as_str().to_owned(),
        username: username.as_str().to_owned(),
        password_hash: account.password_hash.clone(),
        roles: account.roles,
        email_verified_at: verified.then_some(now),
        disabled_at: None,
        created_at: now,
        language: account.language,
        name: None,
    };
    match tx.user_create(&user, &account.email.key(), &username.key()).await {
        Ok(()) => {}
        Err(StoreError::Constraint(Constraint::UserEmail)) => {
            let errors = FieldErrors { email: Some(EMAIL_TAKEN.clone()), ..FieldErrors::default() };
            return Err(SignupError::Fields(errors).into());
        }
        Err(StoreError::Constraint(Constraint::UserUsername)) => {
            return Err(match account.if_taken {
                IfTaken::Number => InsertError::NumberTaken,
                IfTaken::Refuse => username_taken().into(),
            });
        }
        Err(error) => return Err(error.into()),
    }
    if let Some(user) = tx.principal().as_new_account(user.id) {
        tx.continue_as(&user, Operation::SignUp)?;
    }
    tx.record_account(user.id, AccountChange::Created).await?;
    Ok(user)
}

fn username_taken() -> SignupError {
    SignupError::Fields(FieldErrors { username: Some(USERNAME_TAKEN.clone()), ..FieldErrors::default() })
}

/// The number after a username by attempt: none, 2, 3, …, then a random one.
fn username_suffix(attempt: u32) -> Result<Option<u32>, random::RandomError> {
    match attempt {
        0..=1 => Ok(None),
        2..=MAX_SEQUENTIAL_SUFFIX => Ok(Some(attempt)),
        _ => Ok(Some(10_000 + u32::from_le_bytes(random::bytes()?) % 90_000_000)),
    }
}
