//! Warns of files that other users of the machine can read or replace. What the service makes itself is its own; a copy, a
//! restored backup or a mounted volume may be anybody's, and so may what operators name.

use super::secret_key;
use crate::domain::provider::file::{MAX_PROVIDER_FILE_LEN, secret_files};
use crate::model::finding::{Finding, FindingCode};
use crate::settings::{DatabaseUrl, Settings};
use rustix::process::geteuid;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Write, by the group or by others.
const WRITABLE: u32 = 0o022;
/// Write, by everyone. Of the directories further up a group may be one's own, as that of each person is on Debian.
const WRITABLE_BY_EVERYONE: u32 = 0o002;
/// Only its owner removes a file from a directory with this.
const STICKY: u32 = 0o1000;
/// Where containers have their secrets, which the mode leaves to be read by whom the container runs.
const CONTAINER_SECRETS: &str = "/run/secrets";

/// As many symbolic links follow one another (Linux, `path_resolution`).
const MAX_LINKS: usize = 40;
const ROOT: u32 = 0;

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
    let users = [service(settings), ROOT];
    warnings.extend(entries.iter().filter_map(|entry| foreign(entry, users)));
    let mut directories: Vec<PathBuf> = Vec::new();
    for entry in &entries {
        for directory in directories_of(&entry.path) {
            if !directories.contains(&directory) {
                warnings.extend(replaceable(&directory, entry.guard, &entries));
                directories.push(directory);
            }
        }
    }
    warnings.extend(open_above(&directories));
    warnings
}

/// The directory of a file, and of each file that symbolic links lead to.
fn directories_of(path: &Path) -> impl Iterator<Item = PathBuf> {
    let target = |link: &PathBuf| Some(directory(link).join(link.read_link().ok()?));
    std::iter::successors(Some(path.to_owned()), target).take(MAX_LINKS + 1).map(|path| directory(&path).to_owned())
}

/// Those above these directories in which everyone can put another one in the place of the next.
fn open_above(directories: &[PathBuf]) -> Vec<Finding> {
    let resolved: Vec<PathBuf> = directories.iter().filter_map(|directory| directory.canonicalize().ok()).collect();
    // As they are named too: a directory may be a link.
    let above = directories.iter().chain(&resolved).flat_map(|directory| directory.ancestors().skip(1));
    let above: BTreeSet<PathBuf> = above.filter_map(|path| path.canonicalize().ok()).collect();
    let above = above.into_iter().filter(|path| !resolved.contains(path));
    let open = above.filter_map(|path| {
        let mode = mode(&path).filter(|mode| mode & WRITABLE_BY_EVERYONE != 0 && mode & STICKY == 0)?;
        let path = path.display();
        let message = format!("others can replace the files below {path} (mode {mode:04o}): chmod o-w {path}");
        Some(Finding::new(FindingCode::DirectoryNotPrivate, message))
    });
    open.collect()
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

/// The user of the service. Root looks at the files of one that may run as another: as that of the data.
fn service(settings: &Settings) -> u32 {
    let user = geteuid().as_raw();
    if user == ROOT { owner(&settings.database.data_dir).unwrap_or(ROOT) } else { user }
}

/// The owner of a file changes it, whatever its mode is.
fn foreign(entry: &Guarded, users: [u32; 2]) -> Option<Finding> {
    let owner = owner(&entry.path).filter(|owner| !users.contains(owner))?;
    if entry.path.starts_with(CONTAINER_SECRETS) {
        return None;
    }
    let (path, [service, _]) = (entry.path.display(), users);
    let message = format!("{path} belongs to user {owner}, who can change it: chown {service} {path}");
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

/// The user to whom a file belongs, or what a symbolic link leads to.
fn owner(path: &Path) -> Option<u32> {
    path.metadata().ok().map(|metadata| metadata.uid())
}

fn directory(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

#[cfg(test)]
#[path = "file_modes_tests.rs"]
mod tests;
