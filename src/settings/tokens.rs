//! Access tokens: issuer and keys.

use zeroize::Zeroizing;

/// Access tokens: issuer and keys.
#[derive(Debug)]
pub struct Tokens {
    /// The `iss` claim.
    pub issuer: String,
    /// Shared HS256 keys; `None`: generated Ed25519 keys, published as JWKS.
    pub hs256: Option<Hs256Keys>,
}

/// Shared keys for backends that verify with a secret.
pub struct Hs256Keys {
    /// Key id and key, in the order given.
    pub keys: Vec<(String, Zeroizing<Vec<u8>>)>,
    /// The id of the key that signs; one of `keys`.
    pub active: String,
}

impl std::fmt::Debug for Hs256Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hs256Keys").field("active", &self.active).finish_non_exhaustive()
    }
}
