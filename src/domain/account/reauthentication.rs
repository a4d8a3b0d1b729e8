//! Step-up: a logged-in user reauthenticates before a change of credentials (OWASP ASVS 5.0, 7.5.1). Each method is a
//! variant of [`Reauthentication`].

use crate::context::App;
use crate::crypto::passkey::PasskeyError;
use crate::domain::change::Change;
use crate::domain::login::prompt::{PasswordPrompt, PromptedPassword, is_password};
use crate::domain::mailed_token::own_code::{self, AskedIn, OwnCode};
use crate::domain::mailed_token::request::NOTHING_PENDING;
use crate::domain::mailed_token::token_check::VerifyError;
use crate::domain::mfa::code::{self, SecondFactor, SecondFactorCheck};
use crate::domain::mfa::passkey::verify::{self, AssertionError};
use crate::domain::mfa::passkey::{add, reauthentication};
use crate::error::Error;
use crate::messages::Locale;
use crate::model::audit::AuditKind;
use crate::model::auth_method::AuthMethod;
use crate::model::change::AccountChange;
use crate::model::device::Device;
use crate::model::ids::{SessionId, UserId};
use crate::model::principal::{Operation, Principal};
use crate::rate_limit::RefusedUntil;
use crate::refusal::ChangeError;
use crate::store::{StoreError, Tx};
use secrecy::SecretString;

