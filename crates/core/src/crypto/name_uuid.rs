//! Name-based UUIDs: the same input has the same UUID in every process, without a lookup table.

use aws_lc_rs::digest::{Context, SHA256};
use uuid::Uuid;

/// The UUID of these parts, in this order (RFC 9562, 5.8: version 8, here a truncated SHA-256).
pub fn of(parts: &[&[u8]]) -> Uuid {
    let mut context = Context::new(&SHA256);
    for part in parts {
        // The length prefix makes the concatenation unambiguous.
        context.update(&(part.len() as u64).to_be_bytes());
        context.update(part);
    }
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&context.finish().as_ref()[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}
