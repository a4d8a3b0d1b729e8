//! Providers that people log in with, as operators keep them: records that all processes see within a second
//! ([`Store::providers`](crate::store::Store::providers)).

pub mod apply;
mod field_error;
pub mod fields;
pub mod file;
mod kinds;
pub mod manage;
pub(in crate::domain) mod reseal;
pub mod secret;
mod values;
pub mod working;
