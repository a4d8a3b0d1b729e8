//! The hash by which a repeated request is recognized.

use aws_lc_rs::digest::{Context, SHA256};

/// The SHA-256 of parts, each after its length, so that no two lists of parts are hashed alike.
pub fn request_hash(parts: &[&[u8]]) -> [u8; 32] {
    let mut context = Context::new(&SHA256);
    for part in parts {
        context.update(&(part.len() as u64).to_be_bytes());
        context.update(part);
    }
    let mut hash = [0; 32];
    hash.copy_from_slice(context.finish().as_ref());
    hash
}
