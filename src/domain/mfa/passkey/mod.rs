//! Passkeys: add, rename, remove, and use to reauthenticate. Login with one is in
//! [`login::passkey`](crate::domain::login::passkey).

pub mod add;
pub mod reauthentication;
pub mod registered;
pub mod verify;

use crate::context::App;
use crate::crypto::passkey::Passkeys;

/// The relying party at this service's origin, or `None` where browsers support no passkeys.
pub(in crate::domain) fn at_origin(app: &App) -> Option<Passkeys<'_>> {
    let origin = &app.settings.server.base_url;
    Passkeys::new(origin, origin.host(), &app.secret_keys)
}

/// Whether browsers support passkeys at this service's origin.
pub fn are_supported(app: &App) -> bool {
    at_origin(app).is_some()
}
