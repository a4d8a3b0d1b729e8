//! An account at a provider that no account here has: its person gets an account here.

use super::log_in;
use super::outcome::{NotAdmitted, ReturnOutcome};
use super::pending::PendingProviderLogin;
use super::types::Question;
use crate::context::App;
use crate::domain::identity::availability::{EmailAvailability, email_availability};
use crate::domain::identity::field_errors::FieldErrors;
use crate::domain::identity::identifiers::{EmailAddress, Username};
use crate::domain::login::complete::{self, ClientContext};
use crate::domain::ownership::identities::{self, ConnectIdentityError, ProviderIdentity};
use crate::domain::registration::admission::{self, Admission};
use crate::domain::registration::form::{SignupCredential, SignupForm};
use crate::domain::registration::invited;
use crate::domain::registration::new_account::{
    Account, IfTaken, InsertError, Inserted, SignupError, UsernameAttempts, insert_direct, unless_name_taken,
};
use crate::domain::registration::sign_up::{self, SignedUp};
use crate::domain::session::lifecycle::OpenedSession;
use crate::error::Error;
use crate::messages::Message;
use crate::metrics::SignupResult;
use crate::model::change::AccountChange;
use crate::model::mail_domain;
use crate::model::principal::Operation;
use crate::model::roles::Roles;
use crate::rate_limit::{RateLimit, RateLimitError};
use crate::settings::{Signup, SignupUsername};
use crate::store::{ProviderRow, Tx};
use std::net::IpAddr;
use std::time::Duration;

/// A person who comes from a provider and whose account there is not connected.
#[derive(Clone, Copy)]
pub(super) struct Newcomer<'a> {
    pub(super) provider: &'a ProviderRow,
    pub(super) identity: &'a ProviderIdentity,
    /// The address that the person has, as the provider's word counts.
    pub(super) verified: Option<&'a EmailAddress>,
    /// What was typed, if that was asked for.
    pub(super) typed: Option<TypedDetails<'a>>,
    /// The token of the invitation with which the login began.
    pub(super) invitation: Option<&'a str>,
    pub(super) return_to: Option<&'a str>,
    pub(super) from: IpAddr,
}

impl<'a> Newcomer<'a> {
    /// Who was asked something after the return.
    pub(super) fn who_waits(
        provider: &'a ProviderRow,
        waiting: &'a PendingProviderLogin,
        typed: Option<TypedDetails<'a>>,
        from: IpAddr,
    ) -> Self {
        Self {
            provider,
            identity: &waiting.identity,
            verified: waiting.verified.as_ref(),
            typed,
            invitation: waiting.invitation(),
            return_to: waiting.return_to.as_deref(),
            from,
        }
    }
}

/// What a person was asked for before the account is made.
#[derive(Clone, Copy)]
pub struct TypedDetails<'a> {
    /// Email address, where the provider stated none.
    pub email: &'a str,
    pub username: &'a str,
}

/// Whether the person may have an account: `SVC_SIGNUP` and the provider's `signup` decide, and the invitation.
pub(super) async fn admit(
    app: &App,
    newcomer: Newcomer<'_>,
    client: &ClientContext,
) -> Result<Result<Admission, NotAdmitted>, Error> {
    if !newcomer.provider.provider.signup {
        return Ok(Err(NotAdmitted::NotOpen(Signup::Closed)));
    }
    let admission = match admission::admit(app, &client.anonymous(), newcomer.invitation).await {
        Ok(admission) => admission,
        Err(error) => return Ok(Err(NotAdmitted::try_from(error)?)),
    };
    let stated = newcomer.identity.email.as_deref().map(mail_domain::key);
    match (admission.email(), stated) {
        (Some(invited), Some(stated)) if mail_domain::key(invited) != stated => {
            Ok(Err(NotAdmitted::InvitedElsewhere(invited.to_owned())))
        }
        _ => Ok(Ok(admission)),
    }
}

