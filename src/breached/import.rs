//! Writes the filter: one pass over the list, in constant memory, seen by others only when it is whole.

use super::file;
use super::filter::rate;
use super::format::{HEADER, MAGIC, entries_at, place};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, Read};
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::{fs, io};

/// Entries of a bucket, on average: with three bytes each they come with one read.
const PER_BUCKET: u64 = 64;
const LEAST_BUCKET_BITS: u32 = 8;
/// An index of half a gigabyte, for lists ten times as long as today's.
const MOST_BUCKET_BITS: u32 = 26;
/// A hash, a colon, a number, and the end of the line; the published list has 43 to 50 bytes.
const USUAL_LINE: u64 = 45;
/// No line of such a list is longer.
const LONGEST_LINE: u64 = 256;
/// Written at once.
const BLOCK: usize = 64 * 1024;
/// Lines between two reports of progress.
const REPORT_EVERY: u64 = 1_000_000;

/// What an import made.
#[derive(Debug)]
pub struct Imported {
    /// Lines with a hash.
    pub lines: u64,
    /// Different entries that were stored.
    pub entries: u64,
    /// Size of the filter.
    pub bytes: u64,
    /// How probably a password that is not on the list is taken for one that is.
    pub false_positive_rate: f64,
}

/// Why a list was not imported; the filter that was there before still is.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The list could not be read, or the filter not be written.
    #[error("{0}: {1}")]
    Io(&'static str, io::Error),
    /// A line is none of such a list.
    #[error(
        "line {0} is not a SHA-1 hash of 40 hexadecimal digits, alone or before a colon and a number; the list is the one \
         with SHA-1 hashes, as one file"
    )]
    NotAHash(u64),
    /// The list is not ordered.
    #[error("line {0} comes before the one above it: the list must be the one that is ordered by hash")]
    NotOrdered(u64),
    /// There is no hash in it.
    #[error("the list is empty")]
    Empty,
    /// Another import is running.
    #[error("another import into this data directory is running")]
    Busy,
}

/// Reads a list ordered by hash, of `size` bytes, and puts its filter into the data directory in one step. `progress` is
/// told the bytes read so far.
pub fn import(
    list: impl BufRead,
    size: u64,
    data_dir: &Path,
    mut progress: impl FnMut(u64),
) -> Result<Imported, ImportError> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(data_dir).map_err(failed("the data directory"))?;
    let unfinished = file(data_dir).with_extension("unfinished");
    let target = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&unfinished);
    let target = target.map_err(failed("the filter"))?;
    target.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => ImportError::Busy,
        TryLockError::Error(error) => ImportError::Io("the filter", error),
    })?;
    // Another import may have finished since this one opened the file: then it is the filter now.
    let inode = |metadata: fs::Metadata| metadata.ino();
    let there = fs::metadata(&unfinished).map(inode).ok();
    if there != Some(target.metadata().map(inode).map_err(failed("the filter"))?) {
        return Err(ImportError::Busy);
    }
    let written = write(list, size, &target, &mut progress);
    if written.is_err() {
        // What is left would only take up room.
        let _ = fs::remove_file(&unfinished);
        return written;
    }
    fs::rename(&unfinished, file(data_dir)).map_err(failed("the filter"))?;
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
) -> Result<Imported, ImportError> {
    let mut writer = Writer::begin(target, bucket_bits(size)).map_err(failed("the filter"))?;
    let (mut line, mut number, mut read) = (Vec::new(), 0_u64, 0_u64);
    let mut previous = [0; 20];
    loop {
        line.clear();
        let length = (&mut list).take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(failed("the list"))?;
        if length == 0 {
            break;
        }
        (number, read) = (number + 1, read + length as u64);
        if number.is_multiple_of(REPORT_EVERY) {
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

/// So many buckets that each has about [`PER_BUCKET`] entries.
fn bucket_bits(size: u64) -> u32 {
    (size / USUAL_LINE / PER_BUCKET).max(1).ilog2().clamp(LEAST_BUCKET_BITS, MOST_BUCKET_BITS)
}

/// `SHA1` or `SHA1:count`.
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

/// Writes index and entries side by side: both grow in the order of the hashes.
struct Writer<'a> {
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

impl<'a> Writer<'a> {
    /// Whatever the file held goes: a header is there only when all else is.
    fn begin(target: &'a File, bucket_bits: u32) -> io::Result<Self> {
        target.set_len(0)?;
        Ok(Self {
            target,
            bucket_bits,
            index: Section::at(target, HEADER),
            entries: Section::at(target, entries_at(bucket_bits)),
            next_bucket: 0,
            previous: None,
            count: 0,
            lines: 0,
        })
    }

    fn push(&mut self, hash: [u8; 20]) -> io::Result<()> {
        self.lines += 1;
        let place = place(hash, self.bucket_bits);
        if self.previous == Some(place) {
            return Ok(());
        }
        self.index_up_to(place.0)?;
        self.entries.push(&place.1)?;
        self.count += 1;
        self.previous = Some(place);
        Ok(())
    }

    /// Notes for every bucket up to this one how many entries come before it.
    fn index_up_to(&mut self, bucket: u64) -> io::Result<()> {
        while self.next_bucket <= bucket {
            self.index.push(&self.count.to_le_bytes())?;
            self.next_bucket += 1;
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<Imported> {
        self.index_up_to(1 << self.bucket_bits)?;
        self.index.flush()?;
        self.entries.flush()?;
        let numbers = [u64::from(self.bucket_bits), self.count, self.lines].map(u64::to_le_bytes);
        self.target.write_all_at(&[MAGIC, numbers[0], numbers[1], numbers[2]].concat(), 0)?;
        self.target.sync_all()?;
        Ok(Imported {
            lines: self.lines,
            entries: self.count,
            bytes: self.target.metadata()?.len(),
            false_positive_rate: rate(self.count, self.bucket_bits),
        })
    }
}

/// A part of the file that grows at its end.
struct Section<'a> {
    target: &'a File,
    at: u64,
    block: Vec<u8>,
}

impl<'a> Section<'a> {
    fn at(target: &'a File, at: u64) -> Self {
        Self { target, at, block: Vec::with_capacity(BLOCK) }
    }

    fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.block.len() + bytes.len() > BLOCK {
            self.flush()?;
        }
        self.block.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.target.write_all_at(&self.block, self.at)?;
        self.at += self.block.len() as u64;
        self.block.clear();
        Ok(())
    }
}
