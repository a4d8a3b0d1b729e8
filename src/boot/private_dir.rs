//! A directory of one's own: beside a file, in which its next version is made, or for a process.

use crate::random;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{Error, ErrorKind, Result, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// How the names of those beside a file end.
const END: &str = ".part";

/// Accessible to this user only, under a random name. Removed with its content when this is dropped; a process that is
/// killed leaves it behind for [`PrivateDir::left_in`].
pub struct PrivateDir {
    path: PathBuf,
}

impl PrivateDir {
    /// Creates one beside a file, on the same file system, so that what was made there can be renamed.
    pub fn beside(file: &Path) -> Result<Self> {
        Self::create_in(parent(file), (&beginning(file)?, END))
    }

    /// Creates one in a folder, with a name that begins and ends so.
    pub(super) fn create_in(parent: &Path, (begin, end): (&str, &str)) -> Result<Self> {
        let random = u64::from_le_bytes(random::bytes().map_err(Error::other)?);
        let path = parent.join(format!("{begin}{random:016x}{end}"));
        DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Self { path })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Those in a folder whose names begin and end so: of living processes, and what killed ones have left.
    pub(super) fn left_in(parent: &Path, (begin, end): (&str, &str)) -> Result<Vec<PathBuf>> {
        let mut left = Vec::new();
        for entry in std::fs::read_dir(parent)? {
            let entry = entry?;
            let is_one = entry.file_name().to_str().is_some_and(|found| {
                let random = found.strip_prefix(begin).and_then(|rest| rest.strip_suffix(end));
                random.is_some_and(|random| random.len() == 16 && random.bytes().all(|byte| byte.is_ascii_hexdigit()))
            });
            if is_one && entry.file_type()?.is_dir() {
                left.push(entry.path());
            }
        }
        Ok(left)
    }

    /// Removes those that killed processes have left beside a file, while nobody else makes one there.
    pub fn remove_left(file: &Path) -> Result<()> {
        Self::left_in(parent(file), (&beginning(file)?, END))?.iter().try_for_each(std::fs::remove_dir_all)
    }

    /// A new file in it with this content, accessible to this user only.
    pub fn create(&self, name: &str, content: &[u8]) -> Result<PathBuf> {
        let path = self.path.join(name);
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
        file.write_all(content)?;
        file.sync_all()?;
        Ok(path)
    }
}

impl Drop for PrivateDir {
    fn drop(&mut self) {
        // What cannot be removed does no harm: only this user can read it.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// Gives a finished file its name, once it is on the disk. Fails where there is such a file.
pub fn publish(finished: &Path, name: &Path) -> Result<()> {
    File::open(finished)?.sync_all()?;
    // A link, unlike a rename, replaces nothing; but not every file system has links.
    match std::fs::hard_link(finished, name) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists && name.symlink_metadata().is_err() => {
            std::fs::rename(finished, name)?;
        }
        linked => linked?,
    }
    File::open(parent(name))?.sync_all()
}

fn beginning(file: &Path) -> Result<String> {
    let name = file.file_name().ok_or_else(|| Error::other(format!("{} names no file", file.display())))?;
    Ok(format!(".{}.", name.to_string_lossy()))
}

fn parent(file: &Path) -> &Path {
    file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
