//! Keys, claims and forged tokens for the tests of this folder.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::{Claims, RingKey};
use crate::crypto::signing_key::{self, SigningKey};
use crate::model::ids::{OrganizationId, SessionId, UserId};
use crate::model::organization::MemberRole;
use crate::model::signing::SigningAlgorithm;
use crate::model::time::Time;
use crate::settings::Hs256Keys;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;
use uuid::Uuid;
use zeroize::Zeroizing;

pub const NOW: Time = Time::from_micros(1_800_000_000_000_000);
pub const ISSUER: &str = "https://accounts.example.org";
pub const SESSION: SessionId = SessionId(Uuid::from_u128(1));
pub const USER: UserId = UserId(Uuid::from_u128(2));

pub fn audiences() -> Vec<String> {
    vec!["app".to_owned(), "admin".to_owned()]
}

pub fn claims() -> Claims<'static> {
    Claims {
        iss: ISSUER,
        sub: USER,
        aud: ["app"],
        client_id: "app",
        iat: NOW.as_seconds(),
        exp: NOW.as_seconds() + 600,
        jti: Uuid::from_u128(3),
        sid: SESSION,
        rtg: 5,
        org_id: OrganizationId(Uuid::from_u128(4)),
        org_role: MemberRole::Owner,
        roles: vec!["svc:admin"],
    }
}

pub const ALGORITHMS: [SigningAlgorithm; 2] = [SigningAlgorithm::EdDsa, SigningAlgorithm::Es256];

pub fn ring_key(active_from: Time, published_until: Option<Time>) -> RingKey {
    ring_key_for(SigningAlgorithm::EdDsa, active_from, published_until)
}

pub fn ring_key_for(algorithm: SigningAlgorithm, active_from: Time, published_until: Option<Time>) -> RingKey {
    let SigningKey { kid, public_key, private_key } = signing_key::generate(algorithm).unwrap();
    RingKey { algorithm, kid, public_key, private_key, active_from, published_until }
}

pub fn copy(key: &RingKey) -> RingKey {
    RingKey { kid: key.kid.clone(), public_key: key.public_key.clone(), private_key: key.private_key.clone(), ..*key }
}

pub fn shared_keys() -> Hs256Keys {
    let key = |byte| Zeroizing::new(vec![byte; 32]);
    Hs256Keys { keys: vec![("one".to_owned(), key(1)), ("two".to_owned(), key(2))], active: "two".to_owned() }
}

pub fn part(token: &str, index: usize) -> Value {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(token.split('.').nth(index).unwrap()).unwrap()).unwrap()
}

/// A token with any header and claims; `sign` receives the signing input.
pub fn forge(header: &Value, claims: &Value, sign: impl FnOnce(&[u8]) -> Vec<u8>) -> String {
    let encode = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let message = format!("{}.{}", encode(header), encode(claims));
    let signature = URL_SAFE_NO_PAD.encode(sign(message.as_bytes()));
    format!("{message}.{signature}")
}
