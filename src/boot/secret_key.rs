//! Loads the secret key from the environment, or from a file in the data directory, which is generated once.

use super::owner;
use crate::crypto::secret_keys::SecretKeys;
use crate::random;
use crate::settings::{DatabaseUrl, SecretKeySetting, Settings};
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

const FILE_NAME: &str = "secret.key";

/// The secret key cannot be loaded or generated.
#[derive(Debug, thiserror::Error)]
pub enum SecretFileError {
    /// The data directory or the file cannot be created or read.
    #[error("{0}: {1}")]
    Io(String, std::io::Error),
    /// The file, or the data directory, is another user's.
    #[error("{0}: {1}; {2}")]
    Denied(String, std::io::Error, String),
    /// The database exists, but not its key: with a new one no sealed value could be opened.
    #[error(
        "{variable} is not set and {path} is missing, but the database {database} exists. Restore the file, or set \
         {variable} to the key; a new one is never made for an existing database. If it is lost, see doorward secrets reset \
         --help"
    )]
    Missing {
        /// The variable that may hold the key.
        variable: String,
        /// The file that should hold it.
        path: String,
        database: String,
    },
    /// The file does not hold a key.
    #[error("{0} does not hold a key: 32 bytes in base64")]
    Unreadable(String),
}

/// The keys from the settings, or else from the file in the data directory, which is generated for a new database.
pub fn load(settings: &Settings) -> Result<SecretKeys, SecretFileError> {
    create_data_dir(settings)?;
    if let Some(keys) = &settings.secret_keys {
        return SecretKeys::new(keys).map_err(|error| SecretFileError::Unreadable(error.to_string()));
    }
    let path = path(settings);
    match read(&path)? {
        Some(keys) => {
            warn_of_missing_database(settings, &path);
            Ok(keys)
        }
        None => create(settings, &path),
    }
}

/// Not refused: a start that ended between the key and the database would never succeed again.
fn warn_of_missing_database(settings: &Settings, key: &Path) {
    if let DatabaseUrl::Sqlite(database) = &settings.database.url
        && !database.exists()
    {
        tracing::warn!(
            "{} is missing, but the key in {} was there before: an empty database is made. If there was another one, stop \
             the service and restore it, before people sign up again",
            database.display(),
            key.display()
        );
    }
}

/// As [`load`], but makes neither a directory nor a key: `None` without one.
pub fn existing(settings: &Settings) -> Result<Option<SecretKeys>, SecretFileError> {
    let Some(keys) = &settings.secret_keys else { return read(&path(settings)) };
    SecretKeys::new(keys).map(Some).map_err(|error| SecretFileError::Unreadable(error.to_string()))
}

/// The keys as `SVC_SECRET_KEY` or the file has them, without making any.
pub fn text(settings: &Settings) -> Result<Option<Zeroizing<String>>, SecretFileError> {
    match &settings.secret_keys {
        Some(keys) => Ok(Some(SecretKeySetting::list_text(keys))),
        None => read_text(&path(settings)),
    }
}

/// The file that holds the key if the settings do not.
pub fn path(settings: &Settings) -> PathBuf {
    settings.database.data_dir.join(FILE_NAME)
}

/// Creates the directories of the database file, accessible to the service's user only.
pub fn create_data_dir(settings: &Settings) -> Result<(), SecretFileError> {
    let DatabaseUrl::Sqlite(path) = &settings.database.url else { return Ok(()) };
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).map(Path::to_owned);
    for directory in [Some(settings.database.data_dir.clone()), parent].into_iter().flatten() {
        DirBuilder::new().recursive(true).mode(0o700).create(&directory).map_err(|error| unmade(&directory, error))?;
    }
    Ok(())
}

fn read(path: &Path) -> Result<Option<SecretKeys>, SecretFileError> {
    let Some(text) = read_text(path)? else { return Ok(None) };
    let unreadable = || SecretFileError::Unreadable(path.display().to_string());
    let keys = SecretKeySetting::parse_list(text.trim()).ok_or_else(unreadable)?;
    SecretKeys::new(&keys).map(Some).map_err(|_| unreadable())
}

fn read_text(path: &Path) -> Result<Option<Zeroizing<String>>, SecretFileError> {
    let mut text = Zeroizing::new(String::new());
    match File::open(path) {
        Ok(mut file) => file.read_to_string(&mut text).map_err(|error| io(path, error))?,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(io(path, error)),
    };
    Ok(Some(text))
}

/// Makes the key of a new database.
fn create(settings: &Settings, path: &Path) -> Result<SecretKeys, SecretFileError> {
    if let DatabaseUrl::Sqlite(database) = &settings.database.url
        && database.exists()
    {
        // Another process may have created both a moment ago.
        if let Some(keys) = read(path)? {
            return Ok(keys);
        }
        return Err(SecretFileError::Missing {
            variable: settings.name.variable("SECRET_KEY"),
            path: path.display().to_string(),
            database: database.display().to_string(),
        });
    }
    make(path)
}

/// Makes a key for a database whose own is lost, where the settings have none.
pub fn make_lost(settings: &Settings) -> Result<SecretKeys, SecretFileError> {
    make(&path(settings))
}

/// Writes a new key under a temporary name first, so that the file is complete or absent; of two processes that start
/// at once one wins, and the other reads its key.
fn make(path: &Path) -> Result<SecretKeys, SecretFileError> {
    let (_, text) = SecretKeys::generate().map_err(|error| SecretFileError::Unreadable(error.to_string()))?;
    // A random suffix: in a container the process id is often the same at every start.
    let suffix = random::bytes().map_err(|error| SecretFileError::Unreadable(error.to_string()))?;
    let temporary = path.with_extension(format!("{:016x}.new", u64::from_le_bytes(suffix)));
    let written = write_new(&temporary, text.as_bytes());
    // A link, unlike a rename, does not replace a file that another process created meanwhile.
    let linked = written.and_then(|()| std::fs::hard_link(&temporary, path));
    // A temporary file that remains does no harm.
    let _ = std::fs::remove_file(&temporary);
    match linked {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(io(path, error)),
        _ => {}
    }
    if let Some(parent) = path.parent() {
        File::open(parent).and_then(|directory| directory.sync_all()).map_err(|error| io(parent, error))?;
    }
    read(path)?.ok_or_else(|| SecretFileError::Unreadable(path.display().to_string()))
}

fn write_new(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Whose the directory around it is, is no matter of this service.
fn unmade(directory: &Path, error: std::io::Error) -> SecretFileError {
    SecretFileError::Io(directory.display().to_string(), error)
}

fn io(path: &Path, error: std::io::Error) -> SecretFileError {
    let shown = path.display().to_string();
    match owner::remedy(path).filter(|_| error.kind() == ErrorKind::PermissionDenied) {
        Some(remedy) => SecretFileError::Denied(shown, error, remedy),
        None => SecretFileError::Io(shown, error),
    }
}
