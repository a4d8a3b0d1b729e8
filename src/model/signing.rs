//! The algorithms of the keys that sign access tokens.

/// An algorithm with a private key, whose public key is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SigningAlgorithm {
    /// `EdDSA` with Ed25519 (RFC 8037).
    EdDsa,
    /// ECDSA with P-256 and SHA-256 (RFC 7518, 3.4), which more libraries and proxies verify.
    Es256,
}

impl SigningAlgorithm {
    /// The name in `SVC_JWT_ALG`, and in `alg` (IANA, "JSON Web Signature and Encryption Algorithms").
    pub const fn as_str(self) -> &'static str {
        match self {
            SigningAlgorithm::EdDsa => "EdDSA",
            SigningAlgorithm::Es256 => "ES256",
        }
    }

    /// The algorithm of this name.
    pub fn parse(text: &str) -> Option<Self> {
        [SigningAlgorithm::EdDsa, SigningAlgorithm::Es256].into_iter().find(|algorithm| algorithm.as_str() == text)
    }
}
