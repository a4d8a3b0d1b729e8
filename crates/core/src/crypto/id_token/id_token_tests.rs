#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::crypto::scripted_token::{ScriptedKey, ScriptedSignature};
use aws_lc_rs::digest::{self, digest};
use aws_lc_rs::encoding::AsDer;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{self as lc, EcdsaKeyPair, EcdsaSigningAlgorithm, Ed25519KeyPair, KeyPair, RsaKeyPair};
use proptest::prelude::*;
use serde_json::json;

type Sign = Box<dyn Fn(&[u8]) -> Vec<u8>>;

/// A key of each kind as a JWK, and what it signs with.
fn rsa(encoding: &'static dyn lc::RsaEncoding, hash: &'static digest::Algorithm) -> (Value, Sign) {
    let pair = RsaKeyPair::generate(KeySize::Rsa2048).unwrap();
    let public = lc::RsaPublicKeyComponents::<Vec<u8>>::from(pair.public_key());
    let encode = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
    let jwk = json!({ "kty": "RSA", "kid": "k", "n": encode(&public.n), "e": encode(&public.e) });
    let sign = move |message: &[u8]| {
        let mut signature = vec![0; pair.public_modulus_len()];
        pair.sign_digest(encoding, &digest(hash, message), &mut signature).unwrap();
        signature
    };
    (jwk, Box::new(sign))
}

fn ec(crv: &str, algorithm: &'static EcdsaSigningAlgorithm, hash: &'static digest::Algorithm) -> (Value, Sign) {
    let pair = EcdsaKeyPair::generate(algorithm).unwrap();
    let point = &pair.public_key().as_ref()[1..];
    let (x, y) = point.split_at(point.len() / 2);
    let (x, y) = (URL_SAFE_NO_PAD.encode(x), URL_SAFE_NO_PAD.encode(y));
    let jwk = json!({ "kty": "EC", "kid": "k", "use": "sig", "crv": crv, "x": x, "y": y });
    (jwk, Box::new(move |message| pair.sign_digest(&digest(hash, message)).unwrap().as_ref().to_vec()))
}

fn ed25519() -> (Value, Sign) {
    let pair = Ed25519KeyPair::generate().unwrap();
    let x = URL_SAFE_NO_PAD.encode(pair.public_key().as_ref());
    let jwk = json!({ "kty": "OKP", "kid": "k", "crv": "Ed25519", "x": x });
    (jwk, Box::new(move |message| pair.sign(message).as_ref().to_vec()))
}

fn key_for(algorithm: IdTokenAlgorithm) -> (Value, Sign) {
    match algorithm {
        IdTokenAlgorithm::Rs256 => rsa(&lc::RSA_PKCS1_SHA256, &digest::SHA256),
        IdTokenAlgorithm::Rs384 => rsa(&lc::RSA_PKCS1_SHA384, &digest::SHA384),
        IdTokenAlgorithm::Rs512 => rsa(&lc::RSA_PKCS1_SHA512, &digest::SHA512),
        IdTokenAlgorithm::Ps256 => rsa(&lc::RSA_PSS_SHA256, &digest::SHA256),
        IdTokenAlgorithm::Ps384 => rsa(&lc::RSA_PSS_SHA384, &digest::SHA384),
        IdTokenAlgorithm::Ps512 => rsa(&lc::RSA_PSS_SHA512, &digest::SHA512),
        IdTokenAlgorithm::Es256 => ec("P-256", &lc::ECDSA_P256_SHA256_FIXED_SIGNING, &digest::SHA256),
        IdTokenAlgorithm::Es384 => ec("P-384", &lc::ECDSA_P384_SHA384_FIXED_SIGNING, &digest::SHA384),
        IdTokenAlgorithm::Es512 => ec("P-521", &lc::ECDSA_P521_SHA512_FIXED_SIGNING, &digest::SHA512),
        IdTokenAlgorithm::EdDsa => ed25519(),
    }
}

fn set(keys: &[Value]) -> IdTokenKeys {
    IdTokenKeys::parse(json!({ "keys": keys }).to_string().as_bytes()).unwrap()
}

