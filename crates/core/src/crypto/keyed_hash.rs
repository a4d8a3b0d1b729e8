//! Keyed hashes of several values, cut to 16 bytes: ids and fingerprints of what must not be guessed from the database.

use super::secret_keys::SecretKeys;
use crate::model::hex;
use crate::model::ids::UserId;
use aws_lc_rs::hmac;
use uuid::Uuid;

const SETTINGS_LABEL: &[u8] = b"\xffsettings";
const ACCOUNT_LABEL: &[u8] = b"\xffaccount";
const LIMIT_LABEL: &[u8] = b"\xfflimit";

/// The key of the ids of rate limit buckets, which cover typed usernames: users type passwords there.
#[derive(Clone)]
pub struct LimitKey(hmac::Key);

impl SecretKeys {
    /// A fingerprint of secret settings. It has a key, because an operator's secret may be short enough to guess.
    pub fn fingerprint(&self, values: &[&[u8]]) -> String {
        hex::encode(&keyed_hash(&self.first.token_hash, SETTINGS_LABEL, values.iter().copied()))
    }

    /// The id of an account in the cookies of a browser, by the first key.
    pub fn account_id(&self, user: UserId) -> Uuid {
        uuid_of(keyed_hash(&self.first.token_hash, ACCOUNT_LABEL, [user.0.as_bytes().as_slice()]))
    }

    pub fn limit_key(&self) -> LimitKey {
        LimitKey(self.first.token_hash.clone())
    }
}

impl LimitKey {
    pub fn id(&self, limit: &str, subject: &[&[u8]]) -> Uuid {
        let values = [limit.as_bytes()].into_iter().chain(subject.iter().copied());
        uuid_of(keyed_hash(&self.0, LIMIT_LABEL, values))
    }
}

fn uuid_of(hash: [u8; 16]) -> Uuid {
    uuid::Builder::from_custom_bytes(hash).into_uuid()
}

/// The hash of `values` under `key`. `label` separates the domains: inputs of one-time token hashes, which share the
/// key, start with other bytes.
fn keyed_hash<'a>(key: &hmac::Key, label: &[u8], values: impl IntoIterator<Item = &'a [u8]>) -> [u8; 16] {
    let mut context = hmac::Context::with_key(key);
    context.update(label);
    for value in values {
        // The length prefix makes the concatenation unambiguous.
        context.update(&(value.len() as u64).to_be_bytes());
        context.update(value);
    }
    let mut hash = [0; 16];
    hash.copy_from_slice(&context.sign().as_ref()[..16]);
    hash
}
