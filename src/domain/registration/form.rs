//! The signup form and its validation.

use super::again::SentSignup;
use super::new_account::{Account, IfTaken, SignupError};
use crate::context::App;
use crate::crypto::hashing_shares::Requester;
use crate::crypto::password_policy::PasswordProblem;
use crate::domain::identity::availability::{EmailAvailability, email_availability};
use crate::domain::identity::field_errors::{EMAIL_TAKEN, FieldErrors, USERNAME_TAKEN};
use crate::domain::identity::identifiers::{EmailAddress, Username};
use crate::domain::identity::new_password::password_problem;
use crate::domain::ownership::identities::ProviderIdentity;
use crate::error::Error;
use crate::messages::{Locale, Message};
use crate::model::auth_method::AuthMethod;
use crate::model::authentication::Authentication;
use crate::model::principal::{Operation, Principal};
use crate::model::roles::Roles;
use crate::model::time::Time;
use crate::settings::EmailVerification;
use crate::store::Conn;
use secrecy::SecretString;

pub struct SignupForm {
    pub email: String,
    /// Username; empty: derived from the address.
    pub username: String,
    /// What the person logs in with from then on.
    pub credential: SignupCredential,
    /// Where to redirect afterwards, already validated.
    pub return_to: Option<String>,
    /// The language of the page, and of all emails from now on.
    pub locale: Locale,
    /// Where a browser sent it.
    pub sent: Option<SentSignup>,
}

/// What a person logs in with from their signup on.
pub enum SignupCredential {
    Password(SecretString),
    Identity(Box<ProviderIdentity>),
}

impl SignupCredential {
    pub(super) fn password(&self) -> Option<SecretString> {
        match self {
            Self::Password(password) => Some(password.clone()),
            Self::Identity(_) => None,
        }
    }

    /// The account at a provider, if it is one.
    pub(super) fn identity(&self) -> Option<&ProviderIdentity> {
        match self {
            Self::Password(_) => None,
            Self::Identity(identity) => Some(identity),
        }
    }

    /// How the person authenticated at the signup.
    pub(super) fn authentication(&self, now: Time) -> Authentication {
        authentication(self.identity(), now)
    }
}

/// With an account at a provider, else with a password.
pub(super) fn authentication(identity: Option<&ProviderIdentity>, now: Time) -> Authentication {
    identity.map_or_else(|| Authentication::by(AuthMethod::Password, now), ProviderIdentity::authentication)
}

/// What creates an account, what that grants, and what its answers may tell.
#[derive(Clone, Copy)]
pub(in crate::domain) struct SignupTerms {
    /// A signup, or a creation for someone else.
    pub(in crate::domain) operation: Operation,
    pub(in crate::domain) roles: Roles,
    /// How the address is verified: with `Required`, no answer tells whether it has an account.
    pub(in crate::domain) verification: EmailVerification,
    pub(in crate::domain) username_required: bool,
    /// What happens if the chosen username is taken.
    pub(in crate::domain) if_taken: IfTaken,
    /// The language of the account, if the person's is known.
    pub(in crate::domain) language: Option<Locale>,
    pub(in crate::domain) requester: Requester,
}

/// Validates the fields and hashes the password: outside of any transaction, because hashing is slow.
pub(in crate::domain) async fn validate(
    app: &App,
    principal: &Principal,
    email: &str,
    username: &str,
    password: Option<SecretString>,
    terms: SignupTerms,
) -> Result<(Account, EmailAvailability), SignupError> {
    let mut errors = FieldErrors::default();
    let email = EmailAddress::parse(email).map_err(|why| errors.email = Some(why)).ok();
    let username = match username.trim() {
        "" if terms.username_required => Err(Message::new("username-missing")),
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
    if let Some(password) = &password {
        errors.password = password_problem(app, password, &personal).await.map(PasswordProblem::message);
    }
    let (Some(email), Some(username), None) = (email, username, &errors.password) else {
        return Err(SignupError::Fields(errors));
    };
    let chosen = username.as_ref().filter(|_| terms.if_taken == IfTaken::Refuse);
    let is_withheld = chosen.is_some_and(|name| name.is_withheld_from(principal, &app.settings.name));
    let mut conn = app.store.read(principal, terms.operation).await?;
    let availability = reject_taken(&mut conn, &email, chosen, is_withheld, terms.verification).await?;
    drop(conn);
    let password_hash = match password {
        Some(password) => Some(app.passwords.hash(password, terms.requester).await.map_err(Error::from)?),
        None => None,
    };
    let if_taken = if username.is_some() { terms.if_taken } else { IfTaken::Number };
    let username = username.unwrap_or_else(|| Username::derived(&email));
    let SignupTerms { roles, language, .. } = terms;
    Ok((Account { email, username, if_taken, password_hash, roles, language }, availability))
}

/// Rejects an address or username that is taken before the password is hashed; the unique indexes have the final say.
///
/// Where verification is required, whether an address is known is not revealed (account enumeration).
async fn reject_taken(
    conn: &mut Conn,
    email: &EmailAddress,
    username: Option<&Username>,
    is_withheld: bool,
    verification: EmailVerification,
) -> Result<EmailAvailability, SignupError> {
    let mut errors = FieldErrors::default();
    let availability = email_availability(conn, &email.key(), None).await?;
    let reveals_taken = match verification {
        EmailVerification::Required => false,
        EmailVerification::Optional => availability.is_taken(),
        EmailVerification::Off => availability != EmailAvailability::Free,
    };
    if reveals_taken {
        errors.email = Some(EMAIL_TAKEN.clone());
    }
    if let Some(username) = username
        && (conn.username_is_taken(&username.key()).await? || is_withheld)
    {
        errors.username = Some(USERNAME_TAKEN.clone());
    }
    if errors == FieldErrors::default() { Ok(availability) } else { Err(SignupError::Fields(errors)) }
}
