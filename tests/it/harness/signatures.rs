//! Webhook signatures, verified by code independent of the service's own.

use super::receiver::Received;
use aws_lc_rs::hmac;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use std::fmt::Write;

fn mac(key: &[u8], message: &[u8]) -> Vec<u8> {
    hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), message).as_ref().to_vec()
}

impl Received {
    /// Whether `X-<Service>-Signature` is the HMAC of the raw body with the secret's bytes (docs/reference/webhooks.md
    /// 13).
    pub fn is_signed(&self, service: &str, secret: &str) -> bool {
        let mut expected = "sha256=".to_owned();
        for byte in mac(secret.as_bytes(), &self.body) {
            write!(expected, "{byte:02x}").unwrap();
        }
        self.header(&format!("x-{service}-signature")) == Some(&expected)
    }

    /// Whether one of the Standard Webhooks signatures was made with this secret (docs/reference/webhooks.md 13).
    pub fn is_standard_signed(&self, secret: &str) -> bool {
        let key = match secret.strip_prefix("whsec_") {
            Some(encoded) => BASE64_STANDARD.decode(encoded).unwrap(),
            None => secret.as_bytes().to_vec(),
        };
        let [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"]
            .map(|name| self.header(name).unwrap_or_else(|| panic!("no {name}: {self:?}")));
        let message = [id.as_bytes(), b".", timestamp.as_bytes(), b".", &self.body].concat();
        let expected = format!("v1,{}", BASE64_STANDARD.encode(mac(&key, &message)));
        signatures.split(' ').any(|signature| signature == expected)
    }
}
