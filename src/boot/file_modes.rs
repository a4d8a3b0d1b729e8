//! Warns of files that other users of the machine can read or replace. What the service makes itself is its own; a copy, a
//! restored backup or a mounted volume may be anybody's, and so may what operators name.

use super::secret_key;
use crate::domain::provider::file::{MAX_PROVIDER_FILE_LEN, secret_files};
use crate::model::finding::{Finding, FindingCode};
use crate::settings::{DatabaseUrl, Settings};
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Write, by the group or by others.
const WRITABLE: u32 = 0o022;
/// Only its owner removes a file from a directory with this.
const STICKY: u32 = 0o1000;
/// Where containers have their secrets, which the mode leaves to be read by whom the container runs.
const CONTAINER_SECRETS: &str = "/run/secrets";

/// A file, and what others may not do with it.
struct Guarded {
    path: PathBuf,
    guard: Guard,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Guard {
    /// What the service makes: for no one else.
    Own,
    /// A secret that an operator names: its group may be the service's.
    Secret,
    /// What an operator names and anyone may read.
    Trusted,
}

impl Guard {
    /// The permissions that no one else may have, and what takes them away.
    const fn forbidden(self) -> (u32, &'static str) {
        match self {
            Self::Own => (0o066, "600"),
            Self::Secret => (0o026, "640"),
            Self::Trusted => (WRITABLE, "go-w"),
        }
    }

    /// Whether others can replace files of a directory with this mode, and what ends that.
    fn opens(self, mode: u32) -> Option<&'static str> {
        match self {
            Self::Own => (mode & WRITABLE != 0).then_some("700"),
            Self::Secret | Self::Trusted => (mode & WRITABLE != 0 && mode & STICKY == 0).then_some("go-w"),
        }
    }
}

/// One sentence for each problem, with the file, its mode and what to do. A file that is missing or cannot be looked at is
/// no problem here: it is one when it is opened.
pub fn warnings(settings: &Settings) -> Vec<Finding> {
    let entries: Vec<Guarded> = own(settings).chain(named(settings)).collect();
    let mut warnings: Vec<Finding> = entries.iter().filter_map(exposed).collect();
    let mut directories: Vec<&Path> = Vec::new();
    for entry in &entries {
        let directory = directory(&entry.path);
        if directories.contains(&directory) {
            continue;
        }
        directories.push(directory);
        warnings.extend(replaceable(directory, entry.guard, &entries));
    }
    warnings
}

/// The key and the database.
fn own(settings: &Settings) -> impl Iterator<Item = Guarded> {
    let key = settings.secret_keys.is_none().then(|| secret_key::path(settings));
    let database = match &settings.database.url {
        DatabaseUrl::Sqlite(path) => ["", "-wal", "-shm"].map(|suffix| with_suffix(path, suffix)).to_vec(),
        DatabaseUrl::Postgres(_) => Vec::new(),
    };
    key.into_iter().chain(database).map(|path| Guarded { path, guard: Guard::Own })
}

/// What the settings name, and the secrets that the file of providers names.
fn named(settings: &Settings) -> impl Iterator<Item = Guarded> {
    let providers = settings.providers.apply_file.as_deref();
    let authorities = settings.mail.smtp.as_ref().and_then(|smtp| smtp.ca_file.as_deref());
    let trusted = [providers, authorities].into_iter().flatten().map(Path::to_owned);
    let secrets = settings.database.password_file.iter().cloned().chain(providers.map(secrets_of).unwrap_or_default());
    let trusted = trusted.map(|path| Guarded { path, guard: Guard::Trusted });
    trusted.chain(secrets.map(|path| Guarded { path, guard: Guard::Secret }))
}

/// The files that a file of providers names, as far as it can be read.
fn secrets_of(providers: &Path) -> Vec<PathBuf> {
    let mut text = String::new();
    let file = File::open(providers).and_then(|file| file.take(MAX_PROVIDER_FILE_LEN).read_to_string(&mut text));
    if file.is_err() {
        return Vec::new();
    }
    secret_files(&text).iter().map(|path| directory(providers).join(path)).collect()
}

fn exposed(entry: &Guarded) -> Option<Finding> {
    let (forbidden, mended) = entry.guard.forbidden();
    let mode = mode(&entry.path)?;
    let found = if entry.path.starts_with(CONTAINER_SECRETS) { mode & WRITABLE } else { mode & forbidden };
    if found == 0 {
        return None;
    }
    let what = if found & WRITABLE == 0 { "read" } else { "change" };
    let path = entry.path.display();
    let message = format!("others can {what} {path} (mode {mode:04o}): chmod {mended} {path}");
    Some(Finding::new(FindingCode::FileNotPrivate, message))
}

/// What is wrong with a directory in which some of these stand.
fn replaceable(directory: &Path, guard: Guard, entries: &[Guarded]) -> Vec<Finding> {
    let Some(mode) = mode(directory) else { return Vec::new() };
    let Some(mended) = guard.opens(mode) else { return Vec::new() };
    let shown = directory.display();
    let open = format!("others can replace the files in {shown} (mode {mode:04o}): chmod {mended} {shown}");
    let links = entries.iter().filter(|entry| self::directory(&entry.path) == directory && entry.path.is_symlink());
    let links = links
        .map(|entry| format!("{} is a symbolic link in a directory that others can write to", entry.path.display()));
    let messages = std::iter::once(open).chain(links);
    messages.map(|message| Finding::new(FindingCode::DirectoryNotPrivate, message)).collect()
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
