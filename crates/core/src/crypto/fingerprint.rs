//! Fingerprints of secret settings: keyed hashes, because an operator's secret may be short enough to guess.

use super::keyed_hash::keyed_hash;
use super::secret_keys::SecretKeys;
use crate::model::hex;

const LABEL: &[u8] = b"\xffsettings";

impl SecretKeys {
    /// A fingerprint of these values, which says nothing about them without the first secret key.
    pub fn fingerprint(&self, values: &[&[u8]]) -> String {
        hex::encode(&keyed_hash(&self.first.token_hash, LABEL, values.iter().copied()))
    }
}
