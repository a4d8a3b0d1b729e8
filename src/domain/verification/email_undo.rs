//! The way back from a change of address, for whoever held the old one.

use super::link::look_up;
use super::password_reset::link_at_once;
use crate::context::App;
use crate::crypto::token_hash::LinkToken;
use crate::domain::account::credentials;
use crate::domain::account::identity::Email;
use crate::error::Error;
use crate::model::audit::{AuditEntry, AuditKind, By};
use crate::model::device::Device;
use crate::model::event::Event;
use crate::model::session::EndReason;
use crate::model::verification::{Kind, TokenPurpose};
use crate::store::{Constraint, StoreError};
use std::time::Duration;

/// A change that was taken back.
pub struct Undone {
    /// The link that sets a new password: the old one may be known to whoever changed the address.
    pub reset: LinkToken,
}

/// Why a change was not taken back.
#[derive(Debug, thiserror::Error)]
pub enum UndoError {
    /// The link was used, is over, or never was.
    #[error("the link is not valid")]
    Unknown,
    /// The address has another account by now.
    #[error("the address has another account")]
    AddressTaken,
    /// A fault of ours.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for UndoError {
    fn from(error: StoreError) -> Self {
        UndoError::Failed(error.into())
    }
}

/// The address that a link brings back, if it is still good.
pub async fn find_undo(app: &App, token: &str) -> Result<Option<String>, Error> {
    let mut conn = app.store.read().await?;
    Ok(look_up(app, &mut conn, TokenPurpose::EmailUndo, token).await?.map(|row| row.email))
}

/// Whoever takes an account over may add a passkey before they change the address. What is older than this was told to
/// the old address long enough before.
const BEFORE: Duration = Duration::from_hours(72);

/// Brings the old address back, ends every session, and removes every way to log in that was made after the change or in
/// the days before it, and the password: whoever changed the address knew it.
pub async fn undo(app: &App, token: &str, device: &Device) -> Result<Undone, UndoError> {
    let found = look_up(app, &mut app.store.read().await?, TokenPurpose::EmailUndo, token).await?;
    let user = found.and_then(|row| row.user_id).ok_or(UndoError::Unknown)?;
    let mut tx = app.store.begin().await?;
    let user = tx.user_lock(user).await?.ok_or(UndoError::Unknown)?;
    let row = look_up(app, &mut tx, TokenPurpose::EmailUndo, token).await?;
    let row = row.filter(|row| row.user_id == Some(user.id)).ok_or(UndoError::Unknown)?;
    match tx.user_set_email(user.id, &row.email, &row.email_key).await {
        Err(StoreError::Constraint(Constraint::UserEmail)) => return Err(UndoError::AddressTaken),
        outcome => outcome?,
    }
    tx.outbox_push(&Event::UserUpdated { user_id: user.id }).await?;
    credentials::credentials_remove_since(&mut tx, user.id, row.created_at - BEFORE).await?;
    tx.sessions_end_of_user(user.id, EndReason::ChangeUndone.as_str()).await?;
    // Ways back from this change and from later ones; earlier ones stay good.
    tx.account_tokens_delete_undos_since(user.id, row.created_at).await?;
    for kind in [Kind::EmailChange, Kind::Verification] {
        tx.account_tokens_delete_of_user(user.id, kind).await?;
    }
    let by = By::user(user.id, None, device.clone());
    tx.audit_push(&AuditEntry::new(AuditKind::EmailChangeUndone, user.id, &by)).await?;
    let reset = link_at_once(app, &mut tx, user.id, &Email::stored(&row.email)).await?;
    tx.commit().await?;
    tracing::warn!(user = %user.id, "a change of e-mail address was taken back");
    Ok(Undone { reset })
}
