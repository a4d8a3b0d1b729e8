//! A copy of a SQLite backup, in which steps of the schema can be taken.

use super::failure::Failure;
use crate::boot::PrivateDir;
use crate::settings::DatabaseSettings;
use crate::store::{CopyError, sqlite_copy, unexpected_objects};
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// The copy; removed when this is dropped, unless it was moved.
pub(super) struct CopyOfBackup {
    path: PathBuf,
    _folder: PrivateDir,
}

impl CopyOfBackup {
    /// Copies a backup, which must be sound, to beside a database: there is room for one.
    pub(super) async fn beside(database: &Path, backup: &Path) -> Result<Self, Failure> {
        let folder = PrivateDir::beside(database).map_err(|error| refused(database, &error))?;
        let path = folder.create("doorward.db", &[]).map_err(|error| refused(database, &error))?;
        sqlite_copy(backup, &path).await.map_err(|error| not_copied(backup, database, &error))?;
        Ok(Self { path, _folder: folder })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// A trigger or view of others could change or tell whatever the service stores from now on.
pub(super) async fn refuse_unexpected_objects(database: &DatabaseSettings) -> Result<(), Failure> {
    let unexpected = unexpected_objects(database).await?;
    if unexpected.is_empty() {
        return Ok(());
    }
    Err(Failure::Refused(format!(
        "triggers, rules or views of the backup are not those of Doorward: {}; take another backup, or remove them if you \
         know who made them",
        unexpected.join(", ")
    )))
}

/// Names the file that could not be read, or the folder of the one that could not be written.
pub(super) fn not_copied(source: &Path, target: &Path, error: &CopyError) -> Failure {
    match error {
        CopyError::Unread(error) => refused(source, error),
        CopyError::Unwritten(error, bytes) => {
            let folder = target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
            Failure::Refused(format!("{}: {error}; the copy takes up to {bytes} bytes there", folder.display()))
        }
    }
}

/// What could not be done with a file.
pub(super) fn refused(path: &Path, error: &impl Display) -> Failure {
    Failure::Refused(format!("{}: {error}", path.display()))
}
