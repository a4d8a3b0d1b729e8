//! Secret keys for the tests of this folder.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::secret_keys::SecretKeys;
use crate::settings::SecretKeySetting;
use zeroize::Zeroizing;

pub fn setting(byte: u8) -> SecretKeySetting {
    SecretKeySetting { id: None, key: Zeroizing::new([byte; 32]) }
}

/// Keys of 32 equal bytes each; the first one seals and signs.
pub fn keys(bytes: &[u8]) -> SecretKeys {
    SecretKeys::new(&bytes.iter().copied().map(setting).collect::<Vec<_>>()).unwrap()
}