fn token(header: &str, claims: &str, sign: &Sign) -> String {
    let message = format!("{}.{}", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode(claims));
    format!("{message}.{}", URL_SAFE_NO_PAD.encode(sign(message.as_bytes())))
}

fn with(mut key: Value, name: &str, to: Value) -> Value {
    key[name] = to;
    key
}

const CLAIMS: &str = r#"{"sub":"ada"}"#;

#[test]
fn each_algorithm_is_verified_with_a_key_of_its_kind_only() {
    for algorithm in IdTokenAlgorithm::ALL {
        let (key, sign) = key_for(algorithm);
        let keys = set(std::slice::from_ref(&key));
        let signed = token(&json!({ "alg": algorithm.as_str(), "kid": "k" }).to_string(), CLAIMS, &sign);
        let claims = verify(&signed, &keys).unwrap();
        assert_eq!(claims, SignedClaims { claims: serde_json::from_str(CLAIMS).unwrap(), key_issuer: None });
        // Another key of the kind, and the same key by another algorithm.
        let (other, _) = key_for(algorithm);
        assert_eq!(verify(&signed, &set(&[other])), Err(IdTokenError::Signature), "{algorithm:?}");
        for other in IdTokenAlgorithm::ALL.into_iter().filter(|other| *other != algorithm) {
            let confused = token(&json!({ "alg": other.as_str(), "kid": "k" }).to_string(), CLAIMS, &sign);
            let is_same_kind = other.key_kind() == algorithm.key_kind();
            let expected = if is_same_kind { IdTokenError::Signature } else { IdTokenError::KeyKind };
            assert_eq!(verify(&confused, &keys), Err(expected), "{algorithm:?} as {other:?}");
        }
        // What the key says of itself counts.
        let other = if algorithm == IdTokenAlgorithm::Rs256 { "PS256" } else { "RS256" };
        let bound = |alg: &str| set(&[with(key.clone(), "alg", json!(alg))]);
        assert!(verify(&signed, &bound(algorithm.as_str())).is_ok());
        assert_eq!(verify(&signed, &bound(other)), Err(IdTokenError::KeyKind));
    }
}

#[test]
fn small_rsa_key_verifies_nothing() {
    let (key, _) = rsa(&lc::RSA_PKCS1_SHA256, &digest::SHA256);
    let header = json!({ "alg": "RS256", "kid": "k" }).to_string();
    let small = with(key, "n", json!(URL_SAFE_NO_PAD.encode([0xff; 128])));
    let signed = token(&header, CLAIMS, &(Box::new(|_: &[u8]| vec![1_u8; 128]) as Sign));
    assert_eq!(verify(&signed, &set(&[small])), Err(IdTokenError::Signature));
}

#[test]
fn token_without_a_signature_of_the_provider_is_refused() {
    let (key, other) = (ScriptedKey::generate().unwrap(), ScriptedKey::generate().unwrap());
    let jwk = |key: &ScriptedKey| serde_json::to_value(key.jwk()).unwrap();
    let (one, two, none) = (set(&[jwk(&key)]), set(&[jwk(&key), jwk(&other)]), set(&[]));
    let signed = |signature| key.sign(&json!({ "sub": "ada" }), signature).unwrap();
    assert!(verify(&signed(ScriptedSignature::Right), &two).is_ok());
    assert!(verify(&signed(ScriptedSignature::Anonymous), &one).is_ok());
    let refused = [
        (ScriptedSignature::Missing, &one, IdTokenError::Algorithm("none".to_owned())),
        (ScriptedSignature::PublicKeyAsSecret, &one, IdTokenError::Algorithm("HS256".to_owned())),
        (ScriptedSignature::Anonymous, &two, IdTokenError::SeveralKeys),
        (ScriptedSignature::Anonymous, &none, IdTokenError::UnknownKey),
        (ScriptedSignature::Right, &none, IdTokenError::UnknownKey),
    ];
    for (signature, keys, error) in refused {
        assert_eq!(verify(&signed(signature), keys), Err(error), "{signature:?}");
    }
    let foreign = other.sign(&json!({ "sub": "ada" }), ScriptedSignature::Anonymous).unwrap();
    assert_eq!(verify(&foreign, &one), Err(IdTokenError::UnknownKey));
    let twice = set(&[jwk(&key), with(jwk(&other), "kid", json!(key.jwk().kid))]);
    assert_eq!(verify(&signed(ScriptedSignature::Right), &twice), Err(IdTokenError::SeveralKeys));
    let foreign = other.sign(&json!({ "sub": "ada" }), ScriptedSignature::Right).unwrap();
    assert_eq!(verify(&foreign, &one), Err(IdTokenError::UnknownKey));
}

