//! Refresh tokens, derived instead of stored.
//!
//! A token names its secret key, session and generation, and proves them by an HMAC over these and a nonce that only
//! the session's row holds. So the current token can be computed again, no table of tokens grows, and neither the
//! database alone nor the secret key alone lets anyone forge one.
//!
//! On the wire: `r1.` and 80 characters of base64url. 60 bytes fill the base64 exactly, so a token has one spelling.

use super::secret_keys::{KeyId, PurposeKeys, SecretKeys};
use crate::model::ids::SessionId;
use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use secrecy::SecretString;
use std::fmt;
use uuid::Uuid;
use zeroize::Zeroizing;

const PREFIX: &str = "r1.";
const MAC_LEN: usize = 32;
const LEN: usize = KeyId::LEN + 16 + 8 + MAC_LEN;
const TEXT_LEN: usize = PREFIX.len() + LEN / 3 * 4;
/// A token needs at least 128 bits that its holder cannot know (contract.md 5).
const NONCE_MIN: usize = 16;

/// The token of a session's generation, under the first secret key.
///
/// `nonce` are the session's random bytes, at least 16; a token made with fewer is never accepted.
pub fn mint(keys: &SecretKeys, session: SessionId, generation: i64, nonce: &[u8]) -> SecretString {
    let fields = Fields { key: keys.first.id, session, generation };
    let mac = hmac::sign(&keys.first.refresh_token, &fields.authenticated(nonce));
    let mut bytes = Zeroizing::new(fields.to_bytes());
    bytes.extend_from_slice(mac.as_ref());
    let mut text = String::with_capacity(TEXT_LEN);
    text.push_str(PREFIX);
    URL_SAFE_NO_PAD.encode_string(&*bytes, &mut text);
    SecretString::from(text)
}

/// Reads a token in its one valid spelling; nothing is proven before [`Presented::verify`].
pub fn parse(text: &str) -> Option<Presented> {
    if text.len() != TEXT_LEN {
        return None;
    }
    let mut bytes = Zeroizing::new([0; LEN]);
    let length = URL_SAFE_NO_PAD.decode_slice(text.strip_prefix(PREFIX)?, bytes.as_mut_slice()).ok()?;
    if length != LEN {
        return None;
    }
    let (key, rest) = bytes.split_first_chunk()?;
    let (session, rest) = rest.split_first_chunk()?;
    let (generation, rest) = rest.split_first_chunk()?;
    let mac = rest.first_chunk()?;
    let generation = i64::from_be_bytes(*generation);
    let fields = Fields { key: KeyId::from_bytes(*key), session: SessionId(Uuid::from_bytes(*session)), generation };
    (generation >= 0).then(|| Presented { fields, mac: Zeroizing::new(*mac) })
}

#[derive(Clone, Copy)]
struct Fields {
    key: KeyId,
    session: SessionId,
    generation: i64,
}

impl Fields {
    fn to_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(LEN);
        bytes.extend_from_slice(self.key.as_bytes());
        bytes.extend_from_slice(self.session.0.as_bytes());
        bytes.extend_from_slice(&self.generation.to_be_bytes());
        bytes
    }

    /// What the MAC is over: all fields have a fixed length, so the nonce at the end needs none.
    fn authenticated(self, nonce: &[u8]) -> Zeroizing<Vec<u8>> {
        Zeroizing::new([PREFIX.as_bytes(), &self.to_bytes(), nonce].concat())
    }
}

/// A token that somebody presents: well-formed, not yet proven.
pub struct Presented {
    fields: Fields,
    mac: Zeroizing<[u8; MAC_LEN]>,
}

impl Presented {
    /// The session that it claims to be of.
    pub fn session(&self) -> SessionId {
        self.fields.session
    }

    /// The generation that it claims to be; never negative.
    pub fn generation(&self) -> i64 {
        self.fields.generation
    }

    /// Whether the token was made by [`mint`] with this nonce under a known key; takes the same time for every MAC.
    pub fn verify(&self, keys: &SecretKeys, nonce: &[u8]) -> bool {
        nonce.len() >= NONCE_MIN && keys.with_id(self.fields.key).is_some_and(|key| self.is_made_with(key, nonce))
    }

    fn is_made_with(&self, key: &PurposeKeys, nonce: &[u8]) -> bool {
        hmac::verify(&key.refresh_token, &self.fields.authenticated(nonce), self.mac.as_slice()).is_ok()
    }
}

impl fmt::Debug for Presented {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Presented")
            .field("session", &self.session())
            .field("generation", &self.generation())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
#[path = "refresh_token_tests.rs"]
mod tests;
