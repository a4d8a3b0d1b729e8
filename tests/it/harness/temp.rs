//! Temporary folders.

use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

const PREFIX: &str = "doorward-test-";
/// How long folders of dead test processes are kept, for inspection.
const STALE_RETENTION: Duration = Duration::from_hours(1);

/// A folder under the system's temporary folder, removed with its contents when this is dropped.
#[derive(Debug)]
pub struct TempDir {
    path: PathBuf,
}

impl TempDir {
    /// A new folder; `kind` becomes part of its name.
    pub fn new(kind: &str) -> Self {
        let path = unique_path(kind);
        // Whatever the umask is: the service looks at the modes of its files.
        std::fs::DirBuilder::new().mode(0o700).create(&path).unwrap();
        Self { path }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        // A later test process removes the folders of a killed one.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// An unused path that contains this process's id.
pub fn unique_path(kind: &str) -> PathBuf {
    static SWEPT: Once = Once::new();
    static NEXT: AtomicU32 = AtomicU32::new(0);
    SWEPT.call_once(sweep);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("{PREFIX}{}-{kind}-{number}", std::process::id()))
}

/// Removes the folders of test processes that were killed.
fn sweep() {
    let Ok(entries) = std::fs::read_dir(std::env::temp_dir()) else { return };
    for entry in entries.flatten() {
        if is_stale(&entry).unwrap_or(false) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

fn is_stale(entry: &std::fs::DirEntry) -> Option<bool> {
    let name = entry.file_name().into_string().ok()?;
    let process = name.strip_prefix(PREFIX)?.split('-').next()?;
    let age = entry.metadata().ok()?.modified().ok()?.elapsed().ok()?;
    Some(age > STALE_RETENTION && !Path::new("/proc").join(process).exists())
}
