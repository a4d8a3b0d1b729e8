//! Logging in, by password, passkey and second factor. All ways end in [`complete`], the only place that decides
//! whether a session is opened.

pub mod complete;
pub mod error;
pub mod passkey;
pub mod password;
pub mod pending;
pub mod second_factor;
