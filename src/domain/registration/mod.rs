//! Creation of accounts: who may sign up, direct and invited signup, and signups pending verification of the email
//! address.

pub mod admission;
pub mod again;
pub mod form;
pub mod invited;
pub mod new_account;
pub mod pending;
pub mod setup;
pub mod sign_up;
pub(in crate::domain) mod verified;
