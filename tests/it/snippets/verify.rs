use aws_lc_rs::{constant_time::verify_slices_are_equal, hmac};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use std::time::{SystemTime, UNIX_EPOCH};

const TOLERANCE_SECONDS: u64 = 300;

/// `X-Svc-Signature`. `body` is what arrived, byte for byte.
pub fn is_genuine(secret: &str, body: &[u8], signature: &str) -> bool {
    let mac = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()), body);
    let hex: String = mac.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    verify_slices_are_equal(signature.as_bytes(), format!("sha256={hex}").as_bytes()).is_ok()
}

/// `webhook-id`, `webhook-timestamp` and `webhook-signature`: genuine, and sent within the last five minutes.
pub fn is_genuine_and_fresh(secret: &str, body: &[u8], id: &str, timestamp: &str, signatures: &str) -> bool {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    if !timestamp.parse::<u64>().is_ok_and(|sent| now.abs_diff(sent) <= TOLERANCE_SECONDS) {
        return false;
    }
    let key = match secret.strip_prefix("whsec_") {
        Some(encoded) => STANDARD_NO_PAD.decode(encoded.trim_end_matches('=')),
        None => Ok(secret.as_bytes().to_vec()),
    };
    let Ok(key) = key else { return false };
    let message = [format!("{id}.{timestamp}.").as_bytes(), body].concat();
    let mac = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key), &message);
    let expected = format!("v1,{}", STANDARD.encode(mac));
    signatures.split(' ').any(|given| verify_slices_are_equal(given.as_bytes(), expected.as_bytes()).is_ok())
}
