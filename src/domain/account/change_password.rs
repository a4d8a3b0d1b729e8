//! Change of the password by its owner.

use crate::context::App;
use crate::crypto::hashing_shares::Requester;
use crate::crypto::password::normalized;
use crate::domain::change::Change;
use crate::domain::identity::new_password::password_problem;
use crate::domain::login::prompt::{PasswordPrompt, PromptedPassword, WRONG_PASSWORD, matches_hash};
use crate::error::Error;
use crate::mail::{self, Notice};
use crate::messages::Message;
use crate::model::auth_method::AuthMethod;
use crate::model::change::AccountChange;
use crate::model::device::Device;
use crate::model::ids::{SessionId, UserId};
use crate::model::principal::{Operation, Principal};
use crate::model::session::EndReason;
use crate::model::verification::AccountTokenKind;
use crate::refusal::{ChangeError, Refusal};
use crate::store::{Tx, UserRow};
use secrecy::{ExposeSecret, SecretString};

pub struct NewPassword {
    /// The current password; ignored for an account without one, which must reauthenticate before.
    pub current: SecretString,
    pub new: SecretString,
    pub end_others: bool,
}

/// Changes the password of the logged-in user. The current password, which was verified, also reauthenticates `session`.
pub struct ChangePassword {
    user: UserId,
    session: SessionId,
    /// The hash of the current password.
    verified: Option<String>,
    hash: String,
    end_others: bool,
}

impl ChangePassword {
    /// Judges the new password, verifies the current one, and hashes the new one.
    ///
    /// An account without a password must have reauthenticated before: `is_reauthenticated`.
    pub async fn prepare(
        app: &App,
        principal: &Principal,
        (user, session): (UserId, SessionId),
        input: NewPassword,
        is_reauthenticated: bool,
        device: &Device,
    ) -> Result<Self, ChangeError> {
        let stored = app.store.read_own(principal, Operation::ReadOwnAccount, user).await?.user_find(user).await?;
        let stored = stored.ok_or_else(wrong_current)?;
        check(app, &stored, &input).await?;
        let is_verified = match &stored.password_hash {
            Some(hash) => {
                let (prompt, password) = (PasswordPrompt::PasswordChange, input.current);
                let typed = PromptedPassword { prompt, password, device };
                matches_hash(app, principal, Some(user), Some(hash.clone()), typed).await?
            }
            None => is_reauthenticated,
        };
        if !is_verified {
            return Err(wrong_current().into());
        }
        let requester = Requester::client(Some(user), device);
        let hash = app.passwords.hash(input.new, requester).await.map_err(Error::from)?;
        Ok(Self { user, session, verified: stored.password_hash, hash, end_others: input.end_others })
    }
}

impl Change for ChangePassword {
    const OPERATION: Operation = Operation::ChangeOwnAccount;
    type Made = ();

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<(), ChangeError> {
        let Self { user, session, verified, hash, end_others } = self;
        let locked = tx.user_lock_own().await?.ok_or_else(wrong_current)?;
        if !tx.user_set_password_hash(user, verified.as_deref(), &hash).await? {
            // Changed concurrently, so the given current password is outdated.
            return Err(wrong_current().into());
        }
        // Void reset links: someone with access to the mailbox may have requested one.
        tx.account_tokens_delete_of_user(user, AccountTokenKind::PasswordReset).await?;
        if end_others {
            tx.sessions_end_others(user, session, EndReason::PasswordSet.as_str()).await?;
        }
        tx.session_add_method(session, AuthMethod::Password).await?;
        tx.record_account(user, AccountChange::PasswordChanged).await?;
        Ok(mail::notify(app, tx, &locked, Notice::PasswordChanged).await?)
    }
}

fn wrong_current() -> Refusal {
    Refusal::field("current", WRONG_PASSWORD.clone())
}

async fn check(app: &App, user: &UserRow, input: &NewPassword) -> Result<(), Refusal> {
    let personal = [user.email.as_str(), user.username.as_str()];
    if let Some(problem) = password_problem(app, &input.new, &personal).await {
        return Err(Refusal::field("password", problem.message()));
    }
    let [new, current] = [&input.new, &input.current].map(|password| normalized(password.expose_secret()));
    if user.password_hash.is_some() && new == current {
        return Err(Refusal::field("password", Message::new("password-same")));
    }
    Ok(())
}
