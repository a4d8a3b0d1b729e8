//! Time-based one-time codes (RFC 6238): six digits, SHA-1, 30 seconds, the parameters that every authenticator app
//! supports.

use crate::model::time::Time;
use crate::random::{self, RandomError};
use std::fmt;
use totp_rs::{Algorithm, Builder, Secret, Totp};
use zeroize::Zeroizing;

/// RFC 4226, 4 (R6) recommends 160 bits.
const SECRET_LEN: usize = 20;
const DIGITS: u8 = 6;
const STEP_SECONDS: u64 = 30;
/// Accepted clock skew in steps before and after the current one (RFC 6238, 5.2: at most one).
const MAX_SKEW_STEPS: u64 = 1;

/// The shared secret of an account and an authenticator app.
pub struct TotpSecret(Zeroizing<Vec<u8>>);

/// What a code is to a secret at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeMatch {
    /// The code of this time step, which was not used yet.
    Unused(i64),
    /// The code of a time step that is over, as it or a later one was used (RFC 6238, 5.2).
    Used,
    Wrong,
}

/// A stored secret has the wrong length.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the stored secret of an authenticator app cannot be used")]
pub struct InvalidTotpSecret;

impl TotpSecret {
    pub fn generate() -> Result<Self, RandomError> {
        Ok(Self(Zeroizing::new(random::bytes::<SECRET_LEN>()?.to_vec())))
    }

    pub fn from_bytes(bytes: Zeroizing<Vec<u8>>) -> Result<Self, InvalidTotpSecret> {
        if bytes.len() == SECRET_LEN { Ok(Self(bytes)) } else { Err(InvalidTotpSecret) }
    }

    /// The bytes to be sealed and stored.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The secret for manual entry: base32 in groups of four.
    pub fn manual_key(&self) -> Zeroizing<String> {
        let key = Zeroizing::new(self.shared().to_base32());
        let mut grouped = Zeroizing::new(String::with_capacity(key.len() * 2));
        for (index, letter) in key.chars().enumerate() {
            if index > 0 && index % 4 == 0 {
                grouped.push(' ');
            }
            grouped.push(letter);
        }
        grouped
    }

    /// The `otpauth:` URI for the QR code. Apps show `issuer` and `account` beside the codes.
    pub fn uri(&self, issuer: &str, account: &str) -> Option<Zeroizing<String>> {
        // The colon is the separator in the label.
        let without_colons = |text: &str| text.replace(':', " ");
        let totp = self
            .builder()
            .with_issuer(Some(without_colons(issuer)))
            .with_account_name(without_colons(account))
            .build()
            .ok()?;
        totp.to_url().ok().map(Zeroizing::new)
    }

    /// Finds the time step whose code this is, within the accepted skew. Steps up to `last_used` are used.
    pub fn check(&self, code: &str, now: Time, last_used: i64) -> CodeMatch {
        let (Ok(totp), Ok(now)) = (self.builder().build(), u64::try_from(now.as_seconds())) else {
            return CodeMatch::Wrong;
        };
        let current = now / STEP_SECONDS;
        let steps = current.saturating_sub(MAX_SKEW_STEPS)..=current + MAX_SKEW_STEPS;
        let matching = steps.filter(|step| is_code_of(&totp, *step, code)).filter_map(|step| i64::try_from(step).ok());
        // Of two steps that happen to have one code, the newest may be unused.
        match matching.max() {
            Some(step) if step > last_used => CodeMatch::Unused(step),
            Some(_) => CodeMatch::Used,
            None => CodeMatch::Wrong,
        }
    }

    #[cfg(test)]
    pub fn code_at(&self, at: Time) -> String {
        let totp = self.builder().build_noncompliant();
        totp.generate(u64::try_from(at.as_seconds()).unwrap_or(0)).to_string()
    }

    fn builder(&self) -> Builder {
        Builder::new()
            .with_algorithm(Algorithm::SHA1)
            .with_digits(DIGITS)
            .with_step_duration(STEP_SECONDS)
            .with_skew(0)
            .with_secret(self.shared())
    }

    fn shared(&self) -> Secret {
        Secret::from(self.0.to_vec())
    }
}

/// Compares the code in constant time.
fn is_code_of(totp: &Totp, step: u64, code: &str) -> bool {
    totp.check(code, step * STEP_SECONDS).is_some()
}

/// Omits the secret.
impl fmt::Debug for TotpSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TotpSecret")
    }
}

#[cfg(test)]
#[path = "totp_tests.rs"]
mod tests;
