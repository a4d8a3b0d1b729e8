//! The hash of several parts, and the UUID that it names.

use aws_lc_rs::digest::{Context, SHA256};
use uuid::Uuid;

/// The SHA-256 of parts, each after its length, so that no two lists of parts are hashed alike.
pub fn parts_hash(parts: &[&[u8]]) -> [u8; 32] {
    let mut context = Context::new(&SHA256);
    for part in parts {
        context.update(&(part.len() as u64).to_be_bytes());
        context.update(part);
    }
    let mut hash = [0; 32];
    hash.copy_from_slice(context.finish().as_ref());
    hash
}

/// The UUID of these parts, in this order (RFC 9562, 5.8: version 8, here a truncated SHA-256): the same in every
/// process, without a lookup table.
pub fn name_uuid(parts: &[&[u8]]) -> Uuid {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&parts_hash(parts)[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}
