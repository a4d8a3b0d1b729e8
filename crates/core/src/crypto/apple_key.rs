//! The key by which Apple knows this service: each call of its token endpoint brings a secret that it signs.

use super::signing_key::SigningKeyPair;
use crate::model::provider::AppleKeyName;
use crate::model::signing::SigningAlgorithm;
use crate::model::time::Time;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::json;
use std::fmt;
use std::time::Duration;
use zeroize::Zeroizing;

/// How long a secret is valid; Apple permits six months.
const SECRET_LIFETIME: Duration = Duration::from_mins(5);
const BEGIN: &str = "-----BEGIN PRIVATE KEY-----";
const END: &str = "-----END PRIVATE KEY-----";

pub struct AppleKey(SigningKeyPair);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is no private key for ES256 in PKCS#8, as the .p8 file of Apple has it")]
pub struct AppleKeyError;

impl AppleKey {
    /// Reads the file that Apple offers once: a key in PKCS#8, in the textual encoding of RFC 7468, 10.
    pub fn from_pem(text: &str) -> Result<Self, AppleKeyError> {
        let (_, rest) = text.split_once(BEGIN).ok_or(AppleKeyError)?;
        let (body, _) = rest.split_once(END).ok_or(AppleKeyError)?;
        let body: Zeroizing<String> = Zeroizing::new(body.split_ascii_whitespace().collect());
        let der = Zeroizing::new(STANDARD.decode(body.as_str()).map_err(|_| AppleKeyError)?);
        SigningKeyPair::from_pkcs8(SigningAlgorithm::Es256, &der).map(Self).map_err(|_| AppleKeyError)
    }

    /// A client's secret for one call: `iss` is the team, `sub` the client, `aud` Apple itself. `None` if the library
    /// cannot sign.
    pub fn client_secret(
        &self,
        name: &AppleKeyName,
        client_id: &str,
        audience: &str,
        now: Time,
    ) -> Option<Zeroizing<String>> {
        let header = json!({ "alg": SigningAlgorithm::Es256.as_str(), "kid": name.key_id });
        let claims = json!({
            "iss": name.team_id, "sub": client_id, "aud": audience,
            "iat": now.as_seconds(), "exp": (now + SECRET_LIFETIME).as_seconds(),
        });
        let encoded = |value: &serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let message = format!("{}.{}", encoded(&header), encoded(&claims));
        let signature = URL_SAFE_NO_PAD.encode(self.0.sign(message.as_bytes())?);
        Some(Zeroizing::new(format!("{message}.{signature}")))
    }
}

impl fmt::Debug for AppleKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AppleKey")
    }
}

#[cfg(test)]
#[path = "apple_key_tests.rs"]
mod tests;
