//! The ids of rate limits: a keyed hash, as names that people typed are in it, and people type passwords there.

use super::secret_keys::SecretKeys;
use aws_lc_rs::hmac;
use uuid::Uuid;

/// What is hashed for one-time tokens begins with other bytes.
const LABEL: &[u8] = b"\xfflimit";

impl SecretKeys {
    /// The id of what is limited and for whom.
    pub fn limit_id(&self, what: &str, whom: &[&[u8]]) -> Uuid {
        let mut context = hmac::Context::with_key(&self.first.token_hash);
        context.update(LABEL);
        for part in [what.as_bytes()].iter().chain(whom) {
            // The length in front keeps what ends one part from beginning the next.
            context.update(&(part.len() as u64).to_be_bytes());
            context.update(part);
        }
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&context.sign().as_ref()[..16]);
        uuid::Builder::from_custom_bytes(bytes).into_uuid()
    }
}
