//! Sessions: opened at log-in, renewed by refresh, ended once.

mod last_use;
mod lifecycle;
mod manage;
mod refresh;
mod rotation;

pub use last_use::LastUse;
pub use lifecycle::{CookieToken, Device, EndReason, Opened, Subject, access_token, find_presented, log_out, open};
pub use manage::{end, end_others, list};
pub use refresh::{RefreshError, Refreshed, refresh};
pub use rotation::{Decision, Policy, decide};