#[test]
fn key_that_states_an_issuer_hands_it_on() {
    let (key, sign) = ed25519();
    let keys = set(&[with(key, "issuer", json!("https://id.example/{tenantid}"))]);
    let claims = verify(&token(r#"{"alg":"EdDSA"}"#, CLAIMS, &sign), &keys).unwrap();
    assert_eq!(claims.key_issuer.as_deref(), Some("https://id.example/{tenantid}"));
}

#[test]
fn malformed_tokens_are_refused() {
    let (key, sign) = ed25519();
    let keys = set(&[key]);
    let header = r#"{"alg":"EdDSA","kid":"k"}"#;
    let right = token(header, CLAIMS, &sign);
    assert!(verify(&right, &keys).is_ok());
    let critical = r#"{"alg":"EdDSA","kid":"k","crit":["exp"]}"#;
    let malformed = [
        String::new(),
        "a.b".to_owned(),
        format!("{right}.x"),
        right.replace('.', "=."),
        right[..right.len() - 1].to_owned(),
        token("{}", CLAIMS, &sign),
        token(r#"{"alg":7}"#, CLAIMS, &sign),
        token(r#"{"alg":"EdDSA","alg":"EdDSA"}"#, CLAIMS, &sign),
        token(critical, CLAIMS, &sign),
        token(header, "[]", &sign),
        token(header, r#"{"sub":"ada","sub":"bob"}"#, &sign),
        token(header, r#"{"sub":"\ud800"}"#, &sign),
        token(header, &format!(r#"{{"sub":"{}"}}"#, "a".repeat(MAX_BYTES)), &sign),
    ];
    for token in malformed {
        assert_eq!(verify(&token, &keys), Err(IdTokenError::Malformed), "{token}");
    }
    let long = token(&json!({ "alg": "x".repeat(1000) }).to_string(), CLAIMS, &sign);
    assert_eq!(verify(&long, &keys), Err(IdTokenError::Algorithm("x".repeat(20))));
}

#[test]
fn every_prefix_and_every_changed_byte_is_refused() {
    let (key, sign) = ed25519();
    let keys = set(&[key]);
    let right = token(r#"{"alg":"EdDSA","kid":"k"}"#, CLAIMS, &sign);
    for at in 0..right.len() {
        assert!(verify(&right[..at], &keys).is_err());
        let mut changed = right.clone().into_bytes();
        changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
        assert!(verify(std::str::from_utf8(&changed).unwrap(), &keys).is_err(), "byte {at}");
    }
}

#[test]
fn der_keys_are_of_no_use() {
    // The library reads a key in SubjectPublicKeyInfo too; a JWK never is one.
    let pair = EcdsaKeyPair::generate(&lc::ECDSA_P256_SHA256_FIXED_SIGNING).unwrap();
    let der = AsDer::<aws_lc_rs::encoding::PublicKeyX509Der<'_>>::as_der(pair.public_key()).unwrap();
    let x = URL_SAFE_NO_PAD.encode(der.as_ref());
    assert!(set(&[json!({ "kty": "EC", "crv": "P-256", "x": x, "y": "" })]).is_empty());
}

proptest! {
    #[test]
    fn any_text_is_no_token(header in any::<String>(), claims in any::<String>(), signature in any::<Vec<u8>>()) {
        let (key, _) = ed25519();
        let keys = set(&[key]);
        let encode = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        let signature = encode(&signature);
        for header in [header.as_str(), r#"{"alg":"EdDSA"}"#] {
            let token = format!("{}.{}.{signature}", encode(header.as_bytes()), encode(claims.as_bytes()));
            prop_assert!(verify(&token, &keys).is_err());
        }
        let plain = format!("{header}.{claims}.{signature}");
        prop_assert!(verify(&plain, &keys).is_err());
    }
}
