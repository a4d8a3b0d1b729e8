//! Passwords that forms other than the login ask for. All of them are checked here, so that each leaves a trace in the
//! audit log (OWASP ASVS 5.0, 16.3.1): a session that was stolen could be used to guess the password.

use crate::context::App;
use crate::crypto::hashing_shares::Requester;
use crate::error::Error;
use crate::messages::Message;
use crate::model::audit::AuditKind;
use crate::model::change::AccountChange;
use crate::model::device::Device;
use crate::model::ids::UserId;
use crate::model::names::names;
use crate::model::principal::{Operation, Principal};
use secrecy::SecretString;

/// What is wrong with the field of a password that is not the account's.
pub static WRONG_PASSWORD: Message = Message::new("password-wrong");

names! {
    /// What a password is asked for. The names are details of its entries in the audit log.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum PasswordPrompt {
        Reauthentication = "",
        PasswordChange = "password_change",
        AccountDeletion = "account_deletion",
        TwoFactorRemoval = "two_factor_removal",
        /// To verify an email address: with a link that was opened in another browser, or at a login that requires it.
        EmailVerification = "email_verification",
    }
}

impl PasswordPrompt {
    /// Whether the transaction of the action records that the password was right. A deletion or a removal may still be
    /// refused or fail, so there the password has an entry of its own.
    const fn is_recorded_by_action(self) -> bool {
        match self {
            PasswordPrompt::Reauthentication | PasswordPrompt::PasswordChange | PasswordPrompt::EmailVerification => {
                true
            }
            PasswordPrompt::AccountDeletion | PasswordPrompt::TwoFactorRemoval => false,
        }
    }
}

/// A password that was typed at a prompt.
pub struct PromptedPassword<'a> {
    pub prompt: PasswordPrompt,
    pub password: SecretString,
    pub device: &'a Device,
}

/// Whether this is the password of the logged-in person.
pub async fn is_password(app: &App, principal: &Principal, typed: PromptedPassword<'_>) -> Result<bool, Error> {
    let Some(user) = principal.user_id() else { return Ok(false) };
    let mut conn = app.store.read_own(principal, Operation::Reauthenticate, user).await?;
    let stored = conn.user_find(user).await?.and_then(|user| user.password_hash);
    drop(conn);
    matches_hash(app, principal, Some(user), stored, typed).await
}

/// Whether a password has this hash: that of the user, or, without one, of a pending signup.
pub(in crate::domain) async fn matches_hash(
    app: &App,
    principal: &Principal,
    user: Option<UserId>,
    stored: Option<String>,
    typed: PromptedPassword<'_>,
) -> Result<bool, Error> {
    let PromptedPassword { prompt, password, device } = typed;
    if !app.passwords.verify(password, stored, Requester::client(user, device)).await?.is_match() {
        let now = app.clock.now();
        app.failed_attempts.record_for(AuditKind::ConfirmFailed, prompt.as_str(), user, device, now);
        return Ok(false);
    }
    if let Some(user) = user.filter(|_| !prompt.is_recorded_by_action()) {
        let mut tx = app.store.begin_autocommit(principal, Operation::Reauthenticate).await?;
        tx.require_own(user)?;
        tx.record_account(user, AccountChange::Confirmed(prompt.as_str())).await?;
        tx.commit().await?;
    }
    Ok(true)
}
