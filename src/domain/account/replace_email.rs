//! The email address of an account, as operators and applications' backends set it.

use crate::context::App;
use crate::domain::identity::availability::{EmailAvailability, email_availability};
use crate::domain::identity::field_errors::EMAIL_TAKEN;
use crate::domain::identity::identifiers::EmailAddress;
use crate::mail::{self, Notice};
use crate::messages::Message;
use crate::model::change::AccountChange;
use crate::model::ids::UserId;
use crate::model::placeholder_email::is_placeholder;
use crate::model::verification::AccountTokenKind;
use crate::refusal::{ChangeError, Refusal};
use crate::store::{Constraint, StoreError, Tx, UserRow};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verification {
    Unchanged,
    /// It is verified now, or no more: no event says so.
    Alone,
    /// It is another one.
    WithAddress,
}

/// Gives a locked account another address, and tells the old one, if that was verified. Every link and code that was
/// mailed before ends, the way back from an earlier change too: the reader of the old mailbox may not be the owner.
pub(super) async fn replace_email(
    app: &App,
    tx: &mut Tx,
    stored: &UserRow,
    email: &EmailAddress,
    verified: bool,
) -> Result<Verification, ChangeError> {
    if email_availability(tx, &email.key(), Some(stored.id)).await? != EmailAvailability::Free {
        return Err(refused(EMAIL_TAKEN.clone()));
    }
    match tx.user_set_email_as(stored.id, email.as_str(), &email.key(), verified).await {
        Err(StoreError::Constraint(Constraint::UserEmail)) => return Err(refused(EMAIL_TAKEN.clone())),
        outcome => outcome?,
    }
    end_links(tx, stored.id).await?;
    if verified {
        tx.account_tokens_delete_signups(&email.key()).await?;
    }
    tx.record_account(stored.id, AccountChange::EmailChanged).await?;
    mail::notify(app, tx, stored, Notice::EmailReplaced).await?;
    Ok(Verification::WithAddress)
}

/// Marks the address of a locked account as verified, or as not.
pub(super) async fn set_verified(
    app: &App,
    tx: &mut Tx,
    stored: &UserRow,
    verified: Option<bool>,
) -> Result<Verification, ChangeError> {
    let Some(verified) = verified.filter(|verified| *verified != stored.email_verified_at.is_some()) else {
        return Ok(Verification::Unchanged);
    };
    if is_placeholder(&stored.email) {
        return Err(refused(Message::new("email-missing")));
    }
    let key = EmailAddress::from_stored(&stored.email).key();
    tx.user_set_email_as(stored.id, &stored.email, &key, verified).await?;
    if verified {
        tx.account_tokens_delete_of_user(stored.id, AccountTokenKind::Verification).await?;
        tx.account_tokens_delete_signups(&key).await?;
        tx.record_account(stored.id, AccountChange::EmailVerified).await?;
    } else {
        tx.record_account(stored.id, AccountChange::EmailUnverified).await?;
        // Nothing is mailed to an address once it is not verified: so it hears of this, or of nothing that follows.
        if tx.principal().is_administrator() {
            mail::notify(app, tx, stored, Notice::EmailReplaced).await?;
        }
    }
    Ok(Verification::Alone)
}

async fn end_links(tx: &mut Tx, user: UserId) -> Result<(), StoreError> {
    use AccountTokenKind as Kind;
    for kind in [Kind::EmailChange, Kind::PasswordReset, Kind::Verification, Kind::EmailUndo] {
        tx.account_tokens_delete_of_user(user, kind).await?;
    }
    Ok(())
}

fn refused(email: Message) -> ChangeError {
    Refusal::field("email", email).into()
}
