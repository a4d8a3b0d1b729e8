//! Secret keys and signing keys for the tests of this folder.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::secret_keys::SecretKeys;
use super::signing_key::{SigningKey, SigningKeyPair};
use crate::model::signing::SigningAlgorithm;
use crate::settings::SecretKeySetting;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use zeroize::Zeroizing;

pub fn setting(byte: u8) -> SecretKeySetting {
    SecretKeySetting { id: None, key: Zeroizing::new([byte; 32]) }
}

/// Keys of 32 equal bytes each; the first one seals and signs.
pub fn keys(bytes: &[u8]) -> SecretKeys {
    SecretKeys::new(&bytes.iter().copied().map(setting).collect::<Vec<_>>()).unwrap()
}

/// A key that everyone knows: the one of RFC 8037, appendix A, or of RFC 7515, appendix A.3.
pub fn published_signing_key(algorithm: SigningAlgorithm) -> SigningKey {
    let decode = |text| URL_SAFE_NO_PAD.decode(text).unwrap();
    let private_key = match algorithm {
        SigningAlgorithm::EdDsa => {
            let seed = decode("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A");
            Ed25519KeyPair::from_seed_unchecked(&seed).unwrap().to_pkcs8v1().unwrap().as_ref().to_vec()
        }
        SigningAlgorithm::Es256 => {
            let private = decode("jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI");
            let x = decode("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU");
            let y = decode("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0");
            let public = [&[4], x.as_slice(), y.as_slice()].concat();
            let pair =
                EcdsaKeyPair::from_private_key_and_public_key(&ECDSA_P256_SHA256_FIXED_SIGNING, &private, &public);
            pair.unwrap().to_pkcs8v1().unwrap().as_ref().to_vec()
        }
    };
    let pair = SigningKeyPair::from_pkcs8(algorithm, &private_key).unwrap();
    let (kid, public_key) = (pair.jwk().kid, pair.public_key().to_vec());
    SigningKey { kid, public_key, private_key: Zeroizing::new(private_key) }
}
