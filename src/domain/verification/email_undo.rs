//! Undoes a change of email address, for the owner of the old one.

use super::password_reset::{NO_LINK, issue_reset_link};
use crate::context::App;
use crate::crypto::token_hash::LinkToken;
use crate::domain::identity::identifiers::EmailAddress;
use crate::domain::mailed_token::link::look_up;
use crate::domain::ownership::ways_in::{self, EndedWays};
use crate::error::Error;
use crate::model::change::AccountChange;
use crate::model::device::Device;
use crate::model::principal::{Operation, Principal};
use crate::model::session::EndReason;
use crate::model::verification::TokenPurpose;
use crate::refusal::{ChangeError, Refusal, Rule};
use crate::store::{Constraint, StoreError};
use std::time::Duration;

pub struct Undone {
    /// The link that sets a new password: the account thief may know the old one.
    pub reset: LinkToken,
}

/// Another account has taken the address since.
const ADDRESS_TAKEN: Refusal = Refusal::rule(Rule::Conflict, "address-taken-title");

/// Returns the address that a link restores, if the link is valid.
pub async fn find_undo(app: &App, principal: &Principal, token: &str) -> Result<Option<String>, Error> {
    let mut conn = app.store.read(principal, Operation::PresentSecret).await?;
    Ok(look_up(app, &mut conn, TokenPurpose::EmailUndo, token).await?.map(|row| row.email))
}

/// How far before the change credentials are removed: an account thief may add a passkey first and change the address
/// later. For older ones, the notice to the old address left enough time to react.
const CREDENTIAL_LOOKBACK_INTERVAL: Duration = Duration::from_hours(72);

/// Restores the old address, ends every session, and removes the password, which the account thief knew, and every
/// other credential added after the change or within [`CREDENTIAL_LOOKBACK_INTERVAL`] before it.
pub async fn undo(app: &App, token: &str, device: &Device) -> Result<Undone, ChangeError> {
    let anonymous = Principal::anonymous(device.clone());
    let mut conn = app.store.read(&anonymous, Operation::PresentSecret).await?;
    let found = look_up(app, &mut conn, TokenPurpose::EmailUndo, token).await?;
    drop(conn);
    let user = found.and_then(|row| row.user_id).ok_or(NO_LINK)?;
    let mut tx = app.store.begin(&anonymous, Operation::PresentSecret).await?;
    let user = tx.user_lock(user).await?.ok_or(NO_LINK)?;
    let row = look_up(app, &mut tx, TokenPurpose::EmailUndo, token).await?;
    let row = row.filter(|row| row.user_id == Some(user.id)).ok_or(NO_LINK)?;
    tx.continue_as(&Principal::secret_holder(user.id, device.clone()), Operation::UndoEmailChange)?;
    tx.require_own(user.id)?;
    match tx.user_set_email(user.id, &row.email, &row.email_key).await {
        Err(StoreError::Constraint(Constraint::UserEmail)) => return Err(ADDRESS_TAKEN.into()),
        outcome => outcome?,
    }
    let since = row.created_at - CREDENTIAL_LOOKBACK_INTERVAL;
    ways_in::end(&mut tx, user.id, EndedWays::Since(since), EndReason::EmailChangeUndone).await?;
    // Undo links of this change and of later ones; earlier ones stay valid.
    tx.account_tokens_delete_undos_since(user.id, row.created_at).await?;
    tx.record_account(user.id, AccountChange::EmailChangeUndone).await?;
    let reset = issue_reset_link(app, &mut tx, user.id, &EmailAddress::from_stored(&row.email)).await?;
    tx.commit().await?;
    Ok(Undone { reset })
}