pub enum Reauthentication<'a> {
    Password(SecretString),
    /// A passkey's response to [`reauthentication::reauthentication_challenge`].
    Passkey(add::PasskeyResponse<'a>),
    /// A code of the account's authenticator app, or a recovery code.
    Code(SecondFactor<'a>),
    /// A mailed code, for an account that has neither password nor passkey.
    MailedCode(&'a str),
}

impl Reauthentication<'_> {
    /// What the session notes of it, and the detail in the audit log.
    const fn method(&self) -> (AuthMethod, &'static str) {
        match self {
            Reauthentication::Password(_) => (AuthMethod::Password, ""),
            Reauthentication::Passkey(_) => (AuthMethod::Passkey, "passkey"),
            Reauthentication::Code(factor) => (factor.method(), "second factor"),
            Reauthentication::MailedCode(_) => (AuthMethod::MailedLink, "mailed code"),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ReauthenticationError {
    /// It is not the account's password, not a passkey of the account, or a wrong code.
    #[error("not the account's password, passkey or code")]
    Wrong,
    /// The app's code, and used before: the next one is needed.
    #[error("a code that was used")]
    Used,
    /// The challenge of the passkey has expired, or was used before.
    #[error("the challenge is void")]
    Void,
    /// Too many wrong codes in a row on the account; a recovery code is accepted.
    #[error("codes of the app are not accepted")]
    Refused(RefusedUntil),
    /// The mailed code is wrong or over, or the account has other means.
    #[error(transparent)]
    MailedCode(VerifyError),
    #[error("the session has ended")]
    SessionEnded,
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for ReauthenticationError {
    fn from(error: StoreError) -> Self {
        ReauthenticationError::Failed(error.into())
    }
}

/// Verifies the credential; if it is right, the session has it: what it proves, its method says.
pub async fn confirm(
    app: &App,
    principal: &Principal,
    (user, session): (UserId, SessionId),
    credential: Reauthentication<'_>,
    device: &Device,
) -> Result<(), ReauthenticationError> {
    let (method, detail) = credential.method();
    if let Reauthentication::Password(password) = &credential {
        let prompt = PasswordPrompt::Reauthentication;
        let typed = PromptedPassword { prompt, password: password.clone(), device };
        if !is_password(app, principal, typed).await? {
            return Err(ReauthenticationError::Wrong);
        }
    }
    let mut tx = app.store.begin(principal, Operation::Reauthenticate).await?;
    let locked = tx.user_lock_own().await?.ok_or(ReauthenticationError::SessionEnded)?;
    match credential {
        Reauthentication::Password(_) => {}
        Reauthentication::Passkey(response) => reauthentication::verify_response(app, &mut tx, user, &response)
            .await
            .map_err(|error| refuse(app, user, device, error))?,
        Reauthentication::Code(factor) => match code::check_code(app, &mut tx, user, factor).await? {
            SecondFactorCheck::Valid => record_used(&mut tx, user, method).await?,
            SecondFactorCheck::Wrong => {
                let wrong = tx.commit_refusal(ReauthenticationError::Wrong).await?;
                app.failed_attempts.record(AuditKind::ConfirmFailed, Some(user), device, app.clock.now());
                return Err(wrong);
            }
            SecondFactorCheck::Used => return Err(ReauthenticationError::Used),
            SecondFactorCheck::Refused(until) => return Err(ReauthenticationError::Refused(until)),
        },
        Reauthentication::MailedCode(typed) => {
            if own_code::offered(app, &mut tx, &locked, AskedIn::Session(session)).await?.is_none() {
                return Err(ReauthenticationError::Wrong);
            }
            if let Err(refusal) = own_code::check_in_session(app, &mut tx, &locked, session, typed).await {
                app.failed_attempts.record(AuditKind::ConfirmFailed, Some(user), device, app.clock.now());
                return Err(ReauthenticationError::MailedCode(refusal.end(tx).await));
            }
        }
    }
    if !tx.session_add_method(session, method).await? {
        return Err(ReauthenticationError::SessionEnded);
    }
    tx.record_account(user, AccountChange::Confirmed(detail)).await?;
    Ok(tx.commit().await?)
}

/// The code that may be mailed to the person of a session; `None` if the account has a password, a passkey or no address.
pub async fn mailed_code(
    app: &App,
    principal: &Principal,
    (user, session): (UserId, SessionId),
) -> Result<Option<OwnCode>, Error> {
    let mut conn = app.store.read_own(principal, Operation::ReadOwnAccount, user).await?;
    match conn.user_find(user).await? {
        Some(user) => own_code::offered(app, &mut conn, &user, AskedIn::Session(session)).await,
        None => Ok(None),
    }
}

/// Whether an account has a password or a passkey.
pub async fn has_own_means(app: &App, principal: &Principal, user: UserId) -> Result<bool, Error> {
    let mut conn = app.store.read_own(principal, Operation::ReadOwnAccount, user).await?;
    match conn.user_find(user).await? {
        Some(user) => Ok(own_code::has_own_means(&mut conn, &user).await?),
        None => Ok(false),
    }
}

/// Emails it. [`NOTHING_PENDING`] if none is offered.
pub struct SendMailedCode {
    pub session: SessionId,
    pub locale: Locale,
}

impl Change for SendMailedCode {
    const OPERATION: Operation = Operation::Reauthenticate;
    type Made = ();

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<(), ChangeError> {
        let user = tx.user_lock_own().await?.ok_or(NOTHING_PENDING)?;
        let asked_in = AskedIn::Session(self.session);
        if own_code::offered(app, tx, &user, asked_in).await?.is_none() {
            return Err(NOTHING_PENDING.into());
        }
        own_code::send(app, tx, &user, asked_in, self.locale).await
    }
}

/// A recovery code is gone once it was used, so the owner sees when.
async fn record_used(tx: &mut Tx, user: UserId, method: AuthMethod) -> Result<(), StoreError> {
    match method {
        AuthMethod::RecoveryCode => tx.record_account(user, AccountChange::RecoveryCodeUsed).await,
        _ => Ok(()),
    }
}

fn refuse(app: &App, user: UserId, device: &Device, error: AssertionError) -> ReauthenticationError {
    match error {
        AssertionError::Failed(error) => error.into(),
        AssertionError::Refused(error) => {
            verify::record_refused(app, AuditKind::ConfirmFailed, Some(user), device, &error);
            if error == PasskeyError::InvalidChallenge {
                ReauthenticationError::Void
            } else {
                ReauthenticationError::Wrong
            }
        }
    }
}
