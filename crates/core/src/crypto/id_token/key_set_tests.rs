#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use proptest::prelude::*;
use serde_json::json;

fn parse(value: &Value) -> Result<IdTokenKeys, IdTokenKeysError> {
    IdTokenKeys::parse(value.to_string().as_bytes())
}

/// 32 bytes.
const X: &str = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU";

#[test]
fn what_is_no_set_is_refused() {
    for text in ["", "[]", "{}", r#"{"keys":{}}"#, "<html>", "\u{0}", r#"{"keys":[]"#] {
        assert_eq!(IdTokenKeys::parse(text.as_bytes()), Err(IdTokenKeysError::Malformed), "{text}");
    }
    assert_eq!(parse(&json!({ "keys": vec![json!({}); MAX_KEYS + 1] })), Err(IdTokenKeysError::Many));
    assert!(parse(&json!({ "keys": [] })).unwrap().is_empty());
}

#[test]
fn keys_that_verify_nothing_are_left_out() {
    let right = json!({ "kty": "EC", "crv": "P-256", "x": X, "y": X });
    let with = |name: &str, to: Value| {
        let mut key = right.clone();
        key[name] = to;
        key
    };
    for key in [right.clone(), with("use", json!("sig")), with("key_ops", json!(["verify"])), with("x5c", json!([1]))] {
        assert_eq!(parse(&json!({ "keys": [key] })).unwrap().len(), 1);
    }
    let left_out = [
        with("use", json!("enc")),
        with("key_ops", json!(["encrypt"])),
        with("kty", json!("oct")),
        with("kty", json!("OKP")),
        with("kty", Value::Null),
        with("crv", json!("secp256k1")),
        with("crv", json!("P-384")),
        with("x", json!("AAAA")),
        with("y", json!(URL_SAFE_NO_PAD.encode([1; 33]))),
        with("x", json!(format!("{X}="))),
        with("y", Value::Null),
        json!({ "kty": "OKP", "crv": "Ed25519", "x": URL_SAFE_NO_PAD.encode([1; 31]) }),
        with("kid", json!(7)),
        with("kty", json!("RSA")),
        json!({ "kty": "RSA", "n": "", "e": "AQAB" }),
        json!({ "kty": "RSA", "n": "AAAA", "e": "AQAB" }),
        json!({ "kty": "oct", "k": X }),
        json!("key"),
        Value::Null,
    ];
    for key in left_out {
        assert!(parse(&json!({ "keys": [&key] })).unwrap().is_empty(), "{key}");
        assert_eq!(parse(&json!({ "keys": [&key, right] })).unwrap().len(), 1, "the others stay: {key}");
    }
}

#[test]
fn leading_zeros_of_a_number_change_nothing() {
    assert_eq!((number("AQAB"), number("AAEAAQ")), (Some(vec![1, 0, 1]), Some(vec![1, 0, 1])));
    assert_eq!((number("AA"), number(""), number("*")), (None, None, None));
    for written in [&[1, 2][..], &[0, 1, 2], &[0, 0, 0, 0, 0, 1, 2]] {
        assert_eq!(coordinate(&URL_SAFE_NO_PAD.encode(written), 4), Some(vec![0, 0, 1, 2]), "{written:?}");
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..256)) {
        prop_assert!(IdTokenKeys::parse(&bytes).is_err());
    }

    /// Whatever coordinates a key has, a signature by it is checked without harm.
    #[test]
    fn any_point_is_checked(x in any::<[u8; 32]>(), y in any::<[u8; 32]>(), n in proptest::collection::vec(any::<u8>(), 1..300)) {
        let encode = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        let keys = json!({ "keys": [
            { "kty": "EC", "crv": "P-256", "x": encode(&x), "y": encode(&y) },
            { "kty": "OKP", "crv": "Ed25519", "x": encode(&x) },
            { "kty": "RSA", "n": encode(&n), "e": encode(&y) },
        ] });
        for key in parse(&keys).unwrap().keys {
            for algorithm in IdTokenAlgorithm::ALL {
                prop_assert!(!key.verifies(algorithm, b"message", &[1; 64]));
            }
        }
    }
}
