//! An address is proved, by link or by code.

use super::link::look_up;
use super::token_check::{Proof, ProveError, Proved, checked};
use crate::context::App;
use crate::domain::login::complete::Arrival;
use crate::domain::registration::pending;
use crate::error::Error;
use crate::model::audit::{AuditEntry, AuditKind, By};
use crate::model::ids::{AccountTokenId, SessionId, UserId};
use crate::model::session::EndReason;
use crate::model::verification::{Kind, TokenPurpose};
use crate::store::AccountTokenRow;
use secrecy::SecretString;

/// What shows that whoever has the mail also made the account: a mailbox alone gives nobody an account that somebody else
/// has a password for.
pub enum Holder {
    /// This browser is logged in with the account.
    Session(SessionId, UserId),
    /// This browser signed up, or gave the right password, and was sent to prove the address.
    Browser(AccountTokenId),
    /// The password was typed beside the link.
    Password(SecretString),
}

/// Proves the address of an account or of a sign-up. For the first proof, whatever session the account had besides the
/// holder's own ends.
pub async fn prove(app: &App, proof: Proof<'_>, holder: Holder, arrival: &Arrival) -> Result<Proved, ProveError> {
    let mut conn = app.store.read().await?;
    let row = match proof {
        Proof::Link(token) => look_up(app, &mut conn, TokenPurpose::EmailVerification, token).await?,
        Proof::Code(id, _) => conn.account_token_find(id).await?,
    };
    let row = row.filter(|row| row.kind != Kind::EmailChange).ok_or(ProveError::Unknown)?;
    let stored = match row.user_id {
        Some(user) => conn.user_find(user).await?.and_then(|user| user.password_hash),
        None => row.password_hash.clone(),
    };
    drop(conn);
    must_be_holder(app, &row, &holder, stored.clone()).await?;
    let Some(user) = row.user_id else {
        return pending::complete(app, &row, proof, arrival).await;
    };
    let mut tx = app.store.begin().await?;
    let locked = tx.user_lock(user).await?.filter(|user| user.email == row.email);
    let locked = locked.filter(|user| user.password_hash == stored).ok_or(ProveError::Unknown)?;
    let (mut tx, row) = checked(app, tx, row.id, proof).await?;
    let own = match holder {
        Holder::Session(session, _) => Some(session),
        Holder::Browser(_) | Holder::Password(_) => None,
    };
    if locked.email_verified_at.is_none() {
        tx.user_set_email_verified(user).await?;
        tx.sessions_end_others(user, own.unwrap_or(SessionId(uuid::Uuid::nil())), EndReason::AddressProved.as_str())
            .await?;
        let by = By::user(user, own, arrival.device.clone());
        tx.audit_push(&AuditEntry::new(AuditKind::EmailVerified, user, &by)).await?;
    }
    tx.account_token_delete(row.id).await?;
    tx.account_tokens_delete_sign_ups(&row.email_key).await?;
    tx.commit().await?;
    tracing::info!(user = %user, "e-mail address proved");
    Ok(Proved::Verified { return_to: row.return_to })
}

async fn must_be_holder(
    app: &App,
    row: &AccountTokenRow,
    holder: &Holder,
    stored: Option<String>,
) -> Result<(), ProveError> {
    let is_holder = match holder {
        Holder::Session(_, user) => row.user_id == Some(*user),
        Holder::Browser(id) => row.id == *id,
        Holder::Password(password) => {
            app.passwords.verify(password.clone(), stored).await.map_err(Error::from)?.is_right()
        }
    };
    if is_holder { Ok(()) } else { Err(ProveError::NotHolder) }
}
