//! Sign-up: a new account, its first organization and its first session, in one transaction.

use super::enter::{self, Arrival};
use super::first_organization;
use super::identity::{Email, Username};
use super::sign_up_invited::sign_up_invited;
use crate::app::App;
use crate::crypto::password_policy;
use crate::domain::Error;
use crate::domain::events::Event;
use crate::domain::ids::UserId;
use crate::domain::roles::Roles;
use crate::domain::sessions::Opened;
use crate::random;
use crate::settings::Signup;
use crate::store::{Constraint, StoreError, Tx, UserRow};
use secrecy::{ExposeSecret, SecretString};

/// Derived names are numbered in order up to here; for names that more people share, a random number follows.
const NUMBERED_IN_ORDER: u32 = 5;
/// Every try ends with a name found taken, so this many do not happen by chance.
pub(super) const MAX_TRIES: u32 = 20;

/// What a person typed into the sign-up form.
pub struct SignUp {
    /// E-mail address.
    pub email: String,
    /// Username; empty: derived from the address.
    pub username: String,
    /// Password.
    pub password: SecretString,
    /// The token of an invitation, whose address then stands for `email`.
    pub invitation: Option<String>,
}

/// The sentences beside the fields of a form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldErrors {
    /// Beside the e-mail address.
    pub email: Option<String>,
    /// Beside the username.
    pub username: Option<String>,
    /// Beside the password.
    pub password: Option<String>,
}

/// Why a sign-up did not happen.
#[derive(Debug, thiserror::Error)]
pub enum SignUpError {
    /// Something typed cannot be accepted.
    #[error("the input was not accepted")]
    Fields(FieldErrors),
    /// The operator lets no one sign up, or only the invited.
    #[error("sign-up is not open")]
    NotOpen(Signup),
    /// The invitation was answered, revoked or replaced, has expired, or never was.
    #[error("the invitation is no longer valid")]
    InvitationVoid,
    /// A fault of ours.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for SignUpError {
    fn from(error: StoreError) -> Self {
        SignUpError::Failed(error.into())
    }
}

/// What is needed for a new account, checked, its password hashed.
pub(super) struct Account {
    pub(super) email: Email,
    /// `None`: derived from the address.
    pub(super) username: Option<Username>,
    pub(super) password_hash: String,
    pub(super) roles: Roles,
    /// Whether the address is known to be the person's.
    pub(super) verified: bool,
}

/// Makes an account and opens its first session, which takes the place of those the browser had.
pub async fn sign_up(app: &App, form: SignUp, arrival: &Arrival) -> Result<(UserId, Opened), SignUpError> {
    if let Some(token) = &form.invitation {
        let token = token.clone();
        return sign_up_invited(app, form, &token, arrival).await;
    }
    if app.settings.accounts.signup != Signup::Open {
        return Err(SignUpError::NotOpen(app.settings.accounts.signup));
    }
    let account = check(app, &form.email, &form.username, form.password, Roles::NONE).await?;
    for attempt in 1..=MAX_TRIES {
        let mut tx = app.store.begin().await?;
        match insert(app, &mut tx, &account, attempt).await {
            Ok((user, organization)) => {
                let opened = enter::open(app, &mut tx, &user, organization, arrival).await?;
                tx.commit().await?;
                tracing::info!(user = %user.id, session = %opened.session_id, "signed up");
                return Ok((user.id, opened));
            }
            Err(InsertError::DerivedNameTaken) => tx.rollback().await?,
            Err(InsertError::SignUp(error)) => return Err(error),
        }
    }
    Err(SignUpError::Failed(Error::Inconsistent("no free username was found".to_owned())))
}

/// Checks everything typed, and hashes the password: outside of any transaction, as it takes its time.
pub(super) async fn check(
    app: &App,
    email: &str,
    username: &str,
    password: SecretString,
    roles: Roles,
) -> Result<Account, SignUpError> {
    let mut errors = FieldErrors::default();
    let email = Email::parse(email).map_err(|why| errors.email = Some(why)).ok();
    let username = match username.trim() {
        "" => Ok(None),
        name => Username::parse(name).map(Some),
    };
    let username = username.map_err(|why| errors.username = Some(why)).ok();
    let context: Vec<&str> = [
        email.as_ref().map(Email::as_str),
        email.as_ref().map(Email::local_part),
        username.as_ref().and_then(Option::as_ref).map(Username::as_str),
    ]
    .into_iter()
    .flatten()
    .collect();
    let min_length = app.settings.accounts.password_min_length;
    if let Err(problem) = password_policy::check(password.expose_secret(), min_length, &context) {
        errors.password = Some(problem.to_string());
    }
    let (Some(email), Some(username), None) = (email, username, &errors.password) else {
        return Err(SignUpError::Fields(errors));
    };
    refuse_taken(app, &email, username.as_ref()).await?;
    let password_hash = app.passwords.hash(password).await.map_err(Error::from)?;
    Ok(Account { email, username, password_hash, roles, verified: false })
}

/// Spares the hash where the answer is already known; the unique indexes decide in the end.
async fn refuse_taken(app: &App, email: &Email, username: Option<&Username>) -> Result<(), SignUpError> {
    let mut conn = app.store.read().await?;
    let mut errors = FieldErrors::default();
    if conn.user_find_by_email(&email.key()).await?.is_some() {
        errors.email = Some(EMAIL_TAKEN.to_owned());
    }
    if let Some(username) = username
        && conn.user_find_by_username(&username.key()).await?.is_some()
    {
        errors.username = Some(USERNAME_TAKEN.to_owned());
    }
    if errors == FieldErrors::default() { Ok(()) } else { Err(SignUpError::Fields(errors)) }
}

const EMAIL_TAKEN: &str = "There is already an account with this e-mail address. Log in instead.";
const USERNAME_TAKEN: &str = "This username is taken. Choose another, or leave the field empty to get one.";

pub(super) enum InsertError {
    /// Try again with the next number.
    DerivedNameTaken,
    SignUp(SignUpError),
}

impl<E: Into<SignUpError>> From<E> for InsertError {
    fn from(error: E) -> Self {
        InsertError::SignUp(error.into())
    }
}

type Organization = (crate::domain::ids::OrganizationId, crate::domain::organizations::MemberRole);

/// Writes the account and its first organization, with their events, in the contract's order.
pub(super) async fn insert(
    app: &App,
    tx: &mut Tx,
    account: &Account,
    attempt: u32,
) -> Result<(UserRow, Organization), InsertError> {
    let user = insert_user(app, tx, account, attempt).await?;
    let organization = first_organization::create(app, tx, user.id, &user.username).await?;
    Ok((user, organization))
}

/// Writes the account alone, with its event.
pub(super) async fn insert_user(
    app: &App,
    tx: &mut Tx,
    account: &Account,
    attempt: u32,
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
        email_verified_at: account.verified.then_some(now),
        disabled_at: None,
        created_at: now,
    };
    match tx.user_create(&user, &account.email.key(), &username.key()).await {
        Ok(()) => {}
        Err(StoreError::Constraint(Constraint::UserEmail)) => {
            let errors = FieldErrors { email: Some(EMAIL_TAKEN.to_owned()), ..FieldErrors::default() };
            return Err(SignUpError::Fields(errors).into());
        }
        Err(StoreError::Constraint(Constraint::UserUsername)) if account.username.is_none() => {
            return Err(InsertError::DerivedNameTaken);
        }
        Err(StoreError::Constraint(Constraint::UserUsername)) => {
            let errors = FieldErrors { username: Some(USERNAME_TAKEN.to_owned()), ..FieldErrors::default() };
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
