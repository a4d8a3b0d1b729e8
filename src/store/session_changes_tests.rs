#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

const NOW: Time = Time::from_micros(1_800_000_000_000_000);

fn place(snapshot: &str, at: Time) -> Place {
    Place { until: Until::Snapshot(snapshot.to_owned()), at }
}

#[test]
fn a_place_follows_another_unless_something_may_have_been_missed() {
    let before = place("100:105:100,103", NOW);
    let later = NOW + Duration::from_secs(1);
    assert!(place("100:107:100", later).follows(&before));
    assert!(place("103:105:103", NOW).follows(&before));
    assert!(!place("99:105:99", later).follows(&before), "the database is an older one");
    assert!(!place("100:107:100", NOW - Duration::from_micros(1)).follows(&before), "its clock went back");
    assert!(!place("100:107:100", NOW + GAP).follows(&before), "changes may be gone");
}

#[test]
fn changes_are_kept_for_longer_than_a_reader_may_pause() {
    assert!(CHANGES_KEPT > 4 * GAP);
}

/// Functions that write to sessions or users, but to nothing that [`crate::store::SessionView`] shows or that decides
/// whether it is live. The last use is the exception: it lags anyway.
const UNSEEN: [&str; 11] = [
    "session_advance",
    "session_create",
    "session_touch",
    "session_set_organization",
    "sessions_leave",
    "sessions_leave_all",
    // Long over, so nobody takes them for live.
    "sessions_delete_expired",
    "user_lock",
    "user_set_password_hash",
    "user_clear_password",
    "user_set_email_verified",
];

/// A function that alters a session or a user and does not say so would be seen by its own process up to half a
/// second late. Whoever adds one marks it with `alters_sessions`, or names it above.
#[test]
fn whoever_alters_sessions_or_users_says_so() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store");
    let mut silent = Vec::new();
    let mut found = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.is_dir() || path.to_str().unwrap().ends_with("_tests.rs") {
            continue;
        }
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
            if writes && !function.contains("self.alters_sessions()") && !UNSEEN.contains(&name) {
                silent.push(name.to_owned());
            }
        }
    }
    assert!(found > UNSEEN.len(), "only {found} were found");
    assert!(silent.is_empty(), "{silent:?}");
}
