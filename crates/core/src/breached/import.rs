//! Writes the filter in one pass over the list and constant memory, and replaces the old one atomically.

use super::filter::false_positive_rate;
use super::filter_path;
use super::format::{HEADER_LEN, MAGIC, entries_offset, locate};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, Read};
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::{fs, io};

/// Average number of entries in a bucket: at three bytes each, one read returns them all.
const ENTRIES_PER_BUCKET: u64 = 64;
const MIN_BUCKET_BITS: u32 = 8;
/// An index of half a gigabyte, enough for lists ten times as long as today's.
const MAX_BUCKET_BITS: u32 = 26;
/// A hash, a colon, a number, and the line ending; the published list has 43 to 50 bytes.
const AVERAGE_LINE_BYTES: u64 = 45;
/// No line of such a list is longer.
const MAX_LINE_BYTES: u64 = 256;
const BLOCK_SIZE: usize = 64 * 1024;
/// Number of lines between two progress reports.
const LINES_PER_REPORT: u64 = 1_000_000;

#[derive(Debug)]
pub struct ImportSummary {
    pub lines: u64,
    /// Number of distinct entries that were stored.
    pub entries: u64,
    pub bytes: u64,
    /// The probability that a password that is not on the list is reported as breached.
    pub false_positive_rate: f64,
}

/// Why a list was not imported. The previous filter is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The list could not be read, or the filter not written.
    #[error("{0}: {1}")]
    Io(&'static str, io::Error),
    /// A line does not hold a hash.
    #[error(
        "line {0} is not a SHA-1 hash of 40 hexadecimal digits, alone or before a colon and a number; the list is the \
         one with SHA-1 hashes, as one file"
    )]
    NotAHash(u64),
    /// The list is not sorted by hash.
    #[error("line {0} comes before the one above it: the list must be the one that is ordered by hash")]
    NotOrdered(u64),
    #[error("the list is empty")]
    Empty,
    #[error("another import into this data directory is running")]
    Busy,
}

/// Imports a list of `size` bytes, sorted by hash, and replaces the filter in the data directory atomically. `progress`
/// receives the number of bytes read so far.
pub fn import(
    list: impl BufRead,
    size: u64,
    data_dir: &Path,
    mut progress: impl FnMut(u64),
) -> Result<ImportSummary, ImportError> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(data_dir).map_err(failed("the data directory"))?;
    let unfinished = filter_path(data_dir).with_extension("unfinished");
    let target = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&unfinished);
    let target = target.map_err(failed("the filter"))?;
    target.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => ImportError::Busy,
        TryLockError::Error(error) => ImportError::Io("the filter", error),
    })?;
    // Another import may have renamed the file since this one opened it: then it is the current filter.
    let inode = |metadata: fs::Metadata| metadata.ino();
    let current = fs::metadata(&unfinished).map(inode).ok();
    if current != Some(target.metadata().map(inode).map_err(failed("the filter"))?) {
        return Err(ImportError::Busy);
    }
    let written = write(list, size, &target, &mut progress);
    if written.is_err() {
        // Frees the disk space of the incomplete filter.
        let _ = fs::remove_file(&unfinished);
        return written;
    }
    fs::rename(&unfinished, filter_path(data_dir)).map_err(failed("the filter"))?;
    File::open(data_dir).and_then(|folder| folder.sync_all()).map_err(failed("the data directory"))?;
    written
}

fn failed(what: &'static str) -> impl Fn(io::Error) -> ImportError {
    move |error| ImportError::Io(what, error)
}

fn write(
    mut list: impl BufRead,
    size: u64,
    target: &File,
    progress: &mut impl FnMut(u64),
) -> Result<ImportSummary, ImportError> {
    let mut writer = FilterWriter::new(target, bucket_bits(size)).map_err(failed("the filter"))?;
    let (mut line, mut number, mut read) = (Vec::new(), 0_u64, 0_u64);
    let mut previous = [0; 20];
    loop {
        line.clear();
        let length = (&mut list).take(MAX_LINE_BYTES).read_until(b'\n', &mut line).map_err(failed("the list"))?;
        if length == 0 {
            break;
        }
        (number, read) = (number + 1, read + length as u64);
        if number.is_multiple_of(LINES_PER_REPORT) {
            progress(read);
        }
        let text = line.strip_prefix(b"\xef\xbb\xbf").filter(|_| number == 1).unwrap_or(&line).trim_ascii();
        if text.is_empty() {
            continue;
        }
        let hash = parse(text).ok_or(ImportError::NotAHash(number))?;
        if hash < previous {
            return Err(ImportError::NotOrdered(number));
        }
        previous = hash;
        writer.push(hash).map_err(failed("the filter"))?;
    }
    progress(read);
    if writer.lines == 0 {
        return Err(ImportError::Empty);
    }
    writer.finish().map_err(failed("the filter"))
}

