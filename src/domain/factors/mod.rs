//! Second factors: an authenticator app, recovery codes for those who lost it, and devices that are not asked again.
//!
//! What is decided here is whether a proof is good. Whether one is needed is decided at the one door of all log-ins,
//! `accounts::enter`.

mod app_codes;
mod devices;
mod half_log_in;
mod proof;
mod recovery;
mod reseal;
mod state;

pub use app_codes::{BeginError, ConfirmError, begin, confirm, setup};
pub use devices::{DEVICE_LIFE, forget_devices};
pub use half_log_in::{HALF_LOG_IN_LIFE, HalfLogIn, find_half_log_in};
pub use proof::Proof;
pub use recovery::{CODES, replace_recovery_codes};
pub use state::{TwoFactor, remove, reset, two_factor};

pub(in crate::domain) use devices::{is_remembered, rebind_devices, remember_device};
pub(in crate::domain) use half_log_in::{begin_half_log_in, count_try, lock_half_log_in};
pub(in crate::domain) use proof::{Worth, judge};
pub(in crate::domain) use reseal::reseal;
pub(in crate::domain) use state::{is_on, remove_all};
