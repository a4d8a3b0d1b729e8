//! Pending logins: the password was right, or a provider logged in, and something else is outstanding.
//!
//! A pending login is not a session: its token only opens the form for what is outstanding, for ten minutes and five
//! attempts, and only while the password stays the same.

use crate::context::App;
use crate::crypto::password::fingerprint;
use crate::crypto::token_hash::LinkToken;
use crate::error::Error;
use crate::model::authentication::Authentication;
use crate::model::ids::{AccountTokenId, UserId};
use crate::model::principal::{Operation, Principal};
use crate::model::verification::TokenPurpose;
use crate::rate_limit::ONE_PENDING_LOGIN;
use crate::store::{Conn, PendingLoginRow, StoreError, Tx, UserRow};
use std::time::Duration;
use uuid::Uuid;

pub const PENDING_LOGIN_TTL: Duration = Duration::from_mins(10);

/// What a pending login waits for. The token of one kind is not valid for the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outstanding {
    SecondFactor,
    /// An email address, for an account without one whose user showed every factor.
    EmailAddress,
}

impl Outstanding {
    const fn purpose(self) -> TokenPurpose {
        match self {
            Outstanding::SecondFactor => TokenPurpose::PendingLogin,
            Outstanding::EmailAddress => TokenPurpose::MissingAddress,
        }
    }
}

pub struct PendingLogin {
    pub token: LinkToken,
}

/// Creates a pending login for a user who authenticated so far.
pub(in crate::domain) async fn begin_pending_login(
    app: &App,
    tx: &mut Tx,
    user: &UserRow,
    begun: Authentication,
    outstanding: Outstanding,
) -> Result<PendingLogin, Error> {
    let token = LinkToken::generate()?;
    tx.pending_login_create(&PendingLoginRow {
        token_hash: app.secret_keys.hash_token(outstanding.purpose(), token.text()).to_vec(),
        user_id: user.id,
        credential: credential(user),
        begun: Some(begun),
        tries: 0,
        expires_at: app.clock.now() + PENDING_LOGIN_TTL,
    })
    .await?;
    Ok(PendingLogin { token })
}

fn credential(user: &UserRow) -> Vec<u8> {
    user.password_hash.as_deref().map(|hash| fingerprint(hash).to_vec()).unwrap_or_default()
}

/// Whose login it is, as a page names the account.
pub struct PendingUser {
    pub id: UserId,
    pub email: String,
    pub username: String,
}

/// Returns the user of the pending login with this token, if it is valid; changes nothing.
pub async fn find_pending_login(
    app: &App,
    principal: &Principal,
    token: &str,
    outstanding: Outstanding,
) -> Result<Option<PendingUser>, Error> {
    let mut conn = app.store.read(principal, Operation::PresentSecret).await?;
    let valid = find_valid(app, &mut conn, token, outstanding).await?;
    Ok(valid.map(|(_, UserRow { id, email, username, .. })| PendingUser { id, email, username }))
}

pub(in crate::domain) async fn find_valid(
    app: &App,
    conn: &mut Conn,
    token: &str,
    outstanding: Outstanding,
) -> Result<Option<(PendingLoginRow, UserRow)>, StoreError> {
    for hash in app.secret_keys.token_hashes(outstanding.purpose(), token) {
        if let Some(row) = conn.pending_login_find(&hash).await? {
            let user = conn.user_find(row.user_id).await?.filter(|user| is_valid(app, &row, user));
            return Ok(user.map(|user| (row, user)));
        }
    }
    Ok(None)
}

fn is_valid(app: &App, row: &PendingLoginRow, user: &UserRow) -> bool {
    row.expires_at > app.clock.now() && row.credential == credential(user) && ONE_PENDING_LOGIN.left(row.tries) > 0
}

/// Returns the pending login with this token, if it is valid, and locks its user: attempts are serialized.
pub(in crate::domain) async fn lock_pending_login(
    app: &App,
    tx: &mut Tx,
    token: &str,
    outstanding: Outstanding,
) -> Result<Option<(PendingLoginRow, UserRow)>, StoreError> {
    for hash in app.secret_keys.token_hashes(outstanding.purpose(), token) {
        let Some(found) = tx.pending_login_find(&hash).await? else { continue };
        let Some(user) = tx.user_lock(found.user_id).await? else { continue };
        // Read again: the lock may have waited for another attempt.
        let row = tx.pending_login_find(&hash).await?.filter(|row| is_valid(app, row, &user));
        return Ok(row.map(|row| (row, user)));
    }
    Ok(None)
}

/// The id of link and code that a login mails to the address which it waits for: whatever ends the login ends them.
pub(in crate::domain) fn mailed_id(row: &PendingLoginRow) -> AccountTokenId {
    AccountTokenId(Uuid::from_bytes(row.token_hash.first_chunk().copied().unwrap_or_default()))
}

/// The login of this user that mailed link and code, if it still waits.
pub(in crate::domain) async fn find_mailed(
    app: &App,
    conn: &mut Conn,
    user: &UserRow,
    mailed: AccountTokenId,
) -> Result<Option<PendingLoginRow>, StoreError> {
    let rows = conn.pending_login_rows_of_user(user.id).await?;
    Ok(rows.into_iter().find(|row| mailed_id(row) == mailed && is_valid(app, row, user)))
}

/// Counts a failed attempt. Returns `false` if it was the last one.
pub(in crate::domain) async fn count_failure(tx: &mut Tx, row: &PendingLoginRow) -> Result<bool, StoreError> {
    tx.pending_login_count_attempt(&row.token_hash, ONE_PENDING_LOGIN.free).await?;
    let is_last = ONE_PENDING_LOGIN.left(row.tries + 1) == 0;
    if is_last {
        tx.pending_login_delete(&row.token_hash).await?;
    }
    Ok(!is_last)
}
