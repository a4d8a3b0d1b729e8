//! The signup form and its validation.

use super::availability::{EmailAvailability, email_availability};
use super::new_account::{Account, EMAIL_TAKEN, FieldErrors, SignupError, USERNAME_TAKEN};
use crate::context::App;
use crate::crypto::hashing_shares::Requester;
use crate::crypto::password_policy::PasswordProblem;
use crate::domain::account::identity::{EmailAddress, Username};
use crate::domain::account::new_password::password_problem;
use crate::error::Error;
use crate::messages::Locale;
use crate::model::roles::Roles;
use crate::settings::EmailVerification;
use secrecy::SecretString;

/// The fields of the signup form.
pub struct SignupForm {
    /// Email address.
    pub email: String,
    /// Username; empty: derived from the address.
    pub username: String,
    /// Password.
    pub password: SecretString,
    /// Where to redirect afterwards, already validated.
    pub return_to: Option<String>,
    /// The language of the emails.
    pub locale: Locale,
}

/// Validates the fields and hashes the password: outside of any transaction, because hashing is slow.
pub(in crate::domain) async fn validate(
    app: &App,
    email: &str,
    username: &str,
    password: SecretString,
    roles: Roles,
    verification: EmailVerification,
    requester: Requester,
) -> Result<(Account, EmailAvailability), SignupError> {
    let mut errors = FieldErrors::default();
    let email = EmailAddress::parse(email).map_err(|why| errors.email = Some(why)).ok();
    let username = match username.trim() {
        "" => Ok(None),
        name => Username::parse(name).map(Some),
    };
    let username = username.map_err(|why| errors.username = Some(why)).ok();
    let personal: Vec<&str> = [
        email.as_ref().map(EmailAddress::as_str),
        email.as_ref().map(EmailAddress::local_part),
        username.as_ref().and_then(Option::as_ref).map(Username::as_str),
    ]
    .into_iter()
    .flatten()
    .collect();
    errors.password = password_problem(app, &password, &personal).await.map(PasswordProblem::message);
    let (Some(email), Some(username), None) = (email, username, &errors.password) else {
        return Err(SignupError::Fields(errors));
    };
    let availability = reject_taken(app, &email, username.as_ref(), verification).await?;
    let password_hash = app.passwords.hash(password, requester).await.map_err(Error::from)?;
    Ok((Account { email, username, password_hash, roles }, availability))
}

/// Rejects an address or username that is taken before the password is hashed; the unique indexes have the final say.
///
/// Where verification is required, whether an address is known is not revealed (account enumeration).
async fn reject_taken(
    app: &App,
    email: &EmailAddress,
    username: Option<&Username>,
    verification: EmailVerification,
) -> Result<EmailAvailability, SignupError> {
    let mut conn = app.store.read().await?;
    let mut errors = FieldErrors::default();
    let availability = email_availability(&mut conn, &email.key(), None).await?;
    let reveals_taken = match verification {
        EmailVerification::Required => false,
        EmailVerification::Optional => availability == EmailAvailability::Taken,
        EmailVerification::Off => availability != EmailAvailability::Free,
    };
    if reveals_taken {
        errors.email = Some(EMAIL_TAKEN.clone());
    }
    if let Some(username) = username
        && conn.user_find_by_username(&username.key()).await?.is_some()
    {
        errors.username = Some(USERNAME_TAKEN.clone());
    }
    if errors == FieldErrors::default() { Ok(availability) } else { Err(SignupError::Fields(errors)) }
}
