//! Looks up links and pending verifications. A lookup changes nothing: mail scanners follow links.

use crate::context::App;
use crate::error::Error;
use crate::model::ids::{AccountTokenId, UserId};
use crate::model::principal::{Operation, Principal};
use crate::model::time::Time;
use crate::model::verification::{AccountTokenKind, TokenPurpose};
use crate::store::{AccountTokenRow, Conn};

/// Longer than any token that is issued.
const MAX_TOKEN_LEN: usize = 64;

/// A verification that waits for its code or link, as a page shows it.
pub struct PendingVerification {
    pub id: AccountTokenId,
    pub kind: AccountTokenKind,
    pub email: String,
    /// Whose account it is; `None` before the signup is complete.
    pub user_id: Option<UserId>,
    pub sent_at: Time,
    /// Whether a password shows who created the account, or who signed up.
    pub has_password: bool,
}

impl From<AccountTokenRow> for PendingVerification {
    fn from(AccountTokenRow { id, kind, email, user_id, sent_at, password_hash, .. }: AccountTokenRow) -> Self {
        Self { id, kind, email, user_id, sent_at, has_password: password_hash.is_some() }
    }
}

/// Returns the pending verification of a mailed link, if the link is valid.
pub async fn find_by_link(app: &App, principal: &Principal, token: &str) -> Result<Option<PendingVerification>, Error> {
    let mut conn = app.store.read(principal, Operation::PresentSecret).await?;
    let Some(row) = look_up(app, &mut conn, TokenPurpose::EmailVerification, token).await? else { return Ok(None) };
    let user = match row.user_id {
        Some(user) => conn.user_find(user).await?,
        None => None,
    };
    let mut pending = PendingVerification::from(row);
    pending.has_password |= user.is_some_and(|user| user.password_hash.is_some());
    Ok(Some(pending))
}

/// Returns the pending verification with this id, unless it has expired.
pub async fn find(app: &App, principal: &Principal, id: AccountTokenId) -> Result<Option<PendingVerification>, Error> {
    let now = app.clock.now();
    let row = app.store.read(principal, Operation::PresentSecret).await?.account_token_find(id).await?;
    Ok(row.filter(|row| now < row.expires_at).map(Into::into))
}

/// Returns the row of a link, if the link is valid.
pub(in crate::domain) async fn look_up(
    app: &App,
    conn: &mut Conn,
    purpose: TokenPurpose,
    token: &str,
) -> Result<Option<AccountTokenRow>, Error> {
    if token.len() > MAX_TOKEN_LEN {
        return Ok(None);
    }
    let now = app.clock.now();
    for hash in app.secret_keys.token_hashes(purpose, token) {
        let found = conn.account_token_find_by_hash(&hash).await?;
        if let Some(row) = found.filter(|row| now < row.expires_at && AccountTokenKind::purpose(row.kind) == purpose) {
            return Ok(Some(row));
        }
    }
    Ok(None)
}
