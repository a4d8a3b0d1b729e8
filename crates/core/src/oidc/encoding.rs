//! Encoding of forms and queries.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use zeroize::Zeroizing;

/// All but the unreserved characters of RFC 3986, 2.3: what decodes a form, and what decodes nothing but `%`, read the same.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A text as a part of a form or query.
pub(super) fn encoded(text: &str) -> Zeroizing<String> {
    Zeroizing::new(utf8_percent_encode(text, RESERVED).to_string())
}

pub(super) fn form(fields: &[(&str, &str)]) -> Zeroizing<String> {
    let pairs = fields.iter().map(|(name, value)| format!("{name}={}", *encoded(value)));
    Zeroizing::new(pairs.collect::<Vec<_>>().join("&"))
}
