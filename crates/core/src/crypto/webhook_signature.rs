//! Signatures of webhook requests (`docs/reference/webhooks.md` 13.2).

use crate::model::hex;
use crate::settings::WebhookSecret;
use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The value of `X-Svc-Signature`: `sha256=` and the HMAC-SHA-256 of the raw body in hexadecimal.
pub fn hex_sha256(secret: &[u8], body: &[u8]) -> String {
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret), body);
    format!("sha256={}", hex::encode(tag.as_ref()))
}

/// Whether `value` is the [`hex_sha256`] signature of the body; compared in constant time.
pub fn is_hex_sha256(secret: &[u8], body: &[u8], value: &str) -> bool {
    aws_lc_rs::constant_time::verify_slices_are_equal(hex_sha256(secret, body).as_bytes(), value.as_bytes()).is_ok()
}

/// Signs the `webhook-signature` header (Standard Webhooks 1.0), with one signature for each secret.
pub struct StandardSigner {
    keys: Vec<hmac::Key>,
}

impl StandardSigner {
    /// Creates a signer for the current secret and, during a rotation, the previous one.
    pub fn new<'a>(secrets: impl IntoIterator<Item = &'a WebhookSecret>) -> Self {
        let key = |secret: &WebhookSecret| hmac::Key::new(hmac::HMAC_SHA256, secret.standard_key());
        Self { keys: secrets.into_iter().map(key).collect() }
    }

    /// Returns the header's value for one attempt at `timestamp` (seconds since the Unix epoch): `v1,` and base64 for
    /// each secret, separated by spaces.
    pub fn sign(&self, id: &str, timestamp: i64, body: &[u8]) -> String {
        let prefix = format!("{id}.{timestamp}.");
        let signatures = self.keys.iter().map(|key| {
            let mut context = hmac::Context::with_key(key);
            context.update(prefix.as_bytes());
            context.update(body);
            format!("v1,{}", STANDARD.encode(context.sign()))
        });
        signatures.collect::<Vec<_>>().join(" ")
    }

    /// Whether the header's value contains a signature of one of the secrets; compared in constant time.
    pub fn verify(&self, id: &str, timestamp: i64, body: &[u8], value: &str) -> bool {
        let expected = self.sign(id, timestamp, body);
        let is_valid = |given: &str| {
            expected.split(' ').any(|signature| {
                aws_lc_rs::constant_time::verify_slices_are_equal(signature.as_bytes(), given.as_bytes()).is_ok()
            })
        };
        value.split(' ').any(is_valid)
    }
}

impl std::fmt::Debug for StandardSigner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StandardSigner").field("secrets", &self.keys.len()).finish()
    }
}

#[cfg(test)]
#[path = "webhook_signature_tests.rs"]
mod tests;