/// Chooses the number of buckets so that each has about [`ENTRIES_PER_BUCKET`] entries.
fn bucket_bits(size: u64) -> u32 {
    (size / AVERAGE_LINE_BYTES / ENTRIES_PER_BUCKET).max(1).ilog2().clamp(MIN_BUCKET_BITS, MAX_BUCKET_BITS)
}

/// Parses `SHA1` or `SHA1:count`.
fn parse(text: &[u8]) -> Option<[u8; 20]> {
    let (digits, count) = match text.iter().position(|byte| *byte == b':') {
        Some(colon) => (&text[..colon], &text[colon + 1..]),
        None => (text, [].as_slice()),
    };
    if digits.len() != 40 || !count.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let mut hash = [0; 20];
    for (byte, pair) in hash.iter_mut().zip(digits.chunks_exact(2)) {
        let [high, low] = [pair[0], pair[1]].map(|digit| char::from(digit).to_digit(16));
        *byte = u8::try_from(high? * 16 + low?).ok()?;
    }
    Some(hash)
}

/// Writes the index and the entries in parallel: both grow in the order of the hashes.
struct FilterWriter<'a> {
    target: &'a File,
    bucket_bits: u32,
    index: Section<'a>,
    entries: Section<'a>,
    /// The first bucket that is not in the index yet.
    next_bucket: u64,
    previous: Option<(u64, [u8; 3])>,
    count: u64,
    lines: u64,
}

impl<'a> FilterWriter<'a> {
    /// Truncates the file. The header is written last, so an incomplete file is never valid.
    fn new(target: &'a File, bucket_bits: u32) -> io::Result<Self> {
        target.set_len(0)?;
        Ok(Self {
            target,
            bucket_bits,
            index: Section::new(target, HEADER_LEN),
            entries: Section::new(target, entries_offset(bucket_bits)),
            next_bucket: 0,
            previous: None,
            count: 0,
            lines: 0,
        })
    }

    fn push(&mut self, hash: [u8; 20]) -> io::Result<()> {
        self.lines += 1;
        let (bucket, entry) = locate(hash, self.bucket_bits);
        if self.previous == Some((bucket, entry)) {
            return Ok(());
        }
        self.index_up_to(bucket)?;
        self.entries.push(&entry)?;
        self.count += 1;
        self.previous = Some((bucket, entry));
        Ok(())
    }

    /// Writes the index entries of the buckets up to this one.
    fn index_up_to(&mut self, bucket: u64) -> io::Result<()> {
        while self.next_bucket <= bucket {
            self.index.push(&self.count.to_le_bytes())?;
            self.next_bucket += 1;
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<ImportSummary> {
        self.index_up_to(1 << self.bucket_bits)?;
        self.index.flush()?;
        self.entries.flush()?;
        let numbers = [u64::from(self.bucket_bits), self.count, self.lines].map(u64::to_le_bytes);
        self.target.write_all_at(&[MAGIC, numbers[0], numbers[1], numbers[2]].concat(), 0)?;
        self.target.sync_all()?;
        Ok(ImportSummary {
            lines: self.lines,
            entries: self.count,
            bytes: self.target.metadata()?.len(),
            false_positive_rate: false_positive_rate(self.count, self.bucket_bits),
        })
    }
}

/// A part of the file that is written sequentially.
struct Section<'a> {
    target: &'a File,
    offset: u64,
    block: Vec<u8>,
}

impl<'a> Section<'a> {
    fn new(target: &'a File, offset: u64) -> Self {
        Self { target, offset, block: Vec::with_capacity(BLOCK_SIZE) }
    }

    fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.block.len() + bytes.len() > BLOCK_SIZE {
            self.flush()?;
        }
        self.block.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.target.write_all_at(&self.block, self.offset)?;
        self.offset += self.block.len() as u64;
        self.block.clear();
        Ok(())
    }
}
