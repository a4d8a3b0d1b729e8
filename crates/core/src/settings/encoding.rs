//! Base64 as operators paste it.

use base64::Engine;
use base64::alphabet;
use base64::engine::general_purpose::{GeneralPurpose, PAD_INDIFFERENT};
use zeroize::Zeroizing;

const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, PAD_INDIFFERENT);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, PAD_INDIFFERENT);

/// Decodes base64 (RFC 4648, 4 and 5), of the standard or the URL-safe alphabet, padded or not.
pub fn decode_base64(text: &str) -> Option<Zeroizing<Vec<u8>>> {
    if text.contains(['-', '_']) {
        URL_SAFE.decode(text).ok().map(Zeroizing::new)
    } else {
        decode_standard_base64(text)
    }
}

/// Decodes base64 of the standard alphabet only, padded or not.
pub(super) fn decode_standard_base64(text: &str) -> Option<Zeroizing<Vec<u8>>> {
    STANDARD.decode(text).ok().map(Zeroizing::new)
}
