//! The folder of a process that leaves nothing behind.

use crate::random;
use rustix::fs::{Mode, OFlags};
use rustix::process::geteuid;
use std::fs::{DirBuilder, File};
use std::io::{Error, ErrorKind, Result};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

const PREFIX: &str = "doorward-ephemeral-";
/// Another start may take a new folder for one that was left, before it is locked.
const TRIES: usize = 10;

/// Accessible to this user only, and locked as long as the process lives. Removed with its content when this is dropped; what
/// a killed process leaves, the next [`EphemeralDir::create`] removes.
pub struct EphemeralDir {
    path: PathBuf,
    _lock: File,
}

impl EphemeralDir {
    /// Creates one in the first of these folders that takes it.
    pub fn create(parents: &[PathBuf]) -> Result<Self> {
        let parents: Vec<_> = parents.iter().filter(|parent| is_safe(parent)).collect();
        for parent in &parents {
            remove_left(parent);
        }
        let mut failure = Error::from(ErrorKind::NotFound);
        for parent in &parents {
            match Self::create_in(parent) {
                Ok(folder) => return Ok(folder),
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    fn create_in(parent: &Path) -> Result<Self> {
        for _ in 0..TRIES {
            let suffix = u64::from_le_bytes(random::bytes().map_err(Error::other)?);
            let path = parent.join(format!("{PREFIX}{suffix:016x}"));
            DirBuilder::new().mode(0o700).create(&path)?;
            if let Some(lock) = lock(&path) {
                return Ok(Self { path, _lock: lock });
            }
        }
        Err(Error::other("another process removes what this one creates"))
    }
}

/// Whether nobody else can rename what is in a folder: it is this user's, or everyone's with the sticky bit.
fn is_safe(parent: &Path) -> bool {
    parent.metadata().is_ok_and(|found| found.uid() == geteuid().as_raw() || found.mode() & 0o1000 != 0)
}

impl Drop for EphemeralDir {
    fn drop(&mut self) {
        // Else the next start does it.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// Locks a folder of this user's; `None` if a living process has it, or it is gone.
fn lock(path: &Path) -> Option<File> {
    // Others can put anything under this name into a folder for all.
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty()).ok()?);
    file.try_lock().ok()?;
    let (found, opened) = (path.symlink_metadata().ok()?, file.metadata().ok()?);
    let is_there = (found.dev(), found.ino()) == (opened.dev(), opened.ino());
    (is_there && opened.uid() == geteuid().as_raw()).then_some(file)
}

fn remove_left(parent: &Path) {
    let entries = std::fs::read_dir(parent).into_iter().flatten().flatten();
    let named = entries.filter(|entry| entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX)));
    for path in named.map(|entry| entry.path()) {
        if let Some(_lock) = lock(&path) {
            let _ = std::fs::remove_dir_all(&path);
        }
    }
}
