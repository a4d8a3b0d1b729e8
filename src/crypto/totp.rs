//! Time-based one-time codes (RFC 6238): six digits, SHA-1, 30 seconds, as every authenticator app makes them.

use crate::model::time::Time;
use crate::random::{self, RandomError};
use std::fmt;
use totp_rs::{Algorithm, Builder, Secret, Totp};
use zeroize::Zeroizing;

/// RFC 4226, 4 (R6): 160 bits are recommended.
const SECRET_LEN: usize = 20;
const DIGITS: u8 = 6;
const STEP_SECONDS: u64 = 30;
/// Steps before and after the present one whose codes are accepted (RFC 6238, 5.2: at most one).
const SKEW: u64 = 1;

/// The secret that an account shares with an authenticator app.
pub struct TotpSecret(Zeroizing<Vec<u8>>);

/// A stored secret has not the length of one.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the stored secret of an authenticator app cannot be used")]
pub struct BadSecret;

impl TotpSecret {
    /// A new secret.
    pub fn generate() -> Result<Self, RandomError> {
        Ok(Self(Zeroizing::new(random::bytes::<SECRET_LEN>()?.to_vec())))
    }

    /// A stored secret.
    pub fn from_bytes(bytes: Zeroizing<Vec<u8>>) -> Result<Self, BadSecret> {
        if bytes.len() == SECRET_LEN { Ok(Self(bytes)) } else { Err(BadSecret) }
    }

    /// The bytes to be sealed and stored.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The key to type into an app: base32, in groups of four.
    pub fn manual_key(&self) -> Zeroizing<String> {
        let key = Zeroizing::new(self.shared().to_base32());
        let mut grouped = Zeroizing::new(String::with_capacity(key.len() * 2));
        for (place, letter) in key.chars().enumerate() {
            if place > 0 && place % 4 == 0 {
                grouped.push(' ');
            }
            grouped.push(letter);
        }
        grouped
    }

    /// The address that a QR code carries into an app, which shows `issuer` and `account` beside the codes.
    pub fn uri(&self, issuer: &str, account: &str) -> Option<Zeroizing<String>> {
        // A colon parts the two in the address.
        let plain = |text: &str| text.replace(':', " ");
        let totp = self.builder().with_issuer(Some(plain(issuer))).with_account_name(plain(account)).build().ok()?;
        totp.to_url().ok().map(Zeroizing::new)
    }

    /// The time step, after `last`, whose code this is, if it is one of the present step or of those beside it.
    pub fn matching_step(&self, code: &str, now: Time, last: i64) -> Option<i64> {
        let totp = self.builder().build().ok()?;
        let present = u64::try_from(now.as_seconds()).ok()? / STEP_SECONDS;
        let mut steps = present.saturating_sub(SKEW)..=present + SKEW;
        steps
            .find(|step| i64::try_from(*step).is_ok_and(|step| step > last) && is_code_of(&totp, *step, code))
            .and_then(|step| i64::try_from(step).ok())
    }

    /// The code of a moment.
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

/// Compares in constant time.
fn is_code_of(totp: &Totp, step: u64, code: &str) -> bool {
    totp.check(code, step * STEP_SECONDS).is_some()
}

/// Without the secret.
impl fmt::Debug for TotpSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TotpSecret")
    }
}

#[cfg(test)]
#[path = "totp_tests.rs"]
mod tests;
