//! The file format of the filter.

/// Begins the file; the digit is the format's version.
pub(super) const MAGIC: [u8; 8] = *b"DWPWNED1";

/// Magic, bucket bits, entries, lines read; each eight bytes.
pub(super) const HEADER: u64 = 32;

/// Of an index entry: the number of entries before a bucket.
pub(super) const INDEX_ENTRY: u64 = 8;

/// Of an entry: the bits of the hash after those that chose the bucket.
pub(super) const ENTRY: u64 = 3;

/// Where an entry belongs: its bucket, and what is stored of it.
pub(super) fn place(hash: [u8; 20], bucket_bits: u32) -> (u64, [u8; 3]) {
    let head = hash.iter().take(8).fold(0, |head: u64, byte| head << 8 | u64::from(*byte));
    let bucket = head >> (64 - bucket_bits);
    let [.., high, middle, low] = (head << bucket_bits >> 40).to_be_bytes();
    (bucket, [high, middle, low])
}

/// Where the entries begin.
pub(super) const fn entries_at(bucket_bits: u32) -> u64 {
    HEADER + ((1 << bucket_bits) + 1) * INDEX_ENTRY
}
