#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::crypto::access_token::test_tokens::{
    ISSUER, NOW, SESSION, USER, audiences, claims, copy, forge, part, ring_key, shared_keys,
};
use aws_lc_rs::hmac;
use aws_lc_rs::signature::Ed25519KeyPair;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::time::Duration;

const MINUTE: Duration = Duration::from_mins(1);

fn ring(keys: &[&RingKey]) -> KeyRing {
    KeyRing::ed25519(keys.iter().copied().map(copy).collect()).unwrap()
}

fn verify(ring: &KeyRing, token: &str) -> Option<VerifiedToken> {
    ring.verify(token, NOW, ISSUER, &audiences()).map(|(verified, _)| verified)
}

fn ed25519_signature(key: &RingKey, message: &[u8]) -> Vec<u8> {
    Ed25519KeyPair::from_pkcs8(&key.private_key).unwrap().sign(message).as_ref().to_vec()
}

fn hmac_signature(secret: &[u8], message: &[u8]) -> Vec<u8> {
    hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret), message).as_ref().to_vec()
}

fn claims_json() -> Value {
    serde_json::to_value(claims()).unwrap()
}

fn with(mut value: Value, name: &str, to: Value) -> Value {
    value[name] = to;
    value
}

fn without(mut value: Value, name: &str) -> Value {
    value.as_object_mut().unwrap().remove(name);
    value
}

/// A genuine signature over this header and these claims.
fn signed(key: &RingKey, header: &Value, claims: &Value) -> String {
    forge(header, claims, |message| ed25519_signature(key, message))
}

fn header(key: &RingKey) -> Value {
    json!({ "typ": "at+jwt", "alg": "EdDSA", "kid": key.kid })
}

#[test]
fn token_has_documented_header_and_claims() {
    let key = ring_key(NOW, None);
    let token = ring(&[&key]).sign(&claims(), NOW).unwrap();
    assert_eq!(part(&token, 0), header(&key));
    let expected = json!({
        "iss": ISSUER, "sub": "00000000-0000-0000-0000-000000000002", "aud": ["app"],
        "iat": 1_800_000_000, "exp": 1_800_000_600, "jti": "00000000-0000-0000-0000-000000000003",
        "sid": "00000000-0000-0000-0000-000000000001", "org_id": "00000000-0000-0000-0000-000000000004",
        "org_role": "owner", "roles": ["svc:admin"],
    });
    assert_eq!(part(&token, 1), expected);
}

#[test]
fn signed_token_verifies_in_both_modes() {
    let key = ring_key(NOW, None);
    for ring in [ring(&[&key]), KeyRing::hs256(&shared_keys())] {
        let token = ring.sign(&claims(), NOW).unwrap();
        let expires_at = NOW + 10 * MINUTE;
        let verified = VerifiedToken { session: SESSION, user: USER, audience: 0, issued_at: NOW, expires_at };
        assert_eq!(ring.verify(&token, NOW, ISSUER, &audiences()), Some((verified, expires_at)));
    }
}

#[test]
fn most_recently_activated_key_signs() {
    let (old, new) = (ring_key(NOW - MINUTE, None), ring_key(NOW + MINUTE, None));
    let ring = ring(&[&new, &old]);
    let signer = |now| part(&ring.sign(&claims(), now).unwrap(), 0)["kid"].clone();
    assert_eq!(signer(NOW), json!(old.kid));
    assert_eq!(signer(NOW + MINUTE), json!(new.kid));
    assert!(matches!(ring.sign(&claims(), NOW - 2 * MINUTE), Err(SigningError::NoActiveKey)));
}

#[test]
fn retired_key_verifies_until_published_until() {
    let key = ring_key(NOW - MINUTE, Some(NOW + MINUTE));
    let ring = ring(&[&key]);
    let token = ring.sign(&claims(), NOW).unwrap();
    let until = |now| ring.verify(&token, now, ISSUER, &audiences()).map(|(_, until)| until);
    assert_eq!(until(NOW), Some(NOW + MINUTE));
    assert_eq!(until(NOW + MINUTE), None);
    assert_eq!(ring.jwks(NOW)["keys"].as_array().unwrap().len(), 1);
    assert_eq!(ring.jwks(NOW + MINUTE), json!({ "keys": [] }));
    assert!(ring.sign(&claims(), NOW + MINUTE).is_err());
}

#[test]
fn token_expires_at_exp_without_leeway() {
    let ring = ring(&[&ring_key(NOW, None)]);
    let token = ring.sign(&claims(), NOW).unwrap();
    let at = |now| ring.verify(&token, now, ISSUER, &audiences());
    assert!(at(NOW + 10 * MINUTE - Duration::from_micros(1)).is_some());
    assert!(at(NOW + 10 * MINUTE).is_none());
}

