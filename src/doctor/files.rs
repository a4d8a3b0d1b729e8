//! The modes of the files, and the room on their disk.

use super::report::Report;
use crate::boot;
use crate::model::finding::{Finding, FindingCode};
use crate::random;
use crate::settings::{DatabaseUrl, Settings};
use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// With less room, a busy database soon fails.
const ROOM_MIB: usize = 16;

pub(super) async fn examine(report: &mut Report, settings: &Settings) {
    for warning in boot::file_warnings(settings) {
        report.found("files", warning);
    }
    report.ok_unless_found("files", "permissions are safe");
    let Some(folder) = folder(settings) else { return };
    let shown = folder.display().to_string();
    let work = tokio::task::spawn_blocking(move || write_and_remove(&folder));
    match report.in_time("disk", work).await {
        Some(Ok(Ok(()))) => report.ok("disk", format!("{shown}: writable, at least {ROOM_MIB} MiB free")),
        Some(Ok(Err(error))) => {
            let message = format!("{ROOM_MIB} MiB cannot be written to {shown} ({error}): free some space there");
            report.found("disk", Finding::new(FindingCode::NoRoom, message));
        }
        // A panic in that thread, which has no way to happen, or a check that took too long and said so.
        Some(Err(_)) | None => {}
    }
}

/// The folder of the SQLite file; a server's disk is its own.
fn folder(settings: &Settings) -> Option<PathBuf> {
    let DatabaseUrl::Sqlite(path) = &settings.database.url else { return None };
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    folder.exists().then(|| folder.to_owned())
}

/// Only a write shows full disks, quotas, limits and rights alike.
fn write_and_remove(folder: &Path) -> std::io::Result<()> {
    let suffix = random::bytes().map_err(std::io::Error::other)?;
    let path = folder.join(format!("doctor.{:016x}.tmp", u64::from_le_bytes(suffix)));
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
    let mebibyte = vec![0; 1 << 20];
    let written = (0..ROOM_MIB).try_for_each(|_| file.write_all(&mebibyte)).and_then(|()| file.sync_all());
    drop(file);
    std::fs::remove_file(&path).and(written)
}
