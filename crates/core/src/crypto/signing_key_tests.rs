#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::crypto::test_keys::published_signing_key;
use jsonwebtoken::jwk::ThumbprintHash;
use jsonwebtoken::{Algorithm, EncodingKey};

const ALGORITHMS: [SigningAlgorithm; 2] = [SigningAlgorithm::EdDsa, SigningAlgorithm::Es256];

// RFC 8037, appendix A.
const PUBLIC: &str = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
const THUMBPRINT: &str = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k";
const SIGNED: &str = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc";
const SIGNATURE: &str = "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg";

// RFC 7515, appendix A.3.
const P256_X: &str = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU";
const P256_Y: &str = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0";
const ES256_SIGNED: &str = "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt\
    cGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
const ES256_SIGNATURE: &str = "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";

fn pair(algorithm: SigningAlgorithm, key: &SigningKey) -> SigningKeyPair {
    SigningKeyPair::from_pkcs8(algorithm, &key.private_key).unwrap()
}

#[test]
fn key_thumbprint_and_signature_match_rfc_8037() {
    let key = published_signing_key(SigningAlgorithm::EdDsa);
    assert_eq!(URL_SAFE_NO_PAD.encode(&key.public_key), PUBLIC);
    assert_eq!(key.kid, THUMBPRINT);
    let signature = pair(SigningAlgorithm::EdDsa, &key).sign(SIGNED.as_bytes()).unwrap();
    assert_eq!(URL_SAFE_NO_PAD.encode(signature), SIGNATURE);
}

#[test]
fn signature_of_rfc_7515_verifies_with_its_key() {
    let key = published_signing_key(SigningAlgorithm::Es256);
    let verifier = pair(SigningAlgorithm::Es256, &key).verifier().unwrap();
    let signature = URL_SAFE_NO_PAD.decode(ES256_SIGNATURE).unwrap();
    assert!(verifier.verify_sig(ES256_SIGNED.as_bytes(), &signature).is_ok());
    assert!(verifier.verify_sig(SIGNED.as_bytes(), &signature).is_err());
}

#[test]
fn jwk_has_use_and_algorithm() {
    let jwk = |algorithm| serde_json::to_value(pair(algorithm, &published_signing_key(algorithm)).jwk()).unwrap();
    assert_eq!(
        jwk(SigningAlgorithm::EdDsa),
        serde_json::json!({
            "kty": "OKP", "crv": "Ed25519", "x": PUBLIC, "kid": THUMBPRINT, "alg": "EdDSA", "use": "sig"
        })
    );
    let kid = published_signing_key(SigningAlgorithm::Es256).kid;
    assert_eq!(
        jwk(SigningAlgorithm::Es256),
        serde_json::json!({
            "kty": "EC", "crv": "P-256", "x": P256_X, "y": P256_Y, "kid": kid, "alg": "ES256", "use": "sig"
        })
    );
}

#[test]
fn key_id_is_thumbprint_as_another_library_computes_it() {
    for algorithm in ALGORITHMS {
        let key = generate(algorithm).unwrap();
        let jwk = serde_json::to_value(pair(algorithm, &key).jwk()).unwrap();
        let theirs: jsonwebtoken::jwk::Jwk = serde_json::from_value(jwk).unwrap();
        assert_eq!(theirs.thumbprint(ThumbprintHash::SHA256).unwrap(), key.kid);
    }
}

#[test]
fn another_library_reads_private_key_and_signs_alike() {
    let key = generate(SigningAlgorithm::Es256).unwrap();
    let theirs =
        jsonwebtoken::crypto::sign(SIGNED.as_bytes(), &EncodingKey::from_ec_der(&key.private_key), Algorithm::ES256);
    let signature = URL_SAFE_NO_PAD.decode(theirs.unwrap()).unwrap();
    let verifier = pair(SigningAlgorithm::Es256, &key).verifier().unwrap();
    assert!(verifier.verify_sig(SIGNED.as_bytes(), &signature).is_ok());
}

#[test]
fn generated_key_round_trips_as_pkcs8() {
    for algorithm in ALGORITHMS {
        let key = generate(algorithm).unwrap();
        let read = pair(algorithm, &key);
        assert_eq!((&read.jwk().kid, read.public_key()), (&key.kid, key.public_key.as_slice()));
        assert_ne!(generate(algorithm).unwrap().kid, key.kid);
        for other in ALGORITHMS {
            let is_own = other == algorithm;
            assert_eq!(SigningKeyPair::from_pkcs8(other, &key.private_key).is_ok(), is_own, "{algorithm:?} {other:?}");
        }
        assert!(SigningKeyPair::from_pkcs8(algorithm, &key.private_key[1..]).is_err());
        assert!(SigningKeyPair::from_pkcs8(algorithm, b"").is_err());
        assert_eq!(format!("{key:?}"), format!("SigningKey {{ kid: {:?}, .. }}", key.kid));
    }
}
