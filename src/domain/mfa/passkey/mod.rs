//! Passkeys: added, renamed, removed, and used to reauthenticate. Login with one is in
//! [`login::passkey`](crate::domain::login::passkey).

pub mod add;
pub mod reauthentication;
pub mod registered;
pub mod verify;

use crate::context::App;
use crate::crypto::passkey::Passkeys;

/// Passkeys at this service's origin; `None` where browsers support none.
pub(in crate::domain) fn at_origin(app: &App) -> Option<Passkeys<'_>> {
    let origin = &app.settings.server.base_url;
    Passkeys::new(origin, origin.host(), &app.secret_keys)
}

/// Whether browsers support passkeys at this service's address.
pub fn are_possible(app: &App) -> bool {
    at_origin(app).is_some()
}
