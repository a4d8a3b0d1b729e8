//! Sign-up: a new account, its first organization and its first session, in one transaction.

use super::enter::{self, Arrival};
use super::identity::{Email, Username};
use super::insert::{Inserted, insert};
use super::sign_up_invited::address_of;
use crate::app::App;
use crate::crypto::password_policy;
use crate::domain::Error;
use crate::domain::audit::{AuditEntry, AuditKind, By};
use crate::domain::ids::UserId;
use crate::domain::roles::Roles;
use crate::domain::sessions::Opened;
use crate::messages::Message;
use crate::settings::Signup;
use crate::store::StoreError;
use secrecy::{ExposeSecret, SecretString};

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
}

/// Makes an account and opens its first session, which takes the place of those the browser had.
pub async fn sign_up(app: &App, form: SignUp, arrival: &Arrival) -> Result<(UserId, Opened), SignUpError> {
    let (account, invitation) = match form.invitation {
        None if app.settings.accounts.signup != Signup::Open => {
            return Err(SignUpError::NotOpen(app.settings.accounts.signup));
        }
        None => (check(app, &form.email, &form.username, form.password, Roles::NONE).await?, None),
        Some(token) => {
            let email = address_of(app, &token).await?;
            (check(app, &email, &form.username, form.password, Roles::NONE).await?, Some(token))
        }
    };
    let (mut tx, inserted) = insert(app, &account, invitation.as_deref()).await?;
    let Inserted { user, organization } = inserted;
    let opened = enter::open(app, &mut tx, &user, organization, arrival).await?;
    let by = By::user(user.id, Some(opened.session_id), arrival.device.clone());
    tx.audit_push(&AuditEntry::new(AuditKind::AccountCreated, user.id, &by)).await?;
    tx.commit().await?;
    tracing::info!(user = %user.id, session = %opened.session_id, invited = invitation.is_some(), "signed up");
    Ok((user.id, opened))
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
        errors.password = Some(problem.message());
    }
    let (Some(email), Some(username), None) = (email, username, &errors.password) else {
        return Err(SignUpError::Fields(errors));
    };
    refuse_taken(app, &email, username.as_ref()).await?;
    let password_hash = app.passwords.hash(password).await.map_err(Error::from)?;
    Ok(Account { email, username, password_hash, roles })
}

/// Spares the hash where the answer is already known; the unique indexes decide in the end.
async fn refuse_taken(app: &App, email: &Email, username: Option<&Username>) -> Result<(), SignUpError> {
    let mut conn = app.store.read().await?;
    let mut errors = FieldErrors::default();
    if conn.user_find_by_email(&email.key()).await?.is_some() {
        errors.email = Some(EMAIL_TAKEN.clone());
    }
    if let Some(username) = username
        && conn.user_find_by_username(&username.key()).await?.is_some()
    {
        errors.username = Some(USERNAME_TAKEN.clone());
    }
    if errors == FieldErrors::default() { Ok(()) } else { Err(SignUpError::Fields(errors)) }
}

pub(super) static EMAIL_TAKEN: Message = Message::new("email-taken");
pub(super) static USERNAME_TAKEN: Message = Message::new("username-taken");
