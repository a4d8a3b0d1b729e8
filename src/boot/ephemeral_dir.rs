//! The folder of a process that leaves nothing behind.

use super::private_dir::PrivateDir;
use rustix::fs::{Mode, OFlags};
use rustix::process::geteuid;
use std::fs::File;
use std::io::{Error, ErrorKind, Result};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// How its name begins and ends.
const NAME: (&str, &str) = ("doorward-ephemeral-", "");
/// Another start may take a new folder for one that was left, before it is locked.
const TRIES: usize = 10;

/// Locked as long as the process lives; what a killed process leaves, the next [`EphemeralDir::create`] removes.
pub struct EphemeralDir {
    // Removed before the lock ends.
    folder: PrivateDir,
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
        self.folder.path()
    }

    fn create_in(parent: &Path) -> Result<Self> {
        for _ in 0..TRIES {
            let folder = PrivateDir::create_in(parent, NAME)?;
            if let Some(lock) = lock(folder.path()) {
                return Ok(Self { folder, _lock: lock });
            }
        }
        Err(Error::other("another process removes what this one creates"))
    }
}

/// Whether nobody else can rename what is in a folder: it is this user's, or everyone's with the sticky bit.
fn is_safe(parent: &Path) -> bool {
    parent.metadata().is_ok_and(|found| found.uid() == geteuid().as_raw() || found.mode() & 0o1000 != 0)
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
    for path in PrivateDir::left_in(parent, NAME).unwrap_or_default() {
        if let Some(_lock) = lock(&path) {
            let _ = std::fs::remove_dir_all(&path);
        }
    }
}
