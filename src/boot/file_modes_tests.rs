#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

#[test]
fn file_of_another_user_is_found() {
    let path = std::env::current_exe().unwrap();
    let user = owner(&path).unwrap();
    let found = |path: &Path, users| foreign(&Guarded { path: path.to_owned(), guard: Guard::Secret }, users);
    assert_eq!(found(&path, [user, user + 1]), None);
    assert_eq!(found(&path, [user + 1, user]), None);
    let message = found(&path, [user + 1, user + 2]).unwrap().message;
    assert!(message.contains(&format!("belongs to user {user}")) && message.contains("chown"), "{message}");
    assert_eq!(found(&path.join("nothing"), [user + 1, user + 2]), None);
}
