#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::crypto::test_keys::published_signing_key;
use serde_json::Value;

fn pem(algorithm: SigningAlgorithm) -> String {
    let key = STANDARD.encode(&published_signing_key(algorithm).private_key);
    let (first, second) = key.split_at(64);
    format!("{BEGIN}\n{first}\n{second}\n{END}")
}

#[test]
fn secret_is_signed_and_valid_for_five_minutes() {
    let now = Time::from_micros(1_800_000_000_900_000);
    let name = AppleKeyName { team_id: "TEAM".to_owned(), key_id: "KEY".to_owned() };
    let key = AppleKey::from_pem(&pem(SigningAlgorithm::Es256)).unwrap();
    let secret = key.client_secret(&name, "org.example.app", "https://appleid.apple.com", now).unwrap();
    let (message, signature) = secret.rsplit_once('.').unwrap();
    let part = |index| -> Value {
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(message.split('.').nth(index).unwrap()).unwrap()).unwrap()
    };
    assert_eq!(part(0), json!({ "alg": "ES256", "kid": "KEY" }));
    assert_eq!(
        part(1),
        json!({
            "iss": "TEAM", "sub": "org.example.app", "aud": "https://appleid.apple.com",
            "iat": 1_800_000_000, "exp": 1_800_000_300,
        })
    );
    let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
    assert!(key.0.verifier().unwrap().verify_sig(message.as_bytes(), &signature).is_ok());
    assert_eq!(format!("{key:?}"), "AppleKey");
}

#[test]
fn files_of_others_are_refused() {
    let right = pem(SigningAlgorithm::Es256);
    assert!(AppleKey::from_pem(&format!("\r\n{}\r\n", right.replace('\n', "\r\n"))).is_ok());
    let cut = right.replace(END, "");
    let ec = right.replace("PRIVATE KEY", "EC PRIVATE KEY");
    for text in ["", &cut, &ec, &right.replace('M', "*"), &pem(SigningAlgorithm::EdDsa)] {
        assert_eq!(AppleKey::from_pem(text).err(), Some(AppleKeyError), "{text}");
    }
}
