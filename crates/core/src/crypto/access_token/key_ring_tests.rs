#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::crypto::access_token::test_tokens::{
    ALGORITHMS, ISSUER, NOW, SESSION, USER, audiences, claims, copy, forge, part, ring_key, ring_key_for, shared_keys,
};
use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::hmac;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::time::Duration;

const MINUTE: Duration = Duration::from_mins(1);

fn ring(keys: &[&RingKey]) -> KeyRing {
    KeyRing::key_pairs(keys.iter().copied().map(copy).collect()).unwrap()
}

fn verify(ring: &KeyRing, token: &str) -> Option<VerifiedToken> {
    ring.verify(token, NOW, ISSUER, &audiences()).map(|(verified, _)| verified)
}

fn pair(key: &RingKey) -> SigningKeyPair {
    SigningKeyPair::from_pkcs8(key.algorithm, &key.private_key).unwrap()
}

fn key_pair_signature(key: &RingKey, message: &[u8]) -> Vec<u8> {
    pair(key).sign(message).unwrap().as_ref().to_vec()
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
    forge(header, claims, |message| key_pair_signature(key, message))
}

fn header(key: &RingKey) -> Value {
    json!({ "typ": "at+jwt", "alg": key.algorithm.as_str(), "kid": key.kid })
}

#[test]
fn token_has_documented_header_and_claims() {
    let key = ring_key(NOW, None);
    let token = ring(&[&key]).sign(&claims(), NOW).unwrap();
    assert_eq!(part(&token, 0), header(&key));
    let expected = json!({
        "iss": ISSUER, "sub": "00000000-0000-0000-0000-000000000002", "aud": ["app"], "client_id": "app",
        "iat": 1_800_000_000, "exp": 1_800_000_600, "jti": "00000000-0000-0000-0000-000000000003",
        "sid": "00000000-0000-0000-0000-000000000001", "rtg": 5,
        "org_id": "00000000-0000-0000-0000-000000000004", "org_role": "owner", "roles": ["svc:admin"],
    });
    assert_eq!(part(&token, 1), expected);
}

#[test]
fn signed_token_verifies_with_each_algorithm() {
    let [eddsa, es256] = ALGORITHMS.map(|algorithm| ring_key_for(algorithm, NOW, None));
    for ring in [ring(&[&eddsa]), ring(&[&es256]), KeyRing::hs256(&shared_keys())] {
        let token = ring.sign(&claims(), NOW).unwrap();
        let expires_at = NOW + 10 * MINUTE;
        let verified = VerifiedToken {
            session: SESSION,
            refresh_generation: 5,
            user: USER,
            audience: 0,
            issued_at: NOW,
            expires_at,
        };
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
    assert_eq!(signer(NOW - 2 * MINUTE), json!(old.kid), "this machine's clock is behind");
    assert!(matches!(KeyRing::key_pairs(Vec::new()).unwrap().sign(&claims(), NOW), Err(SigningError::NoActiveKey)));
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
    ALGORITHMS.into_iter().for_each(reject_unsigned_tokens);
}

fn reject_unsigned_tokens(algorithm: SigningAlgorithm) {
    let key = ring_key_for(algorithm, NOW, None);
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
fn public_key_as_shared_secret_is_rejected() {
    for key in ALGORITHMS.map(|algorithm| ring_key_for(algorithm, NOW, None)) {
        let ring = ring(&[&key]);
        let header = with(header(&key), "alg", json!("HS256"));
        let jwk = serde_json::to_vec(&pair(&key).jwk()).unwrap();
        for secret in [key.public_key.clone(), key.kid.clone().into_bytes(), jwk, Vec::new()] {
            let token = forge(&header, &claims_json(), |message| hmac_signature(&secret, message));
            assert!(verify(&ring, &token).is_none());
        }
    }
}

#[test]
fn algorithm_other_than_that_of_key_is_rejected() {
    let [eddsa, es256] = ALGORITHMS.map(|algorithm| ring_key_for(algorithm, NOW, None));
    let both = ring(&[&eddsa, &es256]);
    for (key, other) in [(&eddsa, &es256), (&es256, &eddsa)] {
        assert!(verify(&both, &signed(key, &header(key), &claims_json())).is_some());
        let alg = |alg: &str| with(header(key), "alg", json!(alg));
        for alg in [alg(other.algorithm.as_str()), alg("ES384"), alg("RS256"), alg("HS256"), alg("Ed25519")] {
            assert!(verify(&both, &signed(key, &alg, &claims_json())).is_none(), "{alg}");
        }
        // The header of one key, the signature of the other.
        assert!(verify(&both, &signed(other, &header(key), &claims_json())).is_none());
        let mixed = with(header(key), "alg", json!(other.algorithm.as_str()));
        assert!(verify(&both, &signed(other, &mixed, &claims_json())).is_none());
    }
}

#[test]
fn shared_key_verifies_hs256_only() {
    let key = ring_key(NOW, None);
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
fn es256_signature_in_der_is_rejected() {
    let key = ring_key_for(SigningAlgorithm::Es256, NOW, None);
    let sign = |message: &[u8]| {
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &key.private_key).unwrap();
        pair.sign_digest(&digest(&SHA256, message)).unwrap().as_ref().to_vec()
    };
    assert!(verify(&ring(&[&key]), &forge(&header(&key), &claims_json(), sign)).is_none());
}

#[test]
fn unknown_or_embedded_key_is_rejected() {
    let (ours, theirs) = (ring_key(NOW, None), ring_key(NOW, None));
    let ring = ring(&[&ours]);
    let jwk = serde_json::to_value(pair(&theirs).jwk()).unwrap();
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
        RingKey { algorithm: SigningAlgorithm::Es256, ..copy(&a) },
        RingKey { algorithm: SigningAlgorithm::EdDsa, ..ring_key_for(SigningAlgorithm::Es256, NOW, None) },
    ] {
        let kid = bad.kid.clone();
        assert_eq!(KeyRing::key_pairs(vec![bad]).unwrap_err(), KeyRingError { kid });
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
fn one_algorithm_follows_the_other_without_a_gap() {
    let old = ring_key(NOW - MINUTE, Some(NOW + 3 * MINUTE));
    let new = ring_key_for(SigningAlgorithm::Es256, NOW + MINUTE, None);
    let ring = ring(&[&old, &new]);
    let (before, after) = (ring.sign(&claims(), NOW).unwrap(), ring.sign(&claims(), NOW + MINUTE).unwrap());
    let algorithm = |token: &str| part(token, 0)["alg"].clone();
    assert_eq!((algorithm(&before), algorithm(&after)), (json!("EdDSA"), json!("ES256")));
    let accepted = |token: &str, now| ring.verify(token, now, ISSUER, &audiences()).is_some();
    assert!(accepted(&before, NOW + 2 * MINUTE) && accepted(&after, NOW + 2 * MINUTE));
    let published = |now| {
        let set = ring.jwks(now);
        set["keys"].as_array().unwrap().iter().map(|key| key["kty"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(published(NOW), ["EC", "OKP"], "first what every library knows");
    assert_eq!(published(NOW + 3 * MINUTE), ["EC"]);
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
