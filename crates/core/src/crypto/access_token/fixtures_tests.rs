//! `tests/fixtures/tokens.json`: tokens of this code, signed with keys that everyone knows, right and wrong ones. The
//! software of others verifies them: by `scripts/interop/run`, and in `tests/it/interop.rs`.
//!
//! `DOORWARD_BLESS=1 cargo test -p doorward-core fixtures` writes the file again; then run `scripts/interop/run`.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::test_tokens::{ALGORITHMS, claims, forge};
use super::{KeyRing, RingKey};
use crate::crypto::signing_key::{SigningKeyPair, generate};
use crate::crypto::test_keys::published_signing_key;
use crate::model::signing::SigningAlgorithm;
use crate::model::time::Time;
use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const ISSUER: &str = "https://accounts.example.org";
const AUDIENCE: &str = "app";
/// November 2023, and the year 2100: the software of others reads the real time.
const ISSUED_AT: i64 = 1_700_000_000;
const EXPIRES_AT: i64 = 4_102_444_800;
const NOW: Time = Time::from_micros((ISSUED_AT + 3600) * 1_000_000);

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/tokens.json")
}

fn ring_key(algorithm: SigningAlgorithm) -> RingKey {
    let key = published_signing_key(algorithm);
    let active_from = Time::from_micros(0);
    RingKey {
        algorithm,
        kid: key.kid,
        public_key: key.public_key,
        private_key: key.private_key,
        active_from,
        published_until: None,
    }
}

fn ring(algorithms: &[SigningAlgorithm]) -> KeyRing {
    KeyRing::key_pairs(algorithms.iter().copied().map(ring_key).collect()).unwrap()
}

fn sign(algorithm: SigningAlgorithm, private_key: &[u8], message: &[u8]) -> Vec<u8> {
    let pair = SigningKeyPair::from_pkcs8(algorithm, private_key).unwrap();
    pair.sign(message).unwrap().as_ref().to_vec()
}

/// Every case of an algorithm: its name, and the token.
fn cases(algorithm: SigningAlgorithm) -> Vec<(&'static str, String)> {
    let key = ring_key(algorithm);
    let claims = super::Claims { iat: ISSUED_AT, exp: EXPIRES_AT, iss: ISSUER, ..claims() };
    let claims = serde_json::to_value(claims).unwrap();
    let header = json!({ "typ": "at+jwt", "alg": algorithm.as_str(), "kid": key.kid });
    let with = |value: &Value, name: &str, to: Value| {
        let mut value = value.clone();
        value[name] = to;
        value
    };
    let signed = |claims: &Value| forge(&header, claims, |message| sign(algorithm, &key.private_key, message));
    let right = signed(&claims);
    let part = |token: &str, index: usize| token.split('.').nth(index).unwrap().to_owned();
    let changed = signed(&with(&claims, "sub", json!("00000000-0000-0000-0000-0000000000ff")));
    let foreign = generate(algorithm).unwrap();
    let hmac = |message: &[u8]| {
        let key = hmac::Key::new(hmac::HMAC_SHA256, &key.public_key);
        hmac::sign(&key, message).as_ref().to_vec()
    };
    vec![
        ("changed claims", format!("{}.{}.{}", part(&right, 0), part(&changed, 1), part(&right, 2))),
        ("changed signature", format!("{}.{}.{}", part(&right, 0), part(&right, 1), part(&changed, 2))),
        ("alg none", forge(&with(&header, "alg", json!("none")), &claims, |_| Vec::new())),
        ("HS256 with the public key", forge(&with(&header, "alg", json!("HS256")), &claims, hmac)),
        ("another key", forge(&header, &claims, |message| sign(algorithm, &foreign.private_key, message))),
        ("expired", signed(&with(&claims, "exp", json!(ISSUED_AT + 600)))),
        ("another audience", signed(&with(&claims, "aud", json!(["other"])))),
        ("another issuer", signed(&with(&claims, "iss", json!("https://accounts.example.net")))),
        ("right", right),
    ]
}

fn fixtures() -> Value {
    let tokens = ALGORITHMS.iter().flat_map(|algorithm| {
        cases(*algorithm)
            .into_iter()
            .map(|(case, token)| json!({ "alg": algorithm.as_str(), "case": case, "token": token }))
    });
    let sets = [("EdDSA", &ALGORITHMS[..1]), ("ES256", &ALGORITHMS[1..]), ("both", &ALGORITHMS[..])];
    let sets: serde_json::Map<_, _> =
        sets.into_iter().map(|(name, algorithms)| (name.to_owned(), ring(algorithms).jwks(NOW))).collect();
    json!({ "issuer": ISSUER, "audience": AUDIENCE, "sets": sets, "tokens": tokens.collect::<Vec<_>>() })
}

#[test]
fn fixtures_are_tokens_of_this_code() {
    let expected = fixtures();
    if std::env::var_os("DOORWARD_BLESS").is_some() {
        std::fs::write(path(), serde_json::to_string_pretty(&expected).unwrap() + "\n").unwrap();
    }
    let written: Value = serde_json::from_slice(&std::fs::read(path()).unwrap()).unwrap();
    assert_eq!(written["sets"], expected["sets"]);
    let (written, expected) = (written["tokens"].as_array().unwrap(), expected["tokens"].as_array().unwrap());
    assert_eq!(written.len(), expected.len());
    let both = ring(&ALGORITHMS);
    for (written, expected) in written.iter().zip(expected) {
        assert_eq!((&written["alg"], &written["case"]), (&expected["alg"], &expected["case"]));
        // Signatures of ES256 differ every time; what is signed does not.
        let message = |fixture: &Value| fixture["token"].as_str().unwrap().rsplit_once('.').unwrap().0.to_owned();
        assert_eq!(message(written), message(expected));
        let accepted = both.verify(written["token"].as_str().unwrap(), NOW, ISSUER, &[AUDIENCE.to_owned()]).is_some();
        assert_eq!(accepted, written["case"] == "right", "{written}");
    }
}

#[test]
fn right_fixtures_have_the_form_of_issued_tokens() {
    for algorithm in ALGORITHMS {
        let (_, right) = cases(algorithm).pop().unwrap();
        let issued = super::Claims { iat: ISSUED_AT, exp: EXPIRES_AT, iss: ISSUER, ..claims() };
        let issued = ring(&[algorithm]).sign(&issued, NOW).unwrap();
        for index in 0..2 {
            let json = |token: &str| -> Value {
                serde_json::from_slice(&URL_SAFE_NO_PAD.decode(token.split('.').nth(index).unwrap()).unwrap()).unwrap()
            };
            assert_eq!(json(&right), json(&issued));
        }
    }
}
