//! A directory of one's own beside a file, in which its next version is made.

use crate::random;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{Error, ErrorKind, Result, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// On the same file system as the file, so that what was made there can be renamed. Removed with its content when this is
/// dropped; a process that is killed leaves it behind for [`PrivateDir::remove_left`].
pub struct PrivateDir {
    path: PathBuf,
}

impl PrivateDir {
    /// Creates it, accessible to this user only.
    pub fn beside(file: &Path) -> Result<Self> {
        let name = file.file_name().ok_or_else(|| Error::other(format!("{} names no file", file.display())))?;
        let suffix = u64::from_le_bytes(random::bytes().map_err(Error::other)?);
        let path = parent(file).join(format!(".{}.{suffix:016x}.part", name.to_string_lossy()));
        DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Self { path })
    }

    /// Removes those that killed processes have left beside a file, while nobody else makes one there.
    pub fn remove_left(file: &Path) -> Result<()> {
        let name = file.file_name().ok_or_else(|| Error::other(format!("{} names no file", file.display())))?;
        let begin = format!(".{}.", name.to_string_lossy());
        for entry in std::fs::read_dir(parent(file))? {
            let entry = entry?;
            let is_left = entry.file_name().to_str().is_some_and(|found| {
                let suffix = found.strip_prefix(&begin).and_then(|rest| rest.strip_suffix(".part"));
                suffix.is_some_and(|suffix| suffix.len() == 16 && suffix.bytes().all(|byte| byte.is_ascii_hexdigit()))
            });
            if is_left && entry.file_type()?.is_dir() {
                std::fs::remove_dir_all(entry.path())?;
            }
        }
        Ok(())
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

fn parent(file: &Path) -> &Path {
    file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
