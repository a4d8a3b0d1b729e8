//! Multi-factor authentication (MFA): authenticator apps, recovery codes, passkeys, and trusted devices, which skip the
//! second factor.
//!
//! This module decides whether a factor is valid; [`complete`](crate::domain::login::complete) whether one is needed.

pub mod code;
pub mod passkey;
pub mod recovery_codes;
pub mod reseal;
pub mod status;
pub mod totp;
pub mod trusted_devices;
