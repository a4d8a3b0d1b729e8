//! The file format of the filter.

/// The first bytes of the file; the digit is the format's version.
pub(super) const MAGIC: [u8; 8] = *b"DWPWNED1";

/// The header: magic, bucket bits, number of entries, number of lines; eight bytes each.
pub(super) const HEADER_LEN: u64 = 32;

/// An index entry: the number of entries before a bucket.
pub(super) const INDEX_ENTRY_LEN: u64 = 8;

/// An entry: the bits of the hash after those that select the bucket.
pub(super) const ENTRY_LEN: u64 = 3;

/// Returns the bucket of a hash and the entry that is stored there.
pub(super) fn locate(hash: [u8; 20], bucket_bits: u32) -> (u64, [u8; 3]) {
    let head = hash.iter().take(8).fold(0, |head: u64, byte| head << 8 | u64::from(*byte));
    let bucket = head >> (64 - bucket_bits);
    let [.., high, middle, low] = (head << bucket_bits >> 40).to_be_bytes();
    (bucket, [high, middle, low])
}

pub(super) const fn entries_offset(bucket_bits: u32) -> u64 {
    HEADER_LEN + ((1 << bucket_bits) + 1) * INDEX_ENTRY_LEN
}
