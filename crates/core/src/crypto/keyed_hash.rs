//! Keyed hashes of several values, cut to 16 bytes: ids and fingerprints of what must not be guessed from the database.

use aws_lc_rs::hmac;

/// The hash of `values` under `key`. `label` separates the domains: inputs of one-time token hashes, which share the
/// key, start with other bytes.
pub(super) fn keyed_hash<'a>(key: &hmac::Key, label: &[u8], values: impl IntoIterator<Item = &'a [u8]>) -> [u8; 16] {
    let mut context = hmac::Context::with_key(key);
    context.update(label);
    for value in values {
        // The length prefix makes the concatenation unambiguous.
        context.update(&(value.len() as u64).to_be_bytes());
        context.update(value);
    }
    let mut hash = [0; 16];
    hash.copy_from_slice(&context.sign().as_ref()[..16]);
    hash
}
