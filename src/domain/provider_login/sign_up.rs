//! An account at a provider that no account here has: its person gets an account here.

use super::log_in;
use super::outcome::CallbackOutcome;
use super::pending::PendingProviderLogin;
use super::types::Question;
use crate::context::App;
use crate::domain::identity::availability::{EmailAvailability, email_availability};
use crate::domain::identity::field_errors::FieldErrors;
use crate::domain::identity::identifiers::{EmailAddress, Username};
use crate::domain::login::complete::ClientContext;
use crate::domain::organization::respond;
use crate::domain::ownership::identities::ProviderIdentity;
use crate::domain::registration::admission::{self, Admission, NotAdmitted};
use crate::domain::registration::form::{SignupCredential, SignupForm};
use crate::domain::registration::new_account::{
    Account, IfTaken, InsertError, SignupError, UsernameAttempts, unless_name_taken,
};
use crate::domain::registration::sign_up::{self, SignedUp};
use crate::domain::registration::verified::{self, LockedInvitation, VerifiedSignup};
use crate::domain::session::lifecycle::OpenedSession;
use crate::error::Error;
use crate::messages::Message;
use crate::model::ids::UserId;
use crate::model::mail_domain;
use crate::model::principal::Operation;
use crate::model::roles::Roles;
use crate::rate_limit::{RateLimit, RateLimitError};
use crate::settings::SignupUsername;
use crate::store::{ProviderRow, Tx};
use std::net::IpAddr;

/// A login with an account at a provider that no account here has.
#[derive(Clone, Copy)]
pub(super) struct UnconnectedLogin<'a> {
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

impl<'a> UnconnectedLogin<'a> {
    /// As it goes on after a question.
    pub(super) fn of_pending(
        provider: &'a ProviderRow,
        pending: &'a PendingProviderLogin,
        typed: Option<TypedDetails<'a>>,
        from: IpAddr,
    ) -> Self {
        Self {
            provider,
            identity: &pending.identity,
            verified: pending.verified.as_ref(),
            typed,
            invitation: pending.invitation(),
            return_to: pending.return_to.as_deref(),
            from,
        }
    }

