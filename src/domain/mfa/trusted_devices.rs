//! Trusted devices, which skip the second factor for 30 days, by a token in a cookie.
//!
//! A device is bound to the password that was used on it: a new password ends the trust.

use crate::context::App;
use crate::crypto::password::fingerprint;
use crate::crypto::token_hash::LinkToken;
use crate::domain::change::Change;
use crate::error::Error;
use crate::model::ids::UserId;
use crate::model::principal::Operation;
use crate::model::verification::TokenPurpose;
use crate::refusal::ChangeError;
use crate::store::{PendingLoginRow, Tx, UserRow};
use std::time::Duration;

/// Lifetime of the trust in a device.
pub const TRUSTED_DEVICE_TTL: Duration = Duration::from_hours(30 * 24);

/// Whether one of these tokens belongs to a trusted device of the user.
pub(in crate::domain) async fn is_trusted(
    app: &App,
    tx: &mut Tx,
    user: &UserRow,
    tokens: &[String],
) -> Result<bool, Error> {
    let Some(hash) = &user.password_hash else { return Ok(false) };
    for token in tokens {
        for token_hash in app.secret_keys.token_hashes(TokenPurpose::TrustedDevice, token) {
            if tx.trusted_device_exists(&token_hash, user.id, &fingerprint(hash)).await? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Trusts the device on which this login is completed; returns the token for its cookie.
pub(in crate::domain) async fn trust_device(
    app: &App,
    tx: &mut Tx,
    pending: &PendingLoginRow,
) -> Result<LinkToken, Error> {
    let token = LinkToken::generate()?;
    let hash = app.secret_keys.hash_token(TokenPurpose::TrustedDevice, token.text());
    tx.trusted_device_create(&hash, pending.user_id, &pending.credential, app.clock.now() + TRUSTED_DEVICE_TTL).await?;
    Ok(token)
}

/// Rebinds the devices of a user whose unchanged password was rehashed.
pub(in crate::domain) async fn rebind_devices(
    tx: &mut Tx,
    user: UserId,
    old: Option<&str>,
    new: &str,
) -> Result<(), Error> {
    if let Some(old) = old {
        tx.trusted_devices_rebind(user, &fingerprint(old), &fingerprint(new)).await?;
    }
    Ok(())
}

/// Revokes every trusted device of the principal.
pub struct RevokeDevices;

impl Change for RevokeDevices {
    const OPERATION: Operation = Operation::ChangeFactors;
    type Made = ();

    async fn apply(self, _: &App, tx: &mut Tx) -> Result<(), ChangeError> {
        let user = tx.require_user()?;
        tx.trusted_devices_delete_of_user(user).await?;
        Ok(())
    }
}
