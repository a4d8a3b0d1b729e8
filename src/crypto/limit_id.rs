//! The ids of rate limits: a keyed hash, because they contain names that people typed, and people type passwords there.

use super::secret_keys::SecretKeys;
use aws_lc_rs::hmac;
use uuid::Uuid;

/// What is hashed for one-time tokens begins with other bytes.
const LABEL: &[u8] = b"\xfflimit";

/// Makes the ids of rate limits.
#[derive(Clone)]
pub struct LimitKey(hmac::Key);

impl SecretKeys {
    /// The key under which the ids of rate limits are made.
    pub fn limit_key(&self) -> LimitKey {
        LimitKey(self.first.token_hash.clone())
    }
}

impl LimitKey {
    /// The id of what is limited and for whom.
    pub fn id(&self, what: &str, whom: &[&[u8]]) -> Uuid {
        let mut context = hmac::Context::with_key(&self.0);
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
