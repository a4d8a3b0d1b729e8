//! Sign-up: a new account, its first organization and its first session, in one transaction.

use super::enter::{self, Arrival};
use super::identity::{Email, Username};
use super::insert::{Entry, Inserted, insert};
use super::new_password::password_problem;
use super::sign_up_invited::invitation_of;
use crate::app::App;
use crate::crypto::password_policy::PasswordProblem;
use crate::domain::Error;
use crate::domain::audit::{AuditEntry, AuditKind, By};
use crate::domain::ids::AccountTokenId;
use crate::domain::mailed::{self, Asked};
use crate::domain::roles::Roles;
use crate::domain::sessions::Opened;
use crate::messages::{Locale, Message};
use crate::settings::{EmailVerification, Signup};
use crate::store::{Conn, StoreError, Tx};
use secrecy::SecretString;
use std::time::Duration;

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
    /// Where the flow is to end, already judged safe.
    pub return_to: Option<String>,
    /// The language of the mails.
    pub locale: Locale,
}

/// What a sign-up led to.
pub enum SignedUp {
    /// An account and its first session.
    Opened(Opened),
    /// The address is to be proved first.
    MustProve(AccountTokenId),
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

/// What is needed for a new account, checked, its password hashed.
pub(in crate::domain) struct Account {
    pub(in crate::domain) email: Email,
    /// `None`: derived from the address.
    pub(in crate::domain) username: Option<Username>,
    pub(in crate::domain) password_hash: String,
    pub(in crate::domain) roles: Roles,
}

/// Whose an address is, as far as a sign-up with it is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// Nobody's.
    Free,
    /// An account's that never proved it.
    Unproved,
    /// An account's, or somebody may still take it back.
    Taken,
}

/// Makes an account and opens its first session, which takes the place of those the browser had; or has the address
/// proved first.
pub async fn sign_up(app: &App, form: SignUp, arrival: &Arrival) -> Result<SignedUp, SignUpError> {
    let invitation = match &form.invitation {
        None if app.settings.accounts.signup != Signup::Open => {
            return Err(SignUpError::NotOpen(app.settings.accounts.signup));
        }
        None => None,
        Some(token) => Some(invitation_of(app, token).await?),
    };
    let email = invitation.as_ref().map_or(&form.email, |invitation| &invitation.email);
    // Whoever has the mailed link of an invitation proved the address by it, and knows whether it has an account: the
    // page of the invitation says so.
    let verification = match app.settings.accounts.email_verification {
        _ if invitation.as_ref().is_some_and(|invitation| invitation.proves_address) => EmailVerification::Off,
        setting => setting,
    };
    let (account, standing) = check(app, email, &form.username, form.password, Roles::NONE, verification).await?;
    let asked = Asked { return_to: form.return_to.as_deref(), locale: form.locale };
    if standing != Standing::Free || verification == EmailVerification::Required {
        let invitation = invitation.map(|invitation| invitation.id);
        return Ok(SignedUp::MustProve(mailed::begin_sign_up(app, &account, invitation, asked).await?));
    }
    let entry = form.invitation.as_deref().map_or(Entry::Direct { verified: false }, Entry::Invited);
    let (mut tx, inserted) = insert(app, &account, entry).await?;
    let opened = open(app, &mut tx, &inserted, asked, arrival).await?;
    tx.commit().await?;
    let (user, session) = (inserted.user.id, opened.session_id);
    tracing::info!(user = %user, session = %session, invited = form.invitation.is_some(), "signed up");
    Ok(SignedUp::Opened(opened))
}

/// Opens the first session of an account made in this transaction, and asks for the proof of its address.
async fn open(
    app: &App,
    tx: &mut Tx,
    inserted: &Inserted,
    asked: Asked<'_>,
    arrival: &Arrival,
) -> Result<Opened, SignUpError> {
    let Inserted { user, organization } = inserted;
    let opened = enter::open(app, tx, user, *organization, arrival).await?;
    let by = By::user(user.id, Some(opened.session_id), arrival.device.clone());
    tx.audit_push(&AuditEntry::new(AuditKind::AccountCreated, user.id, &by)).await?;
    if user.email_verified_at.is_none() && app.settings.accounts.email_verification != EmailVerification::Off {
        mailed::request_verification(app, tx, user, asked).await?;
    }
    Ok(opened)
}

/// Checks everything typed, and hashes the password: outside of any transaction, as it takes its time.
pub(super) async fn check(
    app: &App,
    email: &str,
    username: &str,
    password: SecretString,
    roles: Roles,
    verification: EmailVerification,
) -> Result<(Account, Standing), SignUpError> {
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
    errors.password = password_problem(app, &password, &context).await.map(PasswordProblem::message);
    let (Some(email), Some(username), None) = (email, username, &errors.password) else {
        return Err(SignUpError::Fields(errors));
    };
    let standing = refuse_taken(app, &email, username.as_ref(), verification).await?;
    let password_hash = app.passwords.hash(password).await.map_err(Error::from)?;
    Ok((Account { email, username, password_hash, roles }, standing))
}

/// Spares the hash where the answer is already known; the unique indexes decide in the end.
///
/// Where the proof is required, nobody is told whether an address is known.
async fn refuse_taken(
    app: &App,
    email: &Email,
    username: Option<&Username>,
    verification: EmailVerification,
) -> Result<Standing, SignUpError> {
    let mut conn = app.store.read().await?;
    let mut errors = FieldErrors::default();
    let standing = standing(&mut conn, email).await?;
    let told = match verification {
        EmailVerification::Required => false,
        EmailVerification::Optional => standing == Standing::Taken,
        EmailVerification::Off => standing != Standing::Free,
    };
    if told {
        errors.email = Some(EMAIL_TAKEN.clone());
    }
    if let Some(username) = username
        && conn.user_find_by_username(&username.key()).await?.is_some()
    {
        errors.username = Some(USERNAME_TAKEN.clone());
    }
    if errors == FieldErrors::default() { Ok(standing) } else { Err(SignUpError::Fields(errors)) }
}

async fn standing(conn: &mut Conn, email: &Email) -> Result<Standing, StoreError> {
    let holder = conn.user_find_by_email(&email.key()).await?;
    let reserved = conn.email_is_reserved(&email.key(), None).await?;
    Ok(match holder {
        _ if reserved => Standing::Taken,
        None => Standing::Free,
        Some(holder) if holder.email_verified_at.is_none() && holder.disabled_at.is_none() => Standing::Unproved,
        Some(_) => Standing::Taken,
    })
}

pub(super) static EMAIL_TAKEN: Message = Message::new("email-taken");
pub(super) static USERNAME_TAKEN: Message = Message::new("username-taken");
