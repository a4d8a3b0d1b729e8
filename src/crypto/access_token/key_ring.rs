//! The keys that sign and verify access tokens.

use super::signer::{Signer, SigningError};
use super::{Claims, MAX_LEN, Verified};
use crate::crypto::signing_key::{self, Jwk};
use crate::model::ids::{SessionId, UserId};
use crate::model::time::Time;
use crate::settings::Hs256Keys;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, Header, decode_header};
use serde::Deserialize;
use std::fmt;
use uuid::Uuid;
use zeroize::Zeroizing;

const TYPE: &str = "at+jwt";

/// An Ed25519 key with its times.
pub struct RingKey {
    /// Its id.
    pub kid: String,
    /// The public key, 32 bytes.
    pub public_key: Vec<u8>,
    /// The private key in PKCS#8.
    pub private_key: Zeroizing<Vec<u8>>,
    /// From when on it signs, unless a newer one does.
    pub active_from: Time,
    /// From when on its tokens are refused and it is published no more; `None`: open.
    pub published_until: Option<Time>,
}

/// A stored key that cannot be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("signing key {kid} does not fit its public key or id")]
pub struct KeyRingError {
    /// The key's id.
    pub kid: String,
}

/// A key with its times; its algorithm is its own and never a token's to choose.
struct Key {
    kid: String,
    algorithm: Algorithm,
    signer: Signer,
    /// `None`: only verifies.
    active_from: Option<Time>,
    published_until: Option<Time>,
    jwk: Option<Jwk>,
}

impl Key {
    fn ed25519(key: &RingKey) -> Result<Self, KeyRingError> {
        let unfit = || KeyRingError { kid: key.kid.clone() };
        let derived = signing_key::from_pkcs8(&key.private_key).map_err(|_| unfit())?;
        if derived.kid != key.kid || derived.public_key.as_slice() != key.public_key.as_slice() {
            return Err(unfit());
        }
        let signer = Signer::ed25519(TYPE, &key.kid, &key.private_key, &derived.public_key).ok_or_else(unfit)?;
        Ok(Self {
            kid: key.kid.clone(),
            algorithm: Algorithm::EdDSA,
            signer,
            active_from: Some(key.active_from),
            published_until: key.published_until,
            jwk: Some(Jwk::ed25519(&key.kid, &derived.public_key)),
        })
    }

    fn hs256(kid: &str, secret: &[u8], active: bool) -> Option<Self> {
        Some(Self {
            kid: kid.to_owned(),
            algorithm: Algorithm::HS256,
            signer: Signer::hs256(TYPE, kid, secret)?,
            active_from: active.then_some(Time::from_micros(i64::MIN)),
            published_until: None,
            jwk: None,
        })
    }

    fn is_published(&self, now: Time) -> bool {
        self.published_until.is_none_or(|until| now < until)
    }
}

/// The keys of an instance: one signs, all verify.
pub struct KeyRing {
    keys: Vec<Key>,
}

impl KeyRing {
    /// Ed25519 keys. Refuses a key whose halves or id do not belong together.
    pub fn ed25519(mut keys: Vec<RingKey>) -> Result<Self, KeyRingError> {
        keys.sort_by(|a, b| (a.active_from, &a.kid).cmp(&(b.active_from, &b.kid)));
        let keys = keys.iter().map(Key::ed25519).collect::<Result<_, _>>()?;
        Ok(Self { keys })
    }

    /// Shared HS256 keys.
    pub fn hs256(keys: &Hs256Keys) -> Self {
        let keys = keys.keys.iter().filter_map(|(kid, secret)| Key::hs256(kid, secret, *kid == keys.active));
        Self { keys: keys.collect() }
    }

    /// Signs with the key that became active last.
    pub fn sign(&self, claims: &Claims<'_>, now: Time) -> Result<String, SigningError> {
        let active = self.keys.iter().filter(|key| key.is_published(now));
        let active = active.filter(|key| key.active_from.is_some_and(|from| from <= now));
        let key = active.max_by_key(|key| (key.active_from, &key.kid)).ok_or(SigningError::NoActiveKey)?;
        key.signer.sign(claims)
    }

    /// Checks a token: its key known and not retired, `alg` that key's and `typ` an access token's, the signature,
    /// the issuer, one of `audiences`, and `exp` after `now` with no leeway. With the result comes the moment until
    /// which it holds as long as the key is in the ring.
    pub fn verify(&self, token: &str, now: Time, issuer: &str, audiences: &[String]) -> Option<(Verified, Time)> {
        if token.len() > MAX_LEN {
            return None;
        }
        let header = decode_header(token).ok()?;
        let kid = header.kid.as_deref()?;
        let key = self.keys.iter().find(|key| key.kid == kid && key.is_published(now))?;
        if header.alg != key.algorithm || !is_access_token(&header) || !key.signer.signed(token) {
            return None;
        }
        let verified = believed(token)?.check(issuer, audiences)?;
        let until = key.published_until.map_or(verified.expires_at, |until| until.min(verified.expires_at));
        (now < until).then_some((verified, until))
    }

    /// The JWK set (RFC 7517, 5) of the public keys: those that sign, will sign or have signed valid tokens.
    pub fn jwks(&self, now: Time) -> serde_json::Value {
        let keys = self.keys.iter().filter(|key| key.is_published(now)).filter_map(|key| key.jwk.as_ref());
        serde_json::json!({ "keys": keys.collect::<Vec<_>>() })
    }

    /// Whether every token that `older` accepts is accepted here as well.
    pub(super) fn accepts_all_of(&self, older: &KeyRing) -> bool {
        older.keys.iter().all(|old| {
            self.keys.iter().any(|new| {
                new.kid == old.kid
                    && new.signer.accepts_those_of(&old.signer)
                    && new.published_until.is_none_or(|new| old.published_until.is_some_and(|old| old <= new))
            })
        })
    }
}

impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("KeyRing").field(&self.keys.iter().map(|key| &key.kid).collect::<Vec<_>>()).finish()
    }
}

/// RFC 9068, 4: `at+jwt` or its full media type; and nothing critical that we do not know (RFC 7515, 4.1.11).
fn is_access_token(header: &Header) -> bool {
    let named = |typ: &str| typ.strip_prefix("application/").unwrap_or(typ) == TYPE;
    header.crit.is_none() && header.typ.as_ref().is_some_and(|typ| named(&typ.to_ascii_lowercase()))
}

/// The claims that the service looks at.
#[derive(Deserialize)]
struct Believed {
    iss: String,
    sub: Uuid,
    aud: Vec<String>,
    iat: i64,
    exp: i64,
    sid: Uuid,
}

/// The claims of a token whose signature is right: its second of three parts.
fn believed(token: &str) -> Option<Believed> {
    let claims = URL_SAFE_NO_PAD.decode(token.split('.').nth(1)?).ok()?;
    serde_json::from_slice(&claims).ok()
}

impl Believed {
    fn check(&self, issuer: &str, audiences: &[String]) -> Option<Verified> {
        if self.iss != issuer {
            return None;
        }
        Some(Verified {
            session: SessionId(self.sid),
            user: UserId(self.sub),
            audience: audiences.iter().position(|allowed| self.aud.contains(allowed))?,
            issued_at: from_seconds(self.iat)?,
            expires_at: from_seconds(self.exp)?,
        })
    }
}

fn from_seconds(seconds: i64) -> Option<Time> {
    seconds.checked_mul(1_000_000).map(Time::from_micros)
}

#[cfg(test)]
#[path = "key_ring_tests.rs"]
mod tests;
