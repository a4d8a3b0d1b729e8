//! The keys that sign and verify access tokens.

use super::signer::{Signer, SigningError};
use super::{AssertionClaims, Claims, MAX_LEN, VerifiedToken};
use crate::crypto::signing_key::{Jwk, SigningKeyPair};
use crate::model::ids::{SessionId, UserId};
use crate::model::signing::SigningAlgorithm;
use crate::model::time::Time;
use crate::settings::Hs256Keys;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, Header, decode_header};
use serde::Deserialize;
use std::fmt;
use uuid::Uuid;
use zeroize::Zeroizing;

const TOKEN_TYPE: &str = "at+jwt";

/// A key pair with its validity period.
pub struct RingKey {
    pub algorithm: SigningAlgorithm,
    /// The `kid` header parameter.
    pub kid: String,
    /// The public key, as it was stored beside the private one.
    pub public_key: Vec<u8>,
    /// The private key in PKCS#8.
    pub private_key: Zeroizing<Vec<u8>>,
    /// When it starts to sign, unless a newer key does.
    pub active_from: Time,
    /// When it leaves the JWK set and its tokens are rejected; `None` if it has not been retired.
    pub published_until: Option<Time>,
}

/// A stored key whose parts do not match.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("signing key {kid} does not fit its public key or id")]
pub struct KeyRingError {
    pub kid: String,
}

/// A key with its validity period. Its signer fixes the algorithm, so a token cannot choose one (algorithm confusion).
struct KeyEntry {
    kid: String,
    signer: Signer,
    /// `None` if the key only verifies.
    active_from: Option<Time>,
    published_until: Option<Time>,
    jwk: Option<Jwk>,
}

impl KeyEntry {
    fn key_pair(key: &RingKey) -> Result<Self, KeyRingError> {
        let mismatch = || KeyRingError { kid: key.kid.clone() };
        let pair = SigningKeyPair::from_pkcs8(key.algorithm, &key.private_key).map_err(|_| mismatch())?;
        let jwk = pair.jwk();
        if jwk.kid != key.kid || pair.public_key() != key.public_key {
            return Err(mismatch());
        }
        Ok(Self {
            kid: key.kid.clone(),
            signer: Signer::key_pair(TOKEN_TYPE, &key.kid, key.algorithm, pair).ok_or_else(mismatch)?,
            active_from: Some(key.active_from),
            published_until: key.published_until,
            jwk: Some(jwk),
        })
    }

    fn hs256(kid: &str, secret: &[u8], active: bool) -> Option<Self> {
        Some(Self {
            kid: kid.to_owned(),
            signer: Signer::hs256(TOKEN_TYPE, kid, secret)?,
            active_from: active.then_some(Time::from_micros(i64::MIN)),
            published_until: None,
            jwk: None,
        })
    }

    fn is_published(&self, now: Time) -> bool {
        self.published_until.is_none_or(|until| now < until)
    }
}

/// The keys of a deployment: one signs, all verify.
pub struct KeyRing {
    keys: Vec<KeyEntry>,
}

impl KeyRing {
    /// Creates a ring of key pairs. Fails if a public key or id does not match its private key.
    pub fn key_pairs(mut keys: Vec<RingKey>) -> Result<Self, KeyRingError> {
        keys.sort_by(|a, b| (a.active_from, &a.kid).cmp(&(b.active_from, &b.kid)));
        let keys = keys.iter().map(KeyEntry::key_pair).collect::<Result<_, _>>()?;
        Ok(Self { keys })
    }

    /// Creates a ring of shared HS256 keys.
    pub fn hs256(keys: &Hs256Keys) -> Self {
        let keys = keys.keys.iter().filter_map(|(kid, secret)| KeyEntry::hs256(kid, secret, *kid == keys.active));
        Self { keys: keys.collect() }
    }

    /// Signs with the most recently activated key. Where all begin in the future, this machine's clock is behind that of
    /// the one that made them, and the first signs: it was made to sign at once.
    pub fn sign(&self, claims: &Claims<'_>, now: Time) -> Result<String, SigningError> {
        self.signing_key(now)?.signer.sign(claims)
    }

    /// Signs an assertion with the same key; `None` with shared keys.
    pub fn sign_assertion(&self, claims: &AssertionClaims<'_>, now: Time) -> Result<Option<String>, SigningError> {
        self.signing_key(now)?.signer.sign_assertion(claims)
    }

