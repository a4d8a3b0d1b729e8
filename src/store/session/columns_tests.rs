#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::path::{Path, PathBuf};

/// Functions that write to sessions or users without invalidating the cache: nothing that they change is in a
/// [`crate::store::SessionView`] or ends a session, except the last use, which is write-behind anyway.
const EXEMPT: [&str; 13] = [
    "session_advance",
    "session_create",
    "session_touch",
    "session_mark_received",
    "session_set_organization",
    "sessions_leave",
    "sessions_leave_all",
    // Expired long ago, so not live.
    "sessions_delete_expired",
    "user_lock",
    "user_set_password_hash",
    "user_clear_password",
    "user_set_email_verified",
    "user_set_language",
];

/// Without an invalidation, a change to a session or a user would be seen by its own process up to half a second late.
/// A new function that writes to them calls `invalidates_sessions`, or is listed above.
#[test]
fn functions_changing_sessions_or_users_invalidate_cache() {
    let mut missing = Vec::new();
    let mut found = 0;
    for path in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store")) {
        let text = std::fs::read_to_string(path).unwrap();
        for function in text.split("pub async fn ").skip(1) {
            let name = function.split(['(', '<']).next().unwrap();
            let writes = [
                "UPDATE users ",
                "DELETE FROM users",
                "UPDATE sessions ",
                "DELETE FROM sessions",
                "move_sessions!",
                "end_sessions!",
            ]
            .iter()
            .any(|sql| function.contains(sql));
            found += usize::from(writes);
            if writes && !function.contains("self.invalidates_sessions()") && !EXEMPT.contains(&name) {
                missing.push(name.to_owned());
            }
        }
    }
    assert!(found > EXEMPT.len(), "only {found} were found");
    assert!(missing.is_empty(), "{missing:?}");
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let files = files.into_iter().filter(|path| !path.to_str().unwrap().ends_with("_tests.rs"));
    files.chain(folders.iter().flat_map(|folder| sources(folder))).collect()
}
