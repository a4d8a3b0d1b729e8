#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use jsonwebtoken::{Algorithm, EncodingKey};

// RFC 8037, appendix A.
const SEED: &str = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A";
const PUBLIC: &str = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
const THUMBPRINT: &str = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k";
const SIGNED: &str = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc";
const SIGNATURE: &str = "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg";

fn published_key() -> SigningKey {
    from_seed(&URL_SAFE_NO_PAD.decode(SEED).unwrap().try_into().unwrap()).unwrap()
}

#[test]
fn key_thumbprint_and_signature_match_rfc_8037() {
    let key = published_key();
    assert_eq!(URL_SAFE_NO_PAD.encode(key.public_key), PUBLIC);
    assert_eq!(key.kid, THUMBPRINT);
    let encoding = EncodingKey::from_ed_der(&key.private_key);
    let signature = jsonwebtoken::crypto::sign(SIGNED.as_bytes(), &encoding, Algorithm::EdDSA).unwrap();
    assert_eq!(signature, SIGNATURE);
}

#[test]
fn jwk_has_use_and_algorithm() {
    let key = published_key();
    assert_eq!(
        serde_json::to_value(Jwk::ed25519(&key.kid, &key.public_key)).unwrap(),
        serde_json::json!({
            "kty": "OKP", "crv": "Ed25519", "x": PUBLIC, "kid": THUMBPRINT, "alg": "EdDSA", "use": "sig"
        })
    );
}

#[test]
fn generated_key_round_trips_as_pkcs8() {
    let key = generate().unwrap();
    let read = from_pkcs8(&key.private_key).unwrap();
    assert_eq!((&read.kid, read.public_key), (&key.kid, key.public_key));
    assert_ne!(generate().unwrap().kid, key.kid);
    assert!(from_pkcs8(&key.private_key[1..]).is_err());
    assert!(from_pkcs8(b"").is_err());
    assert_eq!(format!("{key:?}"), format!("SigningKey {{ kid: {:?}, .. }}", key.kid));
}
