//! The service's own secret.

use zeroize::Zeroizing;

/// One key of `SVC_SECRET_KEY`: 32 bytes and the operator's name for them.
pub struct SecretKeySetting {
    /// The operator's name for the key, if one was given.
    pub id: Option<String>,
    /// The key.
    pub key: Zeroizing<[u8; 32]>,
}

impl std::fmt::Debug for SecretKeySetting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SecretKeySetting").field("id", &self.id).finish_non_exhaustive()
    }
}