    fn signing_key(&self, now: Time) -> Result<&KeyEntry, SigningError> {
        let signing = || self.keys.iter().filter(|key| key.is_published(now) && key.active_from.is_some());
        let active = signing().filter(|key| key.active_from.is_some_and(|from| from <= now));
        let active = active.max_by_key(|key| (key.active_from, &key.kid));
        let key = active.or_else(|| signing().min_by_key(|key| (key.active_from, &key.kid)));
        key.ok_or(SigningError::NoActiveKey)
    }

    /// Whether a token is worth verifying: its header is that of an access token by a known key. Costs a hundredth of a
    /// signature.
    pub fn is_plausible(&self, token: &str, now: Time) -> bool {
        token.len() <= MAX_LEN && self.key_of(token, now).is_some()
    }

    /// The key that a token names, by the rules of its header: known, not retired, with its own `alg`, and the `typ` of
    /// an access token.
    fn key_of(&self, token: &str, now: Time) -> Option<&KeyEntry> {
        if memchr::memchr_iter(b'.', token.as_bytes()).count() != 2 {
            return None;
        }
        let is_usable = |key: &&KeyEntry| key.is_published(now);
        // Our own tokens, without decoding.
        if let Some(key) = self.keys.iter().filter(is_usable).find(|key| key.signer.has_header_of(token)) {
            return Some(key);
        }
        let header = decode_header(token).ok()?;
        let kid = header.kid.as_deref()?;
        let key = self.keys.iter().filter(is_usable).find(|key| key.kid == kid)?;
        (header.alg == key.signer.algorithm() && has_access_token_header(&header)).then_some(key)
    }

    /// Verifies a token: a known key that is not retired, that key's `alg`, the `typ` of an access token, the
    /// signature, the issuer, one of `audiences`, and `exp` after `now` without leeway. Also returns how long the
    /// result may be cached, provided the key stays in the ring.
    pub fn verify(&self, token: &str, now: Time, issuer: &str, audiences: &[String]) -> Option<(VerifiedToken, Time)> {
        if token.len() > MAX_LEN {
            return None;
        }
        let key = self.key_of(token, now)?;
        if !key.signer.verify_signature(token) {
            return None;
        }
        let verified = decode_claims(token)?.check(issuer, audiences)?;
        let until = key.published_until.map_or(verified.expires_at, |until| until.min(verified.expires_at));
        (now < until).then_some((verified, until))
    }

    /// Returns the JWK set (RFC 7517, 5) of the public keys that sign, will sign, or have signed tokens still valid.
    pub fn jwks(&self, now: Time) -> serde_json::Value {
        let mut keys: Vec<_> = self.keys.iter().filter(|key| key.is_published(now)).collect();
        // Python's python-jose gives up at the first key of a kind that it does not know, and it knows no Ed25519.
        keys.sort_by_key(|key| key.signer.algorithm() != Algorithm::ES256);
        let keys: Vec<_> = keys.into_iter().filter_map(|key| key.jwk.as_ref()).collect();
        serde_json::json!({ "keys": keys })
    }

    pub(super) fn accepts_all_keys_of(&self, older: &KeyRing) -> bool {
        older.keys.iter().all(|old| {
            self.keys.iter().any(|new| {
                new.kid == old.kid
                    && new.signer.has_same_key_as(&old.signer)
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

/// RFC 9068, 4: `typ` is `at+jwt` or its full media type. No `crit` extension is supported (RFC 7515, 4.1.11).
fn has_access_token_header(header: &Header) -> bool {
    let is_type = |typ: &str| typ.strip_prefix("application/").unwrap_or(typ) == TOKEN_TYPE;
    header.crit.is_none() && header.typ.as_ref().is_some_and(|typ| is_type(&typ.to_ascii_lowercase()))
}

#[derive(Deserialize)]
struct CheckedClaims {
    iss: String,
    sub: Uuid,
    aud: Vec<String>,
    iat: i64,
    exp: i64,
    sid: Uuid,
    /// Version 0.1 issued tokens without it.
    #[serde(default)]
    rtg: i64,
}

/// Decodes the claims, the second part of a token, whose signature must have been verified.
fn decode_claims(token: &str) -> Option<CheckedClaims> {
    let claims = URL_SAFE_NO_PAD.decode(token.split('.').nth(1)?).ok()?;
    serde_json::from_slice(&claims).ok()
}

impl CheckedClaims {
    fn check(&self, issuer: &str, audiences: &[String]) -> Option<VerifiedToken> {
        if self.iss != issuer {
            return None;
        }
        Some(VerifiedToken {
            session: SessionId(self.sid),
            refresh_generation: self.rtg,
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
