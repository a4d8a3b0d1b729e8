//! Whether an email address is free for a new account.

use crate::model::ids::UserId;
use crate::model::verification::AccountTokenKind;
use crate::store::{AccountTokenRow, Conn, StoreError};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::domain) enum EmailAvailability {
    Free,
    /// An account that never verified it. The person who verifies it by a signup is asked whose account it is.
    HeldUnverified,
    /// An account that verified it; or the previous owner may still take it back.
    Taken,
    /// As taken, but by an account that never verified it: one that is disabled, or any if an account changes to it.
    Blocked,
}

impl EmailAvailability {
    /// Whether no new account can have it.
    pub(in crate::domain) fn is_taken(self) -> bool {
        matches!(self, Self::Taken | Self::Blocked)
    }
}

/// Whether the address with this folded form is free for the existing account `own`, or for a new one.
pub(in crate::domain) async fn email_availability(
    conn: &mut Conn,
    email_key: &str,
    own: Option<UserId>,
) -> Result<EmailAvailability, StoreError> {
    let holder = conn.user_find_by_email(email_key).await?.filter(|holder| Some(holder.id) != own);
    let reserved = conn.email_is_reserved(email_key, own).await?;
    Ok(match holder {
        _ if reserved => EmailAvailability::Taken,
        None => EmailAvailability::Free,
        Some(holder) if holder.email_verified_at.is_some() => EmailAvailability::Taken,
        Some(holder) if holder.disabled_at.is_some() => EmailAvailability::Blocked,
        Some(_) => EmailAvailability::HeldUnverified,
    })
}

/// Whether an address that is pending verification is free. Only a signup may take it from an unverified account.
pub(in crate::domain) async fn availability_of(
    conn: &mut Conn,
    row: &AccountTokenRow,
) -> Result<EmailAvailability, StoreError> {
    let availability = email_availability(conn, &row.email_key, row.user_id).await?;
    let blocks = availability == EmailAvailability::HeldUnverified && row.kind != AccountTokenKind::Signup;
    Ok(if blocks { EmailAvailability::Blocked } else { availability })
}
