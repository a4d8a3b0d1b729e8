//! Whose account it is: an account whose email address was never verified, and the removal of credentials that someone
//! other than the owner of the address may hold (docs/concepts/decisions/0007-whose-account-holds-an-address.md).

pub mod credentials;
pub mod identities;
pub mod unverified;
pub mod ways_in;
