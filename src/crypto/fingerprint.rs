//! Fingerprints of secret settings: keyed hashes, because an operator's secret may be short enough to guess.

use super::secret_keys::SecretKeys;
use crate::model::hex;
use aws_lc_rs::hmac;

/// Domain separation: other inputs of this key start with other bytes.
const LABEL: &[u8] = b"\xffsettings";

impl SecretKeys {
    /// A fingerprint of these values, which says nothing about them without the first secret key.
    pub fn fingerprint(&self, values: &[&[u8]]) -> String {
        let mut context = hmac::Context::with_key(&self.first.token_hash);
        context.update(LABEL);
        for value in values {
            // The length prefix makes the concatenation unambiguous.
            context.update(&(value.len() as u64).to_be_bytes());
            context.update(value);
        }
        hex::encode(&context.sign().as_ref()[..16])
    }
}
