//! Base64 as operators paste it.

use base64::Engine;
use base64::alphabet;
use base64::engine::general_purpose::{GeneralPurpose, PAD_INDIFFERENT};
use zeroize::Zeroizing;

const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, PAD_INDIFFERENT);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, PAD_INDIFFERENT);

/// Decodes base64 (RFC 4648, 4 and 5), of the standard or the URL-safe alphabet, padded or not.
pub fn decode_base64(text: &str) -> Option<Zeroizing<Vec<u8>>> {
    let engine = if text.contains(['-', '_']) { URL_SAFE } else { STANDARD };
    engine.decode(text).ok().map(Zeroizing::new)
}
