//! The tokens of the scripted provider (`doorward dev provider`), right and wrong ones. The service itself signs none of
//! these.

use super::signing_key::{Jwk, SigningKeyError, SigningKeyPair, generate};
use crate::model::signing::SigningAlgorithm;
use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use std::fmt;

/// A key of the scripted provider, for ES256.
pub struct ScriptedKey {
    pair: SigningKeyPair,
    jwk: Jwk,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptedSignature {
    /// By ES256, with the key's id.
    Right,
    /// By ES256, without a `kid`.
    Anonymous,
    Missing,
    /// By HS256 with the public key as the secret, which everyone knows (RFC 8725, 2.1).
    PublicKeyAsSecret,
}

impl ScriptedKey {
    pub fn generate() -> Result<Self, SigningKeyError> {
        let key = generate(SigningAlgorithm::Es256)?;
        let pair = SigningKeyPair::from_pkcs8(SigningAlgorithm::Es256, &key.private_key)?;
        Ok(Self { jwk: pair.jwk(), pair })
    }

    pub fn jwk(&self) -> &Jwk {
        &self.jwk
    }

    /// A token with these claims; `None` if the library cannot sign.
    pub fn sign(&self, claims: &Value, signature: ScriptedSignature) -> Option<String> {
        let kid = &self.jwk.kid;
        let header = match signature {
            ScriptedSignature::Right => json!({ "alg": "ES256", "kid": kid }),
            ScriptedSignature::Anonymous => json!({ "alg": "ES256" }),
            ScriptedSignature::Missing => json!({ "alg": "none", "kid": kid }),
            ScriptedSignature::PublicKeyAsSecret => json!({ "alg": "HS256", "kid": kid }),
        };
        let encoded = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let message = format!("{}.{}", encoded(&header), encoded(claims));
        let signature = match signature {
            ScriptedSignature::Right | ScriptedSignature::Anonymous => {
                self.pair.sign(message.as_bytes())?.as_ref().to_vec()
            }
            ScriptedSignature::Missing => Vec::new(),
            ScriptedSignature::PublicKeyAsSecret => {
                let key = hmac::Key::new(hmac::HMAC_SHA256, self.pair.public_key());
                hmac::sign(&key, message.as_bytes()).as_ref().to_vec()
            }
        };
        Some(format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature)))
    }
}

impl fmt::Debug for ScriptedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ScriptedKey").field(&self.jwk.kid).finish()
    }
}
