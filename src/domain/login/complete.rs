//! Completes a login. Every authentication method ends here, and only this module decides whether it is sufficient for
//! a session.

use super::pending::{self, Outstanding, PendingLogin};
use crate::context::App;
use crate::domain::mfa::{status, trusted_devices};
use crate::domain::session::lifecycle::{self, OpenedSession};
use crate::error::Error;
use crate::messages::Locale;
use crate::metrics::LoginResult;
use crate::model::auth_method::{AuthMethod, AuthMethods};
use crate::model::authentication::Authentication;
use crate::model::change::AccountChange;
use crate::model::device::Device;
use crate::model::ids::{OrganizationId, SessionId, UserId};
use crate::model::organization::MemberRole;
use crate::model::placeholder_email::is_placeholder;
use crate::model::principal::{Operation, Principal};
use crate::model::session::EndReason;
use crate::settings::EmailVerification;
use crate::store::{Tx, UserRow};

pub struct ClientContext {
    pub device: Device,
    /// Its current sessions, which end when a new one opens.
    pub replaces: Vec<SessionId>,
    pub device_tokens: Vec<String>,
    pub locale: Locale,
}

impl ClientContext {
    /// The browser, before it has shown whose it is.
    pub fn anonymous(&self) -> Principal {
        Principal::anonymous(self.device.clone())
    }

    pub(in crate::domain) fn principal(&self, user: UserId, session: Option<SessionId>) -> Principal {
        Principal::user(user, session, self.device.clone())
    }
}

/// How a login goes on after a right password, passkey or account at a provider.
pub enum LoginOutcome {
    Session(OpenedSession),
    SecondFactorNeeded(PendingLogin),
    /// A mailed link or code is needed too: the address is not verified, or the authenticator app was lost with the
    /// secret key.
    Unverified(StoppedLogin),
    /// An operator disabled the user.
    Disabled,
}

/// A login that goes on by mail, with what it showed so far.
#[derive(Debug)]
pub struct StoppedLogin {
    pub user: UserId,
    pub shown: Authentication,
}

impl LoginOutcome {
    pub(super) const fn result(&self) -> LoginResult {
        match self {
            LoginOutcome::Session(_) => LoginResult::Opened,
            LoginOutcome::SecondFactorNeeded(_) => LoginResult::SecondFactorNeeded,
            LoginOutcome::Unverified(_) => LoginResult::Unverified,
            LoginOutcome::Disabled => LoginResult::Disabled,
        }
    }

    /// Whether the login stops, so that its transaction leaves nothing behind.
    pub(super) const fn is_stopped(&self) -> bool {
        matches!(self, LoginOutcome::Unverified(_) | LoginOutcome::Disabled)
    }
}

/// Opens a session for a user whom the transaction has locked, or requires the second factor.
pub(in crate::domain) async fn complete_login(
    app: &App,
    tx: &mut Tx,
    user: &UserRow,
    authentication: Authentication,
    client: &ClientContext,
) -> Result<LoginOutcome, Error> {
    let methods = authentication.methods;
    if user.disabled_at.is_some() {
        return Ok(LoginOutcome::Disabled);
    }
    let must_verify =
        user.email_verified_at.is_none() && app.settings.accounts.email_verification == EmailVerification::Required;
    let has_mailbox = !is_placeholder(&user.email);
    let stopped = |shown| LoginOutcome::Unverified(StoppedLogin { user: user.id, shown });
    // Password and mailbox together stand for an app that was lost with the secret key; without one of them, an operator.
    if !methods.has_second_factor() && tx.lost_factor_exists(user.id).await? {
        let can_go_on = has_mailbox && methods.contains(AuthMethod::Password);
        return Ok(if can_go_on { stopped(authentication) } else { LoginOutcome::Disabled });
    }
    // An account without an address is asked for one after every factor: its mails let the reader reset the password.
    if must_verify && has_mailbox {
        return Ok(stopped(authentication));
    }
    let asked_for = !methods.has_second_factor() && status::is_on(tx, user.id).await?;
    let trusted = asked_for && trusted_devices::is_trusted(app, tx, user, &client.device_tokens).await?;
    if asked_for && !trusted {
        // An entry for each, with its address: until the login is completed it counts as a failure at its name, which
        // bounds their number (docs/reference/limits.md 14).
        tx.record_account(user.id, AccountChange::SecondFactorMissing).await?;
        return Ok(LoginOutcome::SecondFactorNeeded(
            pending::begin_pending_login(app, tx, user, authentication, Outstanding::SecondFactor).await?,
        ));
    }
    if must_verify {
        return Ok(stopped(authentication));
    }
    let now = app.store.database_time();
    let authentication = if trusted { authentication.with(AuthMethod::TrustedDevice, now) } else { authentication };
    Ok(LoginOutcome::Session(open_in_default(app, tx, user, &authentication, client).await?))
}

