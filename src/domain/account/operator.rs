//! Use cases of operators on accounts.

use crate::context::App;
use crate::crypto::hashing_shares::Requester;
use crate::domain::change::{Change, lock_account};
use crate::domain::identity::new_password::password_problem;
use crate::error::Error;
use crate::mail::{self, Notice};
use crate::model::change::AccountChange;
use crate::model::ids::UserId;
use crate::model::mail_domain;
use crate::model::principal::{Operation, Principal};
use crate::model::session::EndReason;
use crate::model::verification::AccountTokenKind;
use crate::refusal::{ChangeError, Refusal, Rule};
use crate::store::{Store, StoreError, Tx, UserRow};
use secrecy::SecretString;

/// Finds a user by id, email address or username.
pub async fn find(store: &Store, principal: &Principal, identifier: &str) -> Result<UserRow, ChangeError> {
    let identifier = identifier.trim();
    let mut conn = store.read(principal, Operation::FindUsers).await?;
    if identifier.contains('@') {
        let found = conn.user_find_by_email(&mail_domain::key(identifier)).await?;
        return Ok(found.ok_or(Refusal::NotFound("user"))?);
    }
    let by_id = match uuid::Uuid::try_parse(identifier) {
        Ok(id) => conn.user_find(UserId(id)).await?,
        Err(_) => None,
    };
    let by_name = conn.user_find_by_username(&mail_domain::fold(identifier)).await?;
    match (by_id, by_name) {
        // The username is older than the rule that forbids such names.
        (Some(by_id), Some(by_name)) if by_id.id != by_name.id => Err(Refusal::in_english(
            Rule::Conflict,
            format!(
                "\"{identifier}\" is the id of {} and the username of {}; name the account by its email address",
                by_id.email, by_name.email
            ),
        )
        .into()),
        (by_id, by_name) => Ok(by_id.or(by_name).ok_or(Refusal::NotFound("user"))?),
    }
}

/// Sets a password, ends all sessions of the user, and mails them a notice.
pub struct SetPassword {
    user: UserId,
    hash: String,
}

impl SetPassword {
    /// Judges and hashes the password.
    pub async fn prepare(
        app: &App,
        principal: &Principal,
        user: &UserRow,
        password: SecretString,
    ) -> Result<Self, ChangeError> {
        principal.require(Self::OPERATION).map_err(StoreError::from)?;
        let personal = [user.email.as_str(), user.username.as_str()];
        if let Some(problem) = password_problem(app, &password, &personal).await {
            return Err(Refusal::field("password", problem.message()).into());
        }
        let hash = app.passwords.hash(password, Requester::OPERATOR).await.map_err(Error::from)?;
        Ok(Self { user: user.id, hash })
    }
}

impl Change for SetPassword {
    const OPERATION: Operation = Operation::SetPassword;
    type Made = ();

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<(), ChangeError> {
        let user = lock_account(tx, self.user).await?;
        tx.user_set_password_hash(user.id, user.password_hash.as_deref(), &self.hash).await?;
        tx.account_tokens_delete_of_user(user.id, AccountTokenKind::PasswordReset).await?;
        tx.sessions_end_of_user(user.id, EndReason::PasswordSet.as_str()).await?;
        tx.record_account(user.id, AccountChange::PasswordChanged).await?;
        Ok(mail::notify(app, tx, &user, Notice::PasswordChanged).await?)
    }
}
