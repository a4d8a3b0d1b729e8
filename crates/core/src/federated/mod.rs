//! The protocol with a provider of logins: OpenID Connect's code flow with PKCE, and GitHub's.
//!
//! A login begins with [`ProviderClient::departure`] and ends with [`ProviderClient::answer`], which says who the person
//! is there ([`ProviderAnswer`]) or why not ([`ProviderFault`]). Neither knows accounts or the database. Parsers of what
//! providers send are functions of bytes: [`OpenIdMetadata::parse`],
//! [`IdTokenKeys::parse`](crate::crypto::id_token::IdTokenKeys::parse),
//! [`id_token::verify`](crate::crypto::id_token::verify).

mod addresses;
mod answer;
mod claims;
mod client;
mod departure;
mod documents;
mod encoding;
mod endpoints;
mod examine;
mod exchange;
mod fault;
mod identity_of;
mod kept;
mod metadata;
mod person;
mod worth;

#[cfg(test)]
mod testing;

pub use answer::{ProviderAnswer, ReturnedAnswer};
pub use client::{ProviderClient, Redemption};
pub use departure::LoginDeparture;
pub use documents::ProviderDocuments;
pub use endpoints::{Endpoints, SecretPlace, SecretPlaces};
pub use examine::ProviderExamination;
pub use fault::{Asked, MetadataFault, ProviderFault};
pub use identity_of::{states_issuer, states_subject};
pub use metadata::OpenIdMetadata;
pub use worth::{AddressWorth, StatedAddress};
