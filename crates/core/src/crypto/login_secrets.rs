//! The secrets of one login with a provider: `state`, `nonce`, and the verifier of PKCE (RFC 7636).

use super::token_hash::LinkToken;
use crate::random::RandomError;
use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::fmt;
use zeroize::Zeroizing;

/// What only this service knows of a login until it returns: sealed while it waits.
pub struct ReturnSecrets {
    verifier: Zeroizing<String>,
    nonce: Zeroizing<String>,
}

impl ReturnSecrets {
    /// New ones, of 256 random bits each.
    pub fn generate() -> Result<Self, RandomError> {
        let secret = || LinkToken::generate().map(|token| Zeroizing::new(token.text().to_owned()));
        Ok(Self { verifier: secret()?, nonce: secret()? })
    }

    /// Both as one text, to be sealed.
    pub fn to_text(&self) -> Zeroizing<String> {
        Zeroizing::new(format!("{}.{}", *self.verifier, *self.nonce))
    }

    /// Reads what [`to_text`](Self::to_text) wrote.
    pub fn parse(text: &str) -> Option<Self> {
        let (verifier, nonce) = text.split_once('.')?;
        let secret = |text: &str| LinkToken::has_form_of(text).then(|| Zeroizing::new(text.to_owned()));
        Some(Self { verifier: secret(verifier)?, nonce: secret(nonce)? })
    }

    /// The verifier, which goes to the provider with the code. 43 characters, the least that RFC 7636, 4.1 permits.
    pub fn verifier(&self) -> &str {
        &self.verifier
    }

    /// The challenge of the verifier by `S256` (RFC 7636, 4.2).
    pub fn challenge(&self) -> String {
        s256(&self.verifier)
    }

    /// The nonce, which the ID token repeats.
    pub fn nonce(&self) -> &str {
        &self.nonce
    }

    /// Whether a nonce is the one of this login; compared in constant time.
    pub fn has_nonce(&self, nonce: &str) -> bool {
        verify_slices_are_equal(self.nonce.as_bytes(), nonce.as_bytes()).is_ok()
    }
}

/// The challenge of a verifier by `S256` (RFC 7636, 4.2).
pub fn s256(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(digest(&SHA256, verifier.as_bytes()))
}

impl fmt::Debug for ReturnSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ReturnSecrets")
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

    use super::*;

    #[test]
    fn challenge_is_that_of_the_rfc() {
        // RFC 7636, appendix B.
        assert_eq!(s256("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    }

    #[test]
    fn sealed_text_is_read_again() {
        let secrets = ReturnSecrets::generate().unwrap();
        let read = ReturnSecrets::parse(&secrets.to_text()).unwrap();
        assert_eq!((read.verifier(), read.nonce()), (secrets.verifier(), secrets.nonce()));
        assert!(read.has_nonce(secrets.nonce()) && !read.has_nonce(secrets.verifier()) && !read.has_nonce(""));
        assert_eq!(format!("{read:?}"), "ReturnSecrets");
        for text in ["", ".", "a.b", secrets.nonce(), &format!("{}.{}", secrets.nonce(), "b")] {
            assert!(ReturnSecrets::parse(text).is_none(), "{text}");
        }
    }
}
