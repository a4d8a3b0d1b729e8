#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use crate::model::signing::SigningAlgorithm;
use crate::settings::testing::{load, problem, refused, settings};

const ZEROS: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

#[test]
fn default_issuer_is_normalized_base_url() {
    assert_eq!(settings(&[("BASE_URL", "HTTP://A.example:80/")]).tokens.issuer, "http://a.example");
    assert_eq!(settings(&[("JWT_ISSUER", "https://id.example/")]).tokens.issuer, "https://id.example/");
    let line = problem(&[("BASE_URL", "nonsense")]);
    assert!(line.starts_with("SVC_BASE_URL: "), "one mistake, one line: {line}");
}

#[test]
fn active_key_id_without_keys_is_refused() {
    assert!(settings(&[]).tokens.hs256.is_none());
    let line = problem(&[("JWT_ACTIVE_KEY_ID", "k1")]);
    assert!(line.starts_with("SVC_JWT_ACTIVE_KEY_ID: \"k1\" cannot be used"), "{line}");
}

#[test]
fn first_key_signs_unless_overridden() {
    let keys = format!("k1:{ZEROS},k2:{}", "A".repeat(64));
    let hs256 = settings(&[("JWT_KEYS", &keys)]).tokens.hs256.unwrap();
    assert_eq!(hs256.active, "k1");
    assert_eq!(
        hs256.keys.iter().map(|(id, key)| (id.as_str(), key.len())).collect::<Vec<_>>(),
        [("k1", 32), ("k2", 48)]
    );
    let hs256 = settings(&[("JWT_KEYS", &keys), ("JWT_ACTIVE_KEY_ID", "k2")]).tokens.hs256.unwrap();
    assert_eq!(hs256.active, "k2");
    let line = problem(&[("JWT_KEYS", &keys), ("JWT_ACTIVE_KEY_ID", "k3")]);
    assert!(line.ends_with("allowed: k1, k2"), "{line}");
}

#[test]
fn invalid_keys_are_refused_and_redacted() {
    refused(
        "JWT_KEYS",
        &[ZEROS, "k1:AAAA", "k1:s3cret!", "k 1:AAAA", "k1", &format!("k1:{ZEROS},")],
        "at least 32 bytes",
    );
    refused("JWT_KEYS", &[&format!("k1:{ZEROS},k1:{ZEROS}")], "each key id only once");
    assert!(!problem(&[("JWT_KEYS", "k1:s3cret")]).contains("s3cret"));
    let both = load(&[("JWT_KEYS", "k1:s3cret"), ("JWT_ACTIVE_KEY_ID", "k1")]).unwrap_err();
    assert_eq!(both.problems.len(), 1, "the id is not to blame");
}

#[test]
fn algorithm_is_eddsa_or_es256_and_not_beside_shared_keys() {
    assert_eq!(settings(&[]).tokens.algorithm, SigningAlgorithm::EdDsa);
    assert_eq!(settings(&[("JWT_ALG", "ES256")]).tokens.algorithm, SigningAlgorithm::Es256);
    refused("JWT_ALG", &["es256", "HS256", "none", "RS256"], "EdDSA or ES256");
    for algorithm in ["EdDSA", "ES256"] {
        let line = problem(&[("JWT_ALG", algorithm), ("JWT_KEYS", &format!("k1:{ZEROS}"))]);
        assert!(line.starts_with("SVC_JWT_ALG: is set, and SVC_JWT_KEYS too"), "{line}");
    }
}
