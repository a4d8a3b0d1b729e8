//! The algorithms of the keys that sign access tokens.

use super::names::names;

names! {
    /// An algorithm with a private key, whose public key is published.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SigningAlgorithm {
        /// `EdDSA` with Ed25519 (RFC 8037).
        EdDsa = "EdDSA",
        /// ECDSA with P-256 and SHA-256 (RFC 7518, 3.4), which more libraries and proxies verify.
        Es256 = "ES256",
    }
}
