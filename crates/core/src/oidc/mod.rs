//! The protocol with a provider of logins: OpenID Connect's code flow with PKCE, and GitHub's.
//!
//! A login begins with [`ProviderClient::authorization_request`] and ends with [`ProviderClient::profile`], which says who
//! the person is there ([`ProviderProfile`]) or why not ([`ProviderFault`]). Neither knows accounts or the database.
//! Parsers of what providers send are functions of bytes: [`OpenIdMetadata::parse`],
//! [`IdTokenKeys::parse`](crate::crypto::id_token::IdTokenKeys::parse),
//! [`id_token::verify`](crate::crypto::id_token::verify).

mod addresses;
mod authorization;
mod cache;
mod callback;
mod check;
mod claims;
mod client;
mod documents;
mod email_trust;
mod encoding;
mod endpoints;
mod exchange;
mod fault;
mod identity_of;
mod metadata;
mod profile;

#[cfg(test)]
mod testing;

pub use authorization::AuthorizationRequest;
pub use callback::CallbackParams;
pub use check::ProviderCheck;
pub use client::{ProviderClient, Redemption};
pub use documents::ProviderDocuments;
pub use email_trust::{EmailAssurance, StatedAddress};
pub use endpoints::{Endpoints, SecretPlace, SecretPlaces};
pub use fault::{Asked, MetadataFault, ProviderFault};
pub use identity_of::{states_issuer, states_subject};
pub use metadata::OpenIdMetadata;
pub use profile::ProviderProfile;
