//! Passkeys of accounts: added, renamed, removed, and used to log in or to show again who one is.

mod add;
mod confirm;
mod judge;
mod list;
mod log_in;

pub use add::{AddError, Answer, NAME_MAX, add, ask_new};
pub use confirm::ask_own;
pub(in crate::domain) use confirm::show;
pub(in crate::domain) use judge::{NotShown, note_refused};
pub use list::{RemoveError, find, list, remove, rename};
pub use log_in::{PasskeyLogInError, ask_any, log_in};

use crate::app::App;
use crate::crypto::passkey::Passkeys;

/// Passkeys at this service's origin; `None` where browsers know none.
fn at_origin(app: &App) -> Option<Passkeys<'_>> {
    let origin = &app.settings.server.base_url;
    Passkeys::new(origin, origin.host(), &app.secret_keys)
}

/// Whether browsers know passkeys at this service's address.
pub fn are_possible(app: &App) -> bool {
    at_origin(app).is_some()
}
