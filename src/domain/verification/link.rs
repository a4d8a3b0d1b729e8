//! Links and tickets looked up. Looking changes nothing: mail scanners follow links.

use crate::context::App;
use crate::error::Error;
use crate::model::ids::AccountTokenId;
use crate::model::verification::{Kind, TokenPurpose};
use crate::store::{AccountTokenRow, Conn};

/// No token of ours is longer.
const TOKEN_MAX: usize = 64;

/// What the link of a mail that proves an address is for, if it is still good.
pub async fn find_by_link(app: &App, token: &str) -> Result<Option<AccountTokenRow>, Error> {
    let mut conn = app.store.read().await?;
    look_up(app, &mut conn, TokenPurpose::EmailVerification, token).await
}

/// What waits under this id, if it still does.
pub async fn find(app: &App, id: AccountTokenId) -> Result<Option<AccountTokenRow>, Error> {
    let now = app.clock.now();
    let row = app.store.read().await?.account_token_find(id).await?;
    Ok(row.filter(|row| now < row.expires_at))
}

/// The row of a link, if it is still good.
pub(super) async fn look_up(
    app: &App,
    conn: &mut Conn,
    purpose: TokenPurpose,
    token: &str,
) -> Result<Option<AccountTokenRow>, Error> {
    if token.len() > TOKEN_MAX {
        return Ok(None);
    }
    let now = app.clock.now();
    for hash in app.secret_keys.token_hashes(purpose, token) {
        let found = conn.account_token_find_by_hash(&hash).await?;
        if let Some(row) = found.filter(|row| now < row.expires_at && Kind::purpose(row.kind) == purpose) {
            return Ok(Some(row));
        }
    }
    Ok(None)
}