#[test]
fn foreign_issuer_or_audience_is_rejected() {
    let ring = ring(&[&ring_key(NOW, None)]);
    let sign = |claims: Claims<'_>| ring.sign(&claims, NOW).unwrap();
    assert!(verify(&ring, &sign(Claims { iss: "https://accounts.example.org/", ..claims() })).is_none());
    assert!(verify(&ring, &sign(Claims { aud: ["other"], ..claims() })).is_none());
    assert_eq!(verify(&ring, &sign(Claims { aud: ["admin"], ..claims() })).unwrap().audience, 1);
    assert!(ring.verify(&sign(claims()), NOW, ISSUER, &[]).is_none());
}

#[test]
fn type_other_than_access_token_is_rejected() {
    let key = ring_key(NOW, None);
    let ring = ring(&[&key]);
    let typed = |typ: &str| signed(&key, &with(header(&key), "typ", json!(typ)), &claims_json());
    for typ in ["at+jwt", "AT+JWT", "application/at+jwt", "Application/At+Jwt"] {
        assert!(verify(&ring, &typed(typ)).is_some(), "{typ}");
    }
    for typ in ["JWT", "", "at+jwt ", "application/jwt", "application/application/at+jwt", "id+jwt"] {
        assert!(verify(&ring, &typed(typ)).is_none(), "{typ}");
    }
    assert!(verify(&ring, &signed(&key, &without(header(&key), "typ"), &claims_json())).is_none());
}

#[test]
fn unsigned_tokens_are_rejected() {
    let key = ring_key(NOW, None);
    let ring = ring(&[&key]);
    for alg in ["none", "None", "NONE", "nOnE", ""] {
        let header = with(header(&key), "alg", json!(alg));
        assert!(verify(&ring, &forge(&header, &claims_json(), |_| Vec::new())).is_none());
        assert!(verify(&ring, &signed(&key, &header, &claims_json())).is_none());
    }
    let token = ring.sign(&claims(), NOW).unwrap();
    let (message, _) = token.rsplit_once('.').unwrap();
    for bad in [message.to_owned(), format!("{message}."), format!("{message}.AAAA")] {
        assert!(verify(&ring, &bad).is_none());
    }
}

#[test]
fn algorithm_confusion_is_rejected() {
    let key = ring_key(NOW, None);
    let eddsa = ring(&[&key]);
    // The public key, which everyone knows, used as a shared secret.
    for secret in [key.public_key.clone(), key.kid.clone().into_bytes(), Vec::new()] {
        let header = with(header(&key), "alg", json!("HS256"));
        assert!(verify(&eddsa, &forge(&header, &claims_json(), |message| hmac_signature(&secret, message))).is_none());
    }
    let hs256 = KeyRing::hs256(&shared_keys());
    for alg in ["EdDSA", "HS384", "HS512", "RS256", "ES256"] {
        let header = json!({ "typ": "at+jwt", "alg": alg, "kid": "two" });
        assert!(verify(&hs256, &forge(&header, &claims_json(), |message| hmac_signature(&[2; 32], message))).is_none());
        assert!(verify(&hs256, &signed(&key, &header, &claims_json())).is_none());
    }
    let header = json!({ "typ": "at+jwt", "alg": "HS256", "kid": "two" });
    assert!(verify(&hs256, &forge(&header, &claims_json(), |message| hmac_signature(&[2; 32], message))).is_some());
}

#[test]
fn unknown_or_embedded_key_is_rejected() {
    let (ours, theirs) = (ring_key(NOW, None), ring_key(NOW, None));
    let ring = ring(&[&ours]);
    let jwk =
        serde_json::to_value(Jwk::ed25519(&theirs.kid, theirs.public_key.as_slice().try_into().unwrap())).unwrap();
    let headers = [
        header(&theirs),
        header(&ours),
        without(header(&theirs), "kid"),
        with(header(&theirs), "jwk", jwk.clone()),
        with(header(&ours), "jwk", jwk),
        with(header(&ours), "jku", json!("https://evil.example/jwks.json")),
    ];
    for header in headers {
        assert!(verify(&ring, &signed(&theirs, &header, &claims_json())).is_none(), "{header}");
    }
    assert!(verify(&ring, &signed(&ours, &without(header(&ours), "kid"), &claims_json())).is_none());
    assert!(verify(&ring, &signed(&ours, &with(header(&ours), "crit", json!(["exp"])), &claims_json())).is_none());
    assert!(verify(&ring, &signed(&ours, &header(&ours), &claims_json())).is_some());
}

