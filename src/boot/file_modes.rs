//! Warns of files that other users of the machine can read or replace. What the service makes itself is its own; a copy, a
//! restored backup or a mounted volume may be anybody's.

use super::secret_key;
use crate::model::finding::{Finding, FindingCode};
use crate::settings::{DatabaseUrl, Settings};
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Read or write, by the group or by others.
const NOT_PRIVATE: u32 = 0o066;
/// Write, by the group or by others.
const WRITABLE: u32 = 0o022;

/// One sentence for each problem, with the file, its mode and what to do. A file that is missing or cannot be looked at is
/// no problem here: it is one when it is opened.
pub fn warnings(settings: &Settings) -> Vec<Finding> {
    let key = settings.secret_keys.is_none().then(|| secret_key::path(settings));
    let database = match &settings.database.url {
        DatabaseUrl::Sqlite(path) => Some(path.clone()),
        DatabaseUrl::Postgres(_) => None,
    };
    let beside = database.iter().flat_map(|path| ["-wal", "-shm"].map(|suffix| with_suffix(path, suffix)));
    let entries: Vec<&PathBuf> = key.iter().chain(&database).collect();
    let files = entries.iter().copied().cloned().chain(beside);
    let mut warnings: Vec<Finding> = files.filter_map(|path| exposed(&path)).collect();
    let mut directories: Vec<&Path> = entries.iter().map(|path| directory(path)).collect();
    directories.dedup();
    for directory in directories {
        let Some(mode) = mode(directory).filter(|mode| mode & WRITABLE != 0) else { continue };
        let shown = directory.display();
        let message = format!("others can replace the files in {shown} (mode {mode:04o}): chmod 700 {shown}");
        warnings.push(Finding::new(FindingCode::DirectoryNotPrivate, message));
        for link in entries.iter().filter(|path| self::directory(path) == directory && path.is_symlink()) {
            let message = format!("{} is a symbolic link in a directory that others can write to", link.display());
            warnings.push(Finding::new(FindingCode::DirectoryNotPrivate, message));
        }
    }
    warnings
}

fn exposed(path: &Path) -> Option<Finding> {
    let mode = mode(path).filter(|mode| mode & NOT_PRIVATE != 0)?;
    let what = if mode & WRITABLE == 0 { "read" } else { "change" };
    let path = path.display();
    let message = format!("others can {what} {path} (mode {mode:04o}): chmod 600 {path}");
    Some(Finding::new(FindingCode::FileNotPrivate, message))
}

/// The permission bits of a file, or of what a symbolic link leads to.
fn mode(path: &Path) -> Option<u32> {
    path.metadata().ok().map(|metadata| metadata.permissions().mode() & 0o7777)
}

fn directory(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}
