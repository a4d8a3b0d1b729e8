//! Ids of rate limit buckets: keyed hashes, because they cover typed usernames, and users type passwords there.

use super::keyed_hash::keyed_hash;
use super::secret_keys::SecretKeys;
use aws_lc_rs::hmac;
use uuid::Uuid;

const LABEL: &[u8] = b"\xfflimit";

#[derive(Clone)]
pub struct LimitKey(hmac::Key);

impl SecretKeys {
    pub fn limit_key(&self) -> LimitKey {
        LimitKey(self.first.token_hash.clone())
    }
}

impl LimitKey {
    pub fn id(&self, limit: &str, subject: &[&[u8]]) -> Uuid {
        let values = [limit.as_bytes()].into_iter().chain(subject.iter().copied());
        uuid::Builder::from_custom_bytes(keyed_hash(&self.0, LABEL, values)).into_uuid()
    }
}
