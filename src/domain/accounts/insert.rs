//! A new account in the database, under the first free name if it may have any.

use super::first_organization;
use super::identity::Username;
use super::sign_up::{Account, EMAIL_TAKEN, FieldErrors, SignUpError, USERNAME_TAKEN};
use super::sign_up_invited::join;
use crate::app::App;
use crate::domain::Error;
use crate::domain::events::Event;
use crate::domain::ids::{OrganizationId, UserId};
use crate::domain::organizations::MemberRole;
use crate::random;
use crate::store::{Constraint, StoreError, Tx, UserRow};

/// Derived names are numbered in order up to here; for names that more people share, a random number follows.
const NUMBERED_IN_ORDER: u32 = 5;
/// Every try ends with a name found taken, so this many do not happen by chance.
pub(in crate::domain) const MAX_TRIES: u32 = 20;

/// An account that was written, and the organization that its first session begins in.
pub(in crate::domain) struct Inserted {
    pub(in crate::domain) user: UserRow,
    pub(in crate::domain) organization: (OrganizationId, MemberRole),
}

/// How an account comes about.
#[derive(Clone, Copy)]
pub(super) enum Entry<'a> {
    /// By itself; `verified`: the address is known to be the person's.
    Direct { verified: bool },
    /// By the invitation with this token.
    Invited(&'a str),
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

/// Writes the account and its organizations, with their events, in the contract's order; accepts its invitation. The
/// transaction is the caller's to finish.
pub(super) async fn insert(app: &App, account: &Account, entry: Entry<'_>) -> Result<(Tx, Inserted), SignUpError> {
    for attempt in 1..=MAX_TRIES {
        let mut tx = app.store.begin().await?;
        let written = match entry {
            Entry::Invited(token) => join(app, &mut tx, token, account, attempt).await,
            Entry::Direct { verified } => insert_direct(app, &mut tx, account, attempt, verified).await,
        };
        match written {
            Ok(inserted) => return Ok((tx, inserted)),
            Err(InsertError::DerivedNameTaken) => tx.rollback().await?,
            Err(InsertError::SignUp(error)) => return Err(error),
        }
    }
    Err(SignUpError::Failed(Error::Inconsistent("no free username was found".to_owned())))
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
