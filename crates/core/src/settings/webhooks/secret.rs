//! A secret that signs webhooks.

use crate::settings::encoding::decode_standard_base64;
use secrecy::{ExposeSecret, SecretString};
use zeroize::Zeroizing;

/// A signing secret (`docs/reference/webhooks.md` 13.2), validated here for the service, `config` and `webhooks listen`
/// alike.
#[derive(Clone)]
pub struct WebhookSecret {
    text: SecretString,
    /// The key of `webhook-signature`; never empty.
    standard_key: Zeroizing<Vec<u8>>,
}

/// Why a text is no secret; the texts complete "allowed:".
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidSecret {
    #[error("a text that is not empty")]
    Empty,
    /// Receivers, and tools that read secrets from files, often trim theirs; then no signature would fit.
    #[error("a text without blanks or line breaks before or after it (in a file, the line break at its end is one)")]
    Surrounded,
    /// What follows `whsec_` has signs that base64 has not.
    #[error(
        "after whsec_, base64 of the standard alphabet, with + and / (not - and _), such as openssl rand -base64 32 \
         makes"
    )]
    Alphabet,
    /// It has the right signs, and is no base64 all the same: cut off, or made by hand.
    #[error(
        "after whsec_, valid base64, such as openssl rand -base64 32 makes: here characters are missing, or the last \
         one cannot end it"
    )]
    Incomplete,
}

impl WebhookSecret {
    /// Validates a secret: base64 after `whsec_` (Standard Webhooks 1.0), else any text.
    pub fn parse(text: &str) -> Result<Self, InvalidSecret> {
        if text.trim() != text {
            return Err(InvalidSecret::Surrounded);
        }
        let standard_key = match text.strip_prefix("whsec_") {
            Some(encoded) => {
                decode_standard_base64(encoded).filter(|key| !key.is_empty()).ok_or_else(|| no_base64(encoded))?
            }
            None if text.is_empty() => return Err(InvalidSecret::Empty),
            None => Zeroizing::new(text.as_bytes().to_vec()),
        };
        Ok(Self { text: text.into(), standard_key })
    }

    /// The key of `X-Svc-Signature`: the whole text.
    pub fn as_bytes(&self) -> &[u8] {
        self.text.expose_secret().as_bytes()
    }

    /// The key of `webhook-signature`: what is encoded after `whsec_`, or else the whole text.
    pub fn standard_key(&self) -> &[u8] {
        &self.standard_key
    }
}

fn no_base64(encoded: &str) -> InvalidSecret {
    let is_sign = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
    if encoded.chars().all(is_sign) { InvalidSecret::Incomplete } else { InvalidSecret::Alphabet }
}

impl std::fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WebhookSecret").finish_non_exhaustive()
    }
}
