//! CSRF tokens of the double-submit cookie: every state-changing request repeats the random value of the cookie
//! (`docs/reference/browser.md` 4.1).

use crate::random::{self, RandomError};
use aws_lc_rs::constant_time::verify_slices_are_equal;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// 256 bits in base64url without padding.
const MIN_LEN: usize = 43;
const MAX_LEN: usize = 128;

/// Generates a token: 256 random bits in base64url.
pub fn generate() -> Result<String, RandomError> {
    Ok(URL_SAFE_NO_PAD.encode(random::bytes::<32>()?))
}

/// Whether a cookie's value is usable as a token: long enough for 256 bits, and free of characters to escape.
pub fn is_usable(token: &str) -> bool {
    (MIN_LEN..=MAX_LEN).contains(&token.len())
        && token.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// Compares two tokens in constant time.
pub fn equal(a: &str, b: &str) -> bool {
    verify_slices_are_equal(a.as_bytes(), b.as_bytes()).is_ok()
}

#[cfg(test)]
#[path = "csrf_tests.rs"]
mod tests;