    /// The signup that the provider's word for the address completes.
    pub(super) fn verified_signup(self, account: &'a Account, invitation: LockedInvitation) -> VerifiedSignup<'a> {
        let authentication = self.identity.authentication();
        VerifiedSignup { account, identity: Some(self.identity), authentication, invitation }
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
    login: UnconnectedLogin<'_>,
    client: &ClientContext,
) -> Result<Result<Admission, CallbackOutcome>, Error> {
    if !login.provider.provider.signup {
        return Ok(Err(CallbackOutcome::NotAdmitted(NotAdmitted::Closed)));
    }
    let admission = match admission::admit(app, &client.anonymous(), login.invitation).await? {
        Ok(admission) => admission,
        Err(why) => return Ok(Err(CallbackOutcome::NotAdmitted(why))),
    };
    let stated = login.identity.email.as_deref().map(mail_domain::key);
    match (admission.email(), stated) {
        (Some(invited), Some(stated)) if mail_domain::key(invited) != stated => {
            Ok(Err(CallbackOutcome::InvitedElsewhere(invited.to_owned())))
        }
        _ => Ok(Ok(admission)),
    }
}

/// What the same address typed at signup would be, also where it is reserved or its account disabled: no answer tells more
/// of an address than signup's. The account at the provider waits with it.
pub(super) async fn sign_up(
    app: &App,
    login: UnconnectedLogin<'_>,
    admission: &Admission,
    client: &ClientContext,
) -> Result<CallbackOutcome, Error> {
    let typed = login.typed;
    // A signup by invitation is with the invited address.
    let stated = admission.email().or(login.identity.email.as_deref());
    let Some(email) = stated.or(typed.map(|typed| typed.email)) else {
        return Ok(CallbackOutcome::Ask(Question::Details));
    };
    let limit = RateLimit::SignupFrom(login.from);
    if let Some(wait) = RateLimitError::wait_of(app.rate_limiter.check(limit).await)? {
        return Ok(CallbackOutcome::TooSoon(wait));
    }
    let form = SignupForm {
        email: email.to_owned(),
        username: typed.map(|typed| typed.username.to_owned()).unwrap_or_default(),
        credential: SignupCredential::Identity(Box::new(login.identity.clone())),
        return_to: login.return_to.map(str::to_owned),
        locale: client.locale,
        // The login that waits is used up by the first answer.
        sent: None,
    };
    match sign_up::sign_up(app, admission, form, client).await {
        Ok(SignedUp::OpenedSession(opened)) => Ok(CallbackOutcome::LoggedIn(opened)),
        Ok(SignedUp::VerificationRequired(id)) => Ok(CallbackOutcome::VerificationRequired(id)),
        Ok(SignedUp::Again) => Ok(CallbackOutcome::Changed),
        Err(error) => refused(app, login, error, client).await,
    }
}

async fn refused(
    app: &App,
    login: UnconnectedLogin<'_>,
    error: SignupError,
    client: &ClientContext,
) -> Result<CallbackOutcome, Error> {
    match error {
        SignupError::Fields(errors) => Ok(CallbackOutcome::Fields(errors)),
        SignupError::InvitationVoid => Ok(CallbackOutcome::NotAdmitted(NotAdmitted::InvitationVoid)),
        SignupError::TooSoon(wait) => Ok(CallbackOutcome::TooSoon(wait)),
        // Another request has connected the account at the provider meanwhile: so it is known.
        SignupError::IdentityTaken => {
            let known = log_in::log_in(app, login.provider, login.identity, client, login.from).await?;
            Ok(known.unwrap_or(CallbackOutcome::IdentityTaken))
        }
        SignupError::Failed(error) => Err(error),
    }
}

/// Creates a verified account with its first organization and session; `None` if the address is not free any more.
pub(super) async fn create(
    app: &App,
    login: UnconnectedLogin<'_>,
    email: &EmailAddress,
    client: &ClientContext,
) -> Result<Option<CallbackOutcome>, Error> {
    let account = match named_account(app, login, email, client) {
        Ok(account) => account,
        Err(why) => {
            let errors = FieldErrors { username: Some(why), ..FieldErrors::default() };
            return Ok(Some(CallbackOutcome::Fields(errors)));
        }
    };
    let limit = RateLimit::SignupFrom(login.from);
    if let Some(wait) = RateLimitError::wait_of(app.rate_limiter.check(limit).await)? {
        return Ok(Some(CallbackOutcome::TooSoon(wait)));
    }
    let mut attempts = UsernameAttempts::default();
    loop {
        let attempt = attempts.next()?;
        let mut tx = app.store.begin(&client.anonymous(), Operation::SignUp).await?;
        if email_availability(&mut tx, &email.key(), None).await? != EmailAvailability::Free {
            return Ok(None);
        }
        let invitation = lock_invitation(app, &mut tx, login).await?.only_of(email);
        let created = login.verified_signup(&account, invitation).create(app, &mut tx, attempt, client).await;
        match end(app, tx, login, &account, created, client).await? {
            // Not of the username, so of the address.
            Some(CallbackOutcome::Fields(errors)) if errors.username.is_none() => return Ok(None),
            Some(outcome) => return Ok(Some(outcome)),
            None => {}
        }
    }
}

/// Ends the transaction of a signup; `None` if the next number of the username is to be tried.
pub(super) async fn end(
    app: &App,
    tx: Tx,
    login: UnconnectedLogin<'_>,
    account: &Account,
    signed_up: Result<(UserId, OpenedSession), InsertError>,
    client: &ClientContext,
) -> Result<Option<CallbackOutcome>, Error> {
    match unless_name_taken(signed_up) {
        Ok(Some((_, opened))) => {
            verified::commit(app, tx, &account.email.key()).await?;
            Ok(Some(CallbackOutcome::LoggedIn(opened)))
        }
        Ok(None) => Ok(None),
        Err(error) => {
            tx.rollback().await?;
            refused(app, login, error, client).await.map(Some)
        }
    }
}

pub(super) async fn lock_invitation(
    app: &App,
    tx: &mut Tx,
    login: UnconnectedLogin<'_>,
) -> Result<LockedInvitation, Error> {
    let Some(token) = login.invitation else { return Ok(LockedInvitation::None) };
    Ok(respond::unless_over(respond::lock_pending(app, tx, token).await)?.into())
}

/// An account whose person has not typed a username.
pub(super) fn unnamed_account(email: &EmailAddress, client: &ClientContext) -> Account {
    Account {
        email: email.clone(),
        username: Username::derived(email),
        if_taken: IfTaken::Number,
        password_hash: None,
        roles: Roles::NONE,
        language: Some(client.locale),
    }
}

fn named_account(
    app: &App,
    login: UnconnectedLogin<'_>,
    email: &EmailAddress,
    client: &ClientContext,
) -> Result<Account, Message> {
    let account = unnamed_account(email, client);
    let typed = login.typed.map(|typed| typed.username.trim()).filter(|name| !name.is_empty());
    let required = app.settings.accounts.signup_username == SignupUsername::Required;
    match typed.filter(|_| app.settings.accounts.has_usernames()) {
        Some(name) => {
            let if_taken = if sign_up::numbers_usernames(app) { IfTaken::Number } else { IfTaken::Refuse };
            Ok(Account { username: Username::parse(name)?, if_taken, ..account })
        }
        None if required && login.typed.is_some() => Err(Message::new("username-missing")),
        None => Ok(account),
    }
}
