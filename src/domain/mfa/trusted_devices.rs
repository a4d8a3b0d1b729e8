//! Devices that are not asked for the second factor for 30 days, by a token in a cookie.
//!
//! A device is bound to the password that was asked there: when another one is set, it is asked for everything again.

use crate::context::App;
use crate::crypto::password::fingerprint;
use crate::crypto::token_hash::LinkToken;
use crate::error::Error;
use crate::model::ids::UserId;
use crate::model::verification::TokenPurpose;
use crate::store::{HalfLogInRow, Tx, UserRow};
use std::time::Duration;

/// How long a device is remembered.
pub const DEVICE_LIFE: Duration = Duration::from_hours(30 * 24);

/// Whether one of these tokens is that of a remembered device of the user.
pub(in crate::domain) async fn is_remembered(
    app: &App,
    tx: &mut Tx,
    user: &UserRow,
    tokens: &[String],
) -> Result<bool, Error> {
    let Some(hash) = &user.password_hash else { return Ok(false) };
    for token in tokens {
        for token_hash in app.secret_keys.token_hashes(TokenPurpose::RememberedDevice, token) {
            if tx.remembered_device_exists(&token_hash, user.id, &fingerprint(hash)).await? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Remembers the device on which this log-in is finished; the token is for its cookie.
pub(in crate::domain) async fn remember_device(
    app: &App,
    tx: &mut Tx,
    half: &HalfLogInRow,
) -> Result<LinkToken, Error> {
    let token = LinkToken::generate()?;
    let hash = app.secret_keys.hash_token(TokenPurpose::RememberedDevice, token.text());
    tx.remembered_device_create(&hash, half.user_id, &half.credential, app.clock.now() + DEVICE_LIFE).await?;
    Ok(token)
}

/// The same password got another hash: what is bound to it goes on.
pub(in crate::domain) async fn rebind_devices(
    tx: &mut Tx,
    user: UserId,
    old: Option<&str>,
    new: &str,
) -> Result<(), Error> {
    if let Some(old) = old {
        tx.remembered_devices_rebind(user, &fingerprint(old), &fingerprint(new)).await?;
    }
    Ok(())
}

/// Has every device of the user asked again.
pub async fn forget_devices(app: &App, user: UserId) -> Result<u64, Error> {
    let mut tx = app.store.begin().await?;
    let forgotten = tx.remembered_devices_delete_of_user(user).await?;
    tx.commit().await?;
    Ok(forgotten)
}
