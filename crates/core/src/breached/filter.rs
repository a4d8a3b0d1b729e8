//! Lookups in the filter.

use super::format::{ENTRY_LEN, HEADER_LEN, INDEX_ENTRY_LEN, MAGIC, entries_offset, locate};
use aws_lc_rs::digest;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

#[derive(Debug)]
pub struct Filter {
    file: File,
    bucket_bits: u32,
    entries: u64,
    lines: u64,
}

#[derive(Debug, thiserror::Error)]
pub enum FilterError {
    #[error("the list of breached passwords could not be read: {0}")]
    Io(#[from] io::Error),
    #[error("the list of breached passwords is damaged; import it again")]
    Damaged,
}

impl Filter {
    /// Opens the file; `None` if it does not exist.
    pub fn open(path: &Path) -> Result<Option<Self>, FilterError> {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let length = file.metadata()?.len();
        if length < HEADER_LEN {
            return Err(FilterError::Damaged);
        }
        let mut magic = [0; MAGIC.len()];
        file.read_exact_at(&mut magic, 0)?;
        let [bucket_bits, entries, lines] = [read_u64(&file, 8)?, read_u64(&file, 16)?, read_u64(&file, 24)?];
        let bucket_bits = u32::try_from(bucket_bits).ok().filter(|bits| (1..=40).contains(bits));
        let bucket_bits = bucket_bits.filter(|_| magic == MAGIC).ok_or(FilterError::Damaged)?;
        let expected_length =
            entries.checked_mul(ENTRY_LEN).and_then(|bytes| bytes.checked_add(entries_offset(bucket_bits)));
        if expected_length != Some(length) {
            return Err(FilterError::Damaged);
        }
        Ok(Some(Self { file, bucket_bits, entries, lines }))
    }

    /// Whether a password is on the list. False positives have the probability [`Filter::false_positive_rate`].
    pub fn contains(&self, password: &str) -> Result<bool, FilterError> {
        let digest = digest::digest(&digest::SHA1_FOR_LEGACY_USE_ONLY, password.as_bytes());
        let hash = <[u8; 20]>::try_from(digest.as_ref()).map_err(|_| FilterError::Damaged)?;
        let (bucket, suffix) = locate(hash, self.bucket_bits);
        let mut bounds = [0; 16];
        self.file.read_exact_at(&mut bounds, HEADER_LEN + bucket * INDEX_ENTRY_LEN)?;
        let (start, end) = bounds.split_at(8);
        let [start, end] = [start, end].map(|half| half.try_into().map_or(u64::MAX, u64::from_le_bytes));
        if start > end || end > self.entries {
            return Err(FilterError::Damaged);
        }
        let length = usize::try_from((end - start) * ENTRY_LEN).map_err(|_| FilterError::Damaged)?;
        let mut entries = vec![0; length];
        self.file.read_exact_at(&mut entries, entries_offset(self.bucket_bits) + start * ENTRY_LEN)?;
        Ok(entries.chunks_exact(suffix.len()).any(|entry| entry == suffix))
    }

    /// The number of lines that were imported.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// The probability that a password that is not on the list is reported as breached.
    pub fn false_positive_rate(&self) -> f64 {
        false_positive_rate(self.entries, self.bucket_bits)
    }
}

/// The share of all possible entries that are present.
#[expect(clippy::cast_precision_loss, reason = "a rate of two or three digits")]
pub(super) fn false_positive_rate(entries: u64, bucket_bits: u32) -> f64 {
    entries as f64 / ((1_u64 << bucket_bits) as f64 * f64::from(1_u32 << 24))
}

fn read_u64(file: &File, offset: u64) -> io::Result<u64> {
    let mut bytes = [0; 8];
    file.read_exact_at(&mut bytes, offset)?;
    Ok(u64::from_le_bytes(bytes))
}
