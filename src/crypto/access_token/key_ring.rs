//! The keys that sign and verify access tokens.

use super::{Claims, MAX_LEN, Verified};
use crate::clock::Time;
use crate::crypto::signing_key::{self, Jwk};
use crate::domain::ids::{SessionId, UserId};
use crate::settings::Hs256Keys;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, decode_header, encode};
use serde::Deserialize;
use std::collections::HashSet;
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

/// Why a token could not be signed.
#[derive(Debug, thiserror::Error)]
pub enum SigningError {
    /// No key is active at this moment.
    #[error("no signing key is active")]
    NoActiveKey,
    /// The signature could not be made.
    #[error("the access token could not be signed")]
    Signature,
}

/// A key with all that its signatures need; its algorithm is its own and never a token's to choose.
struct Key {
    header: Header,
    encoding: EncodingKey,
    decoding: DecodingKey,
    validation: Validation,
    /// `None`: only verifies.
    active_from: Option<Time>,
    published_until: Option<Time>,
    jwk: Option<Jwk>,
}

impl Key {
    fn new(kid: &str, algorithm: Algorithm, encoding: EncodingKey, decoding: DecodingKey) -> Self {
        let mut header = Header::new(algorithm);
        header.typ = Some(TYPE.to_owned());
        header.kid = Some(kid.to_owned());
        // The library checks algorithm and signature; the claims are checked here, by the injected clock.
        let mut validation = Validation::new(algorithm);
        validation.required_spec_claims = HashSet::new();
        validation.validate_exp = false;
        validation.validate_aud = false;
        Self { header, encoding, decoding, validation, active_from: None, published_until: None, jwk: None }
    }

    fn ed25519(key: &RingKey) -> Result<Self, KeyRingError> {
        let unfit = || KeyRingError { kid: key.kid.clone() };
        let derived = signing_key::from_pkcs8(&key.private_key).map_err(|_| unfit())?;
        if derived.kid != key.kid || derived.public_key.as_slice() != key.public_key.as_slice() {
            return Err(unfit());
        }
        let (encoding, decoding) =
            (EncodingKey::from_ed_der(&key.private_key), DecodingKey::from_ed_der(&key.public_key));
        Ok(Self {
            active_from: Some(key.active_from),
            published_until: key.published_until,
            jwk: Some(Jwk::ed25519(&key.kid, &derived.public_key)),
            ..Self::new(&key.kid, Algorithm::EdDSA, encoding, decoding)
        })
    }

    fn hs256(kid: &str, secret: &[u8], active: bool) -> Self {
        let (encoding, decoding) = (EncodingKey::from_secret(secret), DecodingKey::from_secret(secret));
        Self {
            active_from: active.then_some(Time::from_micros(i64::MIN)),
            ..Self::new(kid, Algorithm::HS256, encoding, decoding)
        }
    }

    fn kid(&self) -> &str {
        self.header.kid.as_deref().unwrap_or_default()
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
        let keys = keys.keys.iter().map(|(kid, secret)| Key::hs256(kid, secret, *kid == keys.active));
        Self { keys: keys.collect() }
    }

    /// Signs with the key that became active last.
    pub fn sign(&self, claims: &Claims<'_>, now: Time) -> Result<String, SigningError> {
        let active = self.keys.iter().filter(|key| key.is_published(now));
        let active = active.filter(|key| key.active_from.is_some_and(|from| from <= now));
        let key = active.max_by_key(|key| (key.active_from, key.kid())).ok_or(SigningError::NoActiveKey)?;
        encode(&key.header, claims, &key.encoding).map_err(|_| SigningError::Signature)
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
        let key = self.keys.iter().find(|key| key.kid() == kid && key.is_published(now))?;
        if header.alg != key.header.alg || !is_access_token(&header) {
            return None;
        }
        let claims = decode::<Believed>(token, &key.decoding, &key.validation).ok()?.claims;
        let verified = claims.check(issuer, audiences)?;
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
                new.kid() == old.kid()
                    && new.header.alg == old.header.alg
                    && new.decoding.try_get_as_bytes().ok() == old.decoding.try_get_as_bytes().ok()
                    && new.published_until.is_none_or(|new| old.published_until.is_some_and(|old| old <= new))
            })
        })
    }
}

impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("KeyRing").field(&self.keys.iter().map(Key::kid).collect::<Vec<_>>()).finish()
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
