//! Looks up links and pending verifications. A lookup changes nothing: mail scanners follow links.

use crate::context::App;
use crate::error::Error;
use crate::model::ids::AccountTokenId;
use crate::model::principal::{Operation, Principal};
use crate::model::verification::{AccountTokenKind, TokenPurpose};
use crate::store::{AccountTokenRow, Conn};

/// Longer than any token that is issued.
const MAX_TOKEN_LEN: usize = 64;

/// Returns the pending verification of a mailed link, if the link is valid.
pub async fn find_by_link(app: &App, principal: &Principal, token: &str) -> Result<Option<AccountTokenRow>, Error> {
    let mut conn = app.store.read(principal, Operation::PresentSecret).await?;
    look_up(app, &mut conn, TokenPurpose::EmailVerification, token).await
}

/// Returns the pending verification with this id, unless it has expired.
pub async fn find(app: &App, principal: &Principal, id: AccountTokenId) -> Result<Option<AccountTokenRow>, Error> {
    let now = app.clock.now();
    let row = app.store.read(principal, Operation::PresentSecret).await?.account_token_find(id).await?;
    Ok(row.filter(|row| now < row.expires_at))
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
