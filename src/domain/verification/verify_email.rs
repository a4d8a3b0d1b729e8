//! Verifies an email address, by link or by code.

use super::missing_address::{AddressEntry, entry_of};
use crate::context::App;
use crate::domain::identity::availability::availability_of;
use crate::domain::login::complete::{self, ClientContext};
use crate::domain::login::pending as pending_login;
use crate::domain::login::prompt::{PasswordPrompt, PromptedPassword, matches_hash};
use crate::domain::mailed_token::link::look_up;
use crate::domain::mailed_token::token_check::{MailedSecret, VerifyError, VerifyOutcome, verify_secret};
use crate::domain::ownership::unverified::HolderAnswer;
use crate::domain::registration::pending;
use crate::model::change::AccountChange;
use crate::model::device::Device;
use crate::model::ids::{AccountTokenId, SessionId};
use crate::model::placeholder_email::is_placeholder;
use crate::model::principal::{Operation, Principal};
use crate::model::session::EndReason;
use crate::model::verification::{AccountTokenKind, TokenPurpose};
use crate::store::{AccountTokenRow, Constraint, StoreError, Tx, UserRow};
use secrecy::SecretString;

/// What shows that the user of the email also created the account: control of the mailbox alone does not give access to
/// an account for which someone else has a password.
pub enum OwnershipEvidence {
    /// This browser is logged in with the account of this person.
    Session(Principal),
    /// This browser signed up, or sent the right password, and was asked to verify the address.
    Browser(AccountTokenId),
    /// The password was typed on the page of the link.
    Password(SecretString),
}

/// Verifies the address of an account or of a pending signup. The first verification ends every session of the account
/// except the holder's own. `answer` says whose account already holds the address of a signup.
pub async fn verify(
    app: &App,
    secret: MailedSecret<'_>,
    holder: OwnershipEvidence,
    answer: Option<HolderAnswer>,
    client: &ClientContext,
) -> Result<VerifyOutcome, VerifyError> {
    let anonymous = client.anonymous();
    let mut conn = app.store.read(&anonymous, Operation::PresentSecret).await?;
    let row = match secret {
        MailedSecret::Link(token) => look_up(app, &mut conn, TokenPurpose::EmailVerification, token).await?,
        MailedSecret::Code { id, .. } => conn.account_token_find(id).await?,
    };
    let verifies =
        |row: &AccountTokenRow| matches!(row.kind, AccountTokenKind::Signup | AccountTokenKind::Verification);
    let row = row.filter(verifies).ok_or(VerifyError::Unknown)?;
    let stored = match row.user_id {
        Some(user) => conn.user_find(user).await?.and_then(|user| user.password_hash),
        None => row.password_hash.clone(),
    };
    drop(conn);
    require_holder(app, &anonymous, &row, &holder, stored.clone(), &client.device).await?;
    let Some(user) = row.user_id else {
        return pending::complete(app, &row, secret, answer, client).await;
    };
    let mut tx = app.store.begin(&anonymous, Operation::PresentSecret).await?;
    let is_wanted = |user: &UserRow| user.email == row.email || is_placeholder(&user.email);
    let locked = tx.user_lock(user).await?.filter(is_wanted);
    let locked = locked.filter(|user| user.password_hash == stored).ok_or(VerifyError::Unknown)?;
    let row = match verify_secret(app, &mut tx, row.id, secret).await {
        Ok(row) => row,
        Err(refusal) => return Err(refusal.end(tx).await),
    };
    let principal = match &holder {
        OwnershipEvidence::Session(principal) => principal.clone(),
        OwnershipEvidence::Browser(_) | OwnershipEvidence::Password(_) => {
            Principal::secret_holder(user, client.device.clone())
        }
    };
    tx.continue_as(&principal, Operation::VerifyAddress)?;
    tx.require_own(user)?;
    if matches!(holder, OwnershipEvidence::Password(_)) {
        tx.record_account(user, AccountChange::Confirmed(PasswordPrompt::EmailVerification.as_str())).await?;
    }
    if locked.email != row.email {
        set_missing_address(app, &mut tx, &row, &locked).await?;
    }
    let own = principal.actor().session();
    if locked.email_verified_at.is_none() {
        tx.user_set_email_verified(user).await?;
        tx.sessions_end_others(user, own.unwrap_or(SessionId(uuid::Uuid::nil())), EndReason::EmailVerified.as_str())
            .await?;
        tx.record_account(user, AccountChange::EmailVerified).await?;
    }
    let opened = match own {
        None => complete::complete_by_mail(app, &mut tx, &locked, client).await?,
        Some(_) => None,
    };
    tx.account_token_delete(row.id).await?;
    tx.account_tokens_delete_signups(&row.email_key).await?;
    tx.commit().await?;
    Ok(opened.map_or(VerifyOutcome::Verified { return_to: row.return_to }, VerifyOutcome::LoggedIn))
}

/// Sets the address of an account that has none, while the login that asked for it waits and may still enter one.
async fn set_missing_address(app: &App, tx: &mut Tx, row: &AccountTokenRow, user: &UserRow) -> Result<(), VerifyError> {
    let waiting = pending_login::find_mailed(app, tx, user, row.id).await?.ok_or(VerifyError::Unknown)?;
    if entry_of(app, tx, &waiting, user).await? != AddressEntry::Permitted {
        return Err(VerifyError::Unknown);
    }
    if availability_of(tx, row).await?.is_taken() {
        return Err(VerifyError::AddressTaken);
    }
    match tx.user_set_email(user.id, &row.email, &row.email_key).await {
        Err(StoreError::Constraint(Constraint::UserEmail)) => return Err(VerifyError::AddressTaken),
        outcome => outcome?,
    }
    Ok(tx.record_account(user.id, AccountChange::EmailChanged).await?)
}

async fn require_holder(
    app: &App,
    principal: &Principal,
    row: &AccountTokenRow,
    holder: &OwnershipEvidence,
    stored: Option<String>,
    device: &Device,
) -> Result<(), VerifyError> {
    let is_holder = match holder {
        OwnershipEvidence::Session(principal) => row.user_id.is_some() && row.user_id == principal.user_id(),
        OwnershipEvidence::Browser(id) => row.id == *id,
        OwnershipEvidence::Password(password) => {
            let (prompt, password) = (PasswordPrompt::EmailVerification, password.clone());
            let typed = PromptedPassword { prompt, password, device };
            matches_hash(app, principal, row.user_id, stored, typed).await?
        }
    };
    if is_holder { Ok(()) } else { Err(VerifyError::NotHolder) }
}
