//! Ids of rate limit buckets: keyed hashes, because they cover typed usernames, and users type passwords there.

use super::secret_keys::SecretKeys;
use aws_lc_rs::hmac;
use uuid::Uuid;

/// Domain separation: inputs of one-time token hashes start with other bytes.
const LABEL: &[u8] = b"\xfflimit";

/// The key of rate limit ids.
#[derive(Clone)]
pub struct LimitKey(hmac::Key);

impl SecretKeys {
    /// The key of rate limit ids.
    pub fn limit_key(&self) -> LimitKey {
        LimitKey(self.first.token_hash.clone())
    }
}

impl LimitKey {
    /// The id of a limit for one subject.
    pub fn id(&self, limit: &str, subject: &[&[u8]]) -> Uuid {
        let mut context = hmac::Context::with_key(&self.0);
        context.update(LABEL);
        for part in [limit.as_bytes()].iter().chain(subject) {
            // The length prefix makes the concatenation unambiguous.
            context.update(&(part.len() as u64).to_be_bytes());
            context.update(part);
        }
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&context.sign().as_ref()[..16]);
        uuid::Builder::from_custom_bytes(bytes).into_uuid()
    }
}