/// What the same address typed at signup would be, also where it is reserved or its account disabled: no answer tells more
/// of an address than signup's. The account at the provider waits with it.
pub(super) async fn sign_up(
    app: &App,
    newcomer: Newcomer<'_>,
    admission: &Admission,
    client: &ClientContext,
) -> Result<ReturnOutcome, Error> {
    let typed = newcomer.typed;
    // A signup by invitation is with the invited address.
    let stated = admission.email().or(newcomer.identity.email.as_deref());
    let Some(email) = stated.or(typed.map(|typed| typed.email)) else {
        return Ok(ReturnOutcome::Ask(Question::Details));
    };
    if let Some(wait) = refused_by(app, RateLimit::SignupFrom(newcomer.from)).await? {
        return Ok(ReturnOutcome::TooSoon(wait));
    }
    let form = SignupForm {
        email: email.to_owned(),
        username: typed.map(|typed| typed.username.to_owned()).unwrap_or_default(),
        credential: SignupCredential::Identity(Box::new(newcomer.identity.clone())),
        return_to: newcomer.return_to.map(str::to_owned),
        locale: client.locale,
        // The login that waits is used up by the first answer.
        sent: None,
    };
    match sign_up::sign_up(app, admission, form, client).await {
        Ok(SignedUp::OpenedSession(opened)) => Ok(ReturnOutcome::LoggedIn(opened)),
        Ok(SignedUp::VerificationRequired(id)) => Ok(ReturnOutcome::VerificationRequired(id)),
        Ok(SignedUp::Again) => Ok(ReturnOutcome::Changed),
        Err(SignupError::Fields(errors)) => Ok(ReturnOutcome::Fields(errors)),
        Err(SignupError::InvitationVoid) => Ok(ReturnOutcome::NotAdmitted(NotAdmitted::InvitationVoid)),
        Err(SignupError::TooSoon(wait)) => Ok(ReturnOutcome::TooSoon(wait)),
        Err(SignupError::IdentityTaken) => taken(app, newcomer, client).await,
        Err(SignupError::Failed(error)) => Err(error),
    }
}

/// How long a limit refuses; `None` if it does not.
pub(super) async fn refused_by(app: &App, limit: RateLimit<'_>) -> Result<Option<Duration>, Error> {
    match app.rate_limiter.check(limit).await {
        Ok(()) => Ok(None),
        Err(RateLimitError::Exceeded(wait)) => Ok(Some(wait)),
        Err(RateLimitError::Failed(error)) => Err(error.into()),
    }
}

/// Another request has connected the account at the provider meanwhile: so it is known.
pub(super) async fn taken(app: &App, newcomer: Newcomer<'_>, client: &ClientContext) -> Result<ReturnOutcome, Error> {
    let known = log_in::log_in(app, newcomer.provider, newcomer.identity, client, newcomer.from).await?;
    Ok(known.unwrap_or(ReturnOutcome::IdentityTaken))
}

