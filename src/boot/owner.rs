//! Whose the files are: a volume of another user is the commonest reason why a container does not start.

use rustix::fs::{Access, access};
use rustix::io::Errno;
use rustix::process::{getegid, geteuid};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// What to do about a file that this process may not use as it, or its directory, is another user's; `None` if that is not
/// the reason.
pub fn remedy(file: &Path) -> Option<String> {
    let directory = file.parent().filter(|parent| !parent.as_os_str().is_empty())?;
    let is_denied = |path: &&Path| access(*path, Access::READ_OK | Access::WRITE_OK) == Err(Errno::ACCESS);
    let denied = [directory, file].into_iter().find(is_denied)?;
    let (owner, own, group) = (denied.metadata().ok()?.uid(), geteuid().as_raw(), getegid().as_raw());
    let (denied, directory) = (denied.display(), directory.display());
    (owner != own).then(|| {
        format!(
            "{denied} belongs to user {owner}, and this process runs as user {own}: chown -R {own}:{group} {directory}"
        )
    })
}
