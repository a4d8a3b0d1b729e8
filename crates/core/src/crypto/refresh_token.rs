//! Refresh tokens, derived instead of stored.
//!
//! A token holds the id of its secret key, its session and its generation, authenticated by an HMAC over these and a
//! nonce stored only in the session's row. The current token can therefore be recomputed, no table of tokens grows, and
//! neither the database nor the secret key alone is enough to forge one.
//!
//! On the wire: `r1.` and 80 characters of base64url. 60 bytes need no padding bits, so the encoding is unique.

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
/// A token needs at least 128 bits that cannot be guessed (RFC 6749, 10.10; `docs/reference/api-v1.md` 7.1).
const MIN_NONCE_LEN: usize = 16;

/// Returns the token of a session's generation, under the first secret key.
///
/// `nonce` holds at least 16 random bytes of the session; a token minted with fewer never verifies.
pub fn mint(keys: &SecretKeys, session: SessionId, generation: i64, nonce: &[u8]) -> SecretString {
    let fields = TokenFields { key: keys.first.id, session, generation };
    let mac = hmac::sign(&keys.first.refresh_token, &fields.mac_input(nonce));
    let mut bytes = Zeroizing::new(fields.to_bytes());
    bytes.extend_from_slice(mac.as_ref());
    let mut text = String::with_capacity(TEXT_LEN);
    text.push_str(PREFIX);
    URL_SAFE_NO_PAD.encode_string(&*bytes, &mut text);
    SecretString::from(text)
}

/// Parses a token in its unique encoding. It is unauthenticated until [`PresentedRefreshToken::verify`].
pub fn parse(text: &str) -> Option<PresentedRefreshToken> {
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
    let fields =
        TokenFields { key: KeyId::from_bytes(*key), session: SessionId(Uuid::from_bytes(*session)), generation };
    (generation >= 0).then(|| PresentedRefreshToken { fields, mac: Zeroizing::new(*mac) })
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct TokenFields {
    key: KeyId,
    session: SessionId,
    generation: i64,
}

impl TokenFields {
    fn to_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(LEN);
        bytes.extend_from_slice(self.key.as_bytes());
        bytes.extend_from_slice(self.session.0.as_bytes());
        bytes.extend_from_slice(&self.generation.to_be_bytes());
        bytes
    }

    /// The input of the MAC. All fields have a fixed length, so the nonce at the end needs no length prefix.
    fn mac_input(self, nonce: &[u8]) -> Zeroizing<Vec<u8>> {
        Zeroizing::new([PREFIX.as_bytes(), &self.to_bytes(), nonce].concat())
    }
}

/// A well-formed token from a client, not verified yet.
#[derive(PartialEq, Eq)]
pub struct PresentedRefreshToken {
    fields: TokenFields,
    mac: Zeroizing<[u8; MAC_LEN]>,
}

impl PresentedRefreshToken {
    /// The claimed session.
    pub fn session(&self) -> SessionId {
        self.fields.session
    }

    /// The claimed generation; never negative.
    pub fn generation(&self) -> i64 {
        self.fields.generation
    }

    /// Whether the token names a known key; without one it never verifies.
    pub fn has_key_of(&self, keys: &SecretKeys) -> bool {
        keys.with_id(self.fields.key).is_some()
    }

    /// Whether the token was minted with this nonce under a known key; compares the MAC in constant time.
    pub fn verify(&self, keys: &SecretKeys, nonce: &[u8]) -> bool {
        nonce.len() >= MIN_NONCE_LEN && keys.with_id(self.fields.key).is_some_and(|key| self.mac_matches(key, nonce))
    }

    fn mac_matches(&self, key: &PurposeKeys, nonce: &[u8]) -> bool {
        hmac::verify(&key.refresh_token, &self.fields.mac_input(nonce), self.mac.as_slice()).is_ok()
    }
}

impl fmt::Debug for PresentedRefreshToken {
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