/// Creates a verified account with its first organization and session; `None` if the address is not free any more.
pub(super) async fn create(
    app: &App,
    newcomer: Newcomer<'_>,
    email: &EmailAddress,
    client: &ClientContext,
) -> Result<Option<ReturnOutcome>, Error> {
    let account = match new_account(app, newcomer, email, client) {
        Ok(account) => account,
        Err(SignupError::Fields(errors)) => return Ok(Some(ReturnOutcome::Fields(errors))),
        Err(error) => return Err(Error::Inconsistent(error.to_string())),
    };
    if let Some(wait) = refused_by(app, RateLimit::SignupFrom(newcomer.from)).await? {
        return Ok(Some(ReturnOutcome::TooSoon(wait)));
    }
    let mut attempts = UsernameAttempts::default();
    loop {
        let attempt = attempts.next()?;
        let mut tx = app.store.begin(&client.anonymous(), Operation::SignUp).await?;
        if email_availability(&mut tx, &email.key(), None).await? != EmailAvailability::Free {
            return Ok(None);
        }
        let inserted = insert(app, &mut tx, &account, newcomer.invitation, attempt).await;
        let inserted = match unless_name_taken(inserted) {
            Ok(Some(inserted)) => inserted,
            Ok(None) => continue,
            // Of one name, or of the address.
            Err(SignupError::Fields(errors)) if errors.username.is_some() => {
                return Ok(Some(ReturnOutcome::Fields(errors)));
            }
            Err(SignupError::Fields(_)) => return Ok(None),
            Err(SignupError::Failed(error)) => return Err(error),
            Err(_) => return Ok(Some(ReturnOutcome::NotAdmitted(NotAdmitted::InvitationVoid))),
        };
        match identities::connect(app, &mut tx, inserted.user.id, newcomer.identity).await {
            Ok(_) => {}
            Err(ConnectIdentityError::Failed(error)) => return Err(error),
            Err(ConnectIdentityError::Taken | ConnectIdentityError::TooMany | ConnectIdentityError::NoProvider) => {
                tx.rollback().await?;
                return taken(app, newcomer, client).await.map(Some);
            }
        }
        let opened = first_session(app, &mut tx, &inserted, newcomer.identity, client).await?;
        tx.account_tokens_delete_signups(&email.key()).await?;
        tx.commit().await?;
        app.metrics.auth.signups.count(SignupResult::Created);
        return Ok(Some(ReturnOutcome::LoggedIn(opened)));
    }
}

fn new_account(
    app: &App,
    newcomer: Newcomer<'_>,
    email: &EmailAddress,
    client: &ClientContext,
) -> Result<Account, SignupError> {
    let typed = newcomer.typed.map(|typed| typed.username.trim()).filter(|name| !name.is_empty());
    let typed = typed.filter(|_| app.settings.accounts.has_usernames());
    let required = app.settings.accounts.signup_username == SignupUsername::Required;
    let username = match typed {
        Some(name) => Username::parse(name),
        None if required && newcomer.typed.is_some() => Err(Message::new("username-missing")),
        None => Ok(Username::derived(email)),
    };
    let username =
        username.map_err(|why| SignupError::Fields(FieldErrors { username: Some(why), ..FieldErrors::default() }))?;
    let refuses = typed.is_some() && !sign_up::numbers_usernames(app);
    Ok(Account {
        email: email.clone(),
        username,
        if_taken: if refuses { IfTaken::Refuse } else { IfTaken::Number },
        password_hash: None,
        roles: Roles::NONE,
        language: Some(client.locale),
    })
}

async fn insert(
    app: &App,
    tx: &mut Tx,
    account: &Account,
    invitation: Option<&str>,
    attempt: u32,
) -> Result<Inserted, InsertError> {
    match invitation {
        Some(token) => invited::accept_verified(app, tx, token, account, attempt).await,
        None => insert_direct(app, tx, account, attempt, true).await,
    }
}

async fn first_session(
    app: &App,
    tx: &mut Tx,
    inserted: &Inserted,
    identity: &ProviderIdentity,
    client: &ClientContext,
) -> Result<OpenedSession, Error> {
    let Inserted { user, organization } = inserted;
    identities::adopt_name(tx, user.id, identity).await?;
    let opened = complete::open(app, tx, user, *organization, &identity.authentication(), client).await?;
    tx.record_account(user.id, AccountChange::EmailVerified).await?;
    Ok(opened)
}

/// The account of a person who said that the one with the address is not theirs, in the transaction that released it, and
/// its first session.
pub(super) async fn create_released(
    app: &App,
    tx: &mut Tx,
    newcomer: Newcomer<'_>,
    email: &EmailAddress,
    attempt: u32,
    client: &ClientContext,
) -> Result<OpenedSession, InsertError> {
    let account = new_account(app, newcomer, email, client)?;
    let inserted = insert(app, tx, &account, newcomer.invitation, attempt).await?;
    identities::connect(app, tx, inserted.user.id, newcomer.identity).await.map_err(SignupError::from)?;
    Ok(first_session(app, tx, &inserted, newcomer.identity, client).await?)
}