#[test]
fn missing_or_mistyped_claims_are_rejected() {
    let key = ring_key(NOW, None);
    let ring = ring(&[&key]);
    for name in ["iss", "sub", "aud", "iat", "exp", "sid"] {
        assert!(verify(&ring, &signed(&key, &header(&key), &without(claims_json(), name))).is_none(), "{name}");
        assert!(
            verify(&ring, &signed(&key, &header(&key), &with(claims_json(), name, json!(null)))).is_none(),
            "{name}"
        );
    }
    let bad = [
        ("exp", json!("1800000600")),
        ("exp", json!(i64::MAX)),
        ("exp", json!(u64::MAX)),
        ("exp", json!(-1)),
        ("sid", json!("1")),
        ("aud", json!("app")),
        ("aud", json!([])),
        ("iss", json!([ISSUER])),
    ];
    for (name, value) in bad {
        assert!(
            verify(&ring, &signed(&key, &header(&key), &with(claims_json(), name, value.clone()))).is_none(),
            "{name} {value}"
        );
    }
}

#[test]
fn overlong_tokens_are_rejected() {
    let key = ring_key(NOW, None);
    let ring = ring(&[&key]);
    let roles = |count| with(claims_json(), "roles", json!(vec!["svc:monitor"; count]));
    assert!(verify(&ring, &signed(&key, &header(&key), &roles(100))).is_some());
    assert!(verify(&ring, &signed(&key, &header(&key), &roles(300))).is_none());
}

#[test]
fn mismatched_key_pair_or_id_is_rejected() {
    let (a, b) = (ring_key(NOW, None), ring_key(NOW, None));
    for bad in [
        RingKey { public_key: b.public_key.clone(), ..copy(&a) },
        RingKey { kid: b.kid.clone(), ..copy(&a) },
        RingKey { private_key: b.private_key.clone(), ..copy(&a) },
        RingKey { private_key: Zeroizing::new(Vec::new()), ..copy(&a) },
    ] {
        let kid = bad.kid.clone();
        assert_eq!(KeyRing::ed25519(vec![bad]).unwrap_err(), KeyRingError { kid });
    }
}

#[test]
fn jwks_lists_public_keys_oldest_first() {
    let (old, new) = (ring_key(NOW - MINUTE, Some(NOW + MINUTE)), ring_key(NOW + MINUTE, None));
    let set = ring(&[&new, &old]).jwks(NOW);
    let kids: Vec<_> = set["keys"].as_array().unwrap().iter().map(|key| key["kid"].clone()).collect();
    assert_eq!(kids, [json!(old.kid), json!(new.kid)]);
    assert_eq!(
        set["keys"][0].as_object().unwrap().keys().collect::<Vec<_>>(),
        ["alg", "crv", "kid", "kty", "use", "x"]
    );
    assert_eq!(KeyRing::hs256(&shared_keys()).jwks(NOW), json!({ "keys": [] }));
}

#[test]
fn inactive_shared_key_verifies_but_does_not_sign() {
    let ring = KeyRing::hs256(&shared_keys());
    assert_eq!(part(&ring.sign(&claims(), NOW).unwrap(), 0)["kid"], json!("two"));
    let header = json!({ "typ": "at+jwt", "alg": "HS256", "kid": "one" });
    assert!(verify(&ring, &forge(&header, &claims_json(), |message| hmac_signature(&[1; 32], message))).is_some());
    assert!(verify(&ring, &forge(&header, &claims_json(), |message| hmac_signature(&[2; 32], message))).is_none());
}

#[test]
fn debug_shows_key_ids_only() {
    let key = ring_key(NOW, None);
    assert_eq!(format!("{:?}", ring(&[&key])), format!("KeyRing([{:?}])", key.kid));
}

proptest! {
    #[test]
    fn modified_token_is_rejected(at in any::<prop::sample::Index>(), with in "[A-Za-z0-9_.-]") {
        let ring = KeyRing::hs256(&shared_keys());
        let token = ring.sign(&claims(), NOW).unwrap();
        let at = at.index(token.len());
        let mut changed = token.clone();
        changed.replace_range(at..=at, &with);
        prop_assert_eq!(verify(&ring, &changed).is_some(), changed == token);
        prop_assert!(verify(&ring, &token[..at]).is_none());
    }

    #[test]
    fn arbitrary_text_is_rejected(text in ".*") {
        prop_assert!(verify(&KeyRing::hs256(&shared_keys()), &text).is_none());
    }
}
