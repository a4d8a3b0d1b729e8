//! A log-in whose password was right and whose second factor is still to come.
//!
//! It is no session: its token opens nothing but the form for the second factor, for ten minutes and five tries, and
//! only while the password stays the same.

use crate::context::App;
use crate::crypto::password::fingerprint;
use crate::crypto::token_hash::LinkToken;
use crate::error::Error;
use crate::model::verification::TokenPurpose;
use crate::store::{HalfLogInRow, StoreError, Tx, UserRow};
use std::time::Duration;

/// How long the second factor may take.
pub const HALF_LOG_IN_LIFE: Duration = Duration::from_mins(10);
/// How many proofs may be tried; then the password is asked for again.
pub const MAX_TRIES: i64 = 5;

/// A half log-in just begun.
pub struct HalfLogIn {
    /// What finishes it.
    pub token: LinkToken,
}

/// Begins a half log-in of a user whose password was right.
pub(in crate::domain) async fn begin_half_log_in(app: &App, tx: &mut Tx, user: &UserRow) -> Result<HalfLogIn, Error> {
    let token = LinkToken::generate()?;
    tx.half_log_in_create(&HalfLogInRow {
        token_hash: app.secret_keys.hash_token(TokenPurpose::HalfLogIn, token.text()).to_vec(),
        user_id: user.id,
        credential: credential(user),
        tries: 0,
        expires_at: app.clock.now() + HALF_LOG_IN_LIFE,
    })
    .await?;
    Ok(HalfLogIn { token })
}

fn credential(user: &UserRow) -> Vec<u8> {
    user.password_hash.as_deref().map(|hash| fingerprint(hash).to_vec()).unwrap_or_default()
}

/// Whether there is a half log-in with this token; looking changes nothing.
pub async fn find_half_log_in(app: &App, token: &str) -> Result<Option<UserRow>, Error> {
    let mut conn = app.store.read().await?;
    for hash in app.secret_keys.token_hashes(TokenPurpose::HalfLogIn, token) {
        if let Some(row) = conn.half_log_in_find(&hash).await? {
            let user = conn.user_find(row.user_id).await?;
            return Ok(user.filter(|user| is_good(app, &row, user)));
        }
    }
    Ok(None)
}

fn is_good(app: &App, row: &HalfLogInRow, user: &UserRow) -> bool {
    row.expires_at > app.clock.now() && row.credential == credential(user) && row.tries < MAX_TRIES
}

/// The half log-in with this token, and its user, whom no other transaction can change before this one's end: tries come
/// one by one. `None` if it has run out.
pub(in crate::domain) async fn lock_half_log_in(
    app: &App,
    tx: &mut Tx,
    token: &str,
) -> Result<Option<(HalfLogInRow, UserRow)>, StoreError> {
    for hash in app.secret_keys.token_hashes(TokenPurpose::HalfLogIn, token) {
        let Some(found) = tx.half_log_in_find(&hash).await? else { continue };
        let Some(user) = tx.user_lock(found.user_id).await? else { continue };
        // Read again: another try may have been waited for.
        let row = tx.half_log_in_find(&hash).await?.filter(|row| is_good(app, row, &user));
        return Ok(row.map(|row| (row, user)));
    }
    Ok(None)
}

/// Counts a wrong try; `false` if it was the last one.
pub(in crate::domain) async fn count_try(tx: &mut Tx, row: &HalfLogInRow) -> Result<bool, StoreError> {
    tx.half_log_in_take_try(&row.token_hash, MAX_TRIES).await?;
    let is_last = row.tries + 1 >= MAX_TRIES;
    if is_last {
        tx.half_log_in_delete(&row.token_hash).await?;
    }
    Ok(!is_last)
}