/// Opens a session for a user whom the transaction has locked, and who has shown password and mailbox, if those stand
/// for a lost authenticator app. A login of its own would need both again. Mails to an address that is not verified yet
/// are also asked for by logins without the password.
pub(in crate::domain) async fn complete_by_mail(
    app: &App,
    tx: &mut Tx,
    user: &UserRow,
    client: &ClientContext,
) -> Result<Option<OpenedSession>, Error> {
    if user.disabled_at.is_some() || user.email_verified_at.is_none() || !tx.lost_factor_exists(user.id).await? {
        return Ok(None);
    }
    let now = app.store.database_time();
    let shown = Authentication::by(AuthMethod::Password, now).with(AuthMethod::MailedLink, now);
    Ok(Some(open_in_default(app, tx, user, &shown, client).await?))
}

/// Opens a session in the organization that a user's sessions begin in.
async fn open_in_default(
    app: &App,
    tx: &mut Tx,
    user: &UserRow,
    authentication: &Authentication,
    client: &ClientContext,
) -> Result<OpenedSession, Error> {
    let organization = default_organization(tx, user).await?;
    let opened = open(app, tx, user, organization, authentication, client).await?;
    tx.record_account(user.id, AccountChange::LoggedIn(authentication.methods)).await?;
    Ok(opened)
}

/// The organization that a user's sessions begin in. That the user is locked also prevents a concurrent end of a
/// membership, which moves only the sessions that it sees.
async fn default_organization(tx: &mut Tx, user: &UserRow) -> Result<(OrganizationId, MemberRole), Error> {
    match tx.membership_default(user.id).await? {
        Some(membership) => Ok((membership.organization_id, membership.role)),
        None => Err(Error::Inconsistent(format!("user {} is in no organization", user.id))),
    }
}

/// Opens a session without any factor, as after a login in which these methods were shown. Only for sessions of developers,
/// where it is made sure which instance this is and whose account.
pub(in crate::domain) async fn open_for_developer(
    app: &App,
    tx: &mut Tx,
    user: &UserRow,
    organization: Option<(OrganizationId, MemberRole)>,
    methods: AuthMethods,
    device: &Device,
) -> Result<OpenedSession, Error> {
    let organization = match organization {
        Some(organization) => organization,
        None => default_organization(tx, user).await?,
    };
    let as_after_login = Authentication { methods, provider: None, proved_at: Some(app.store.database_time()) };
    lifecycle::open(app, tx, user, organization, &as_after_login, device).await
}

/// Opens a session, and goes on as the person in it. Only for accounts created in this transaction or claimed by the
/// owner of their address, which have no factor but a password; all others go through [`complete_login`]. Mails to the
/// user are in the language of the page from now on, unless there is one already.
pub(in crate::domain) async fn open(
    app: &App,
    tx: &mut Tx,
    user: &UserRow,
    organization: (OrganizationId, MemberRole),
    authentication: &Authentication,
    client: &ClientContext,
) -> Result<OpenedSession, Error> {
    for session in &client.replaces {
        tx.session_end(*session, EndReason::Replaced.as_str()).await?;
    }
    if user.language.is_none() {
        tx.user_set_language(user.id, client.locale).await?;
    }
    let opened = lifecycle::open(app, tx, user, organization, authentication, &client.device).await?;
    tx.continue_as(&client.principal(user.id, Some(opened.session_id)), Operation::LogIn)?;
    Ok(opened)
}
