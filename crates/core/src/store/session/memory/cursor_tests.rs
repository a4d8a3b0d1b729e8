use super::*;

const NOW: Time = Time::from_micros(1_800_000_000_000_000);

fn cursor(snapshot: &str, at: Time) -> ChangeCursor {
    on_server("one", snapshot, at)
}

fn on_server(identity: &str, snapshot: &str, at: Time) -> ChangeCursor {
    let server = FeedServer { identity: identity.to_owned(), started_at: Some(NOW) };
    ChangeCursor { server, position: Position::Snapshot(snapshot.to_owned()), at }
}

#[test]
fn cursor_does_not_follow_if_changes_may_be_missed() {
    let before = cursor("100:105:100,103", NOW);
    let later = NOW + Duration::from_secs(1);
    assert!(cursor("100:107:100", later).follows(&before));
    assert!(cursor("103:105:103", NOW).follows(&before));
    assert!(!cursor("99:105:99", later).follows(&before), "the database is an older one");
    assert!(!cursor("100:104:100", later).follows(&before), "older, while a transaction is open");
    assert!(!on_server("other", "100:107:100", later).follows(&before), "the server is another one");
    assert!(!cursor("100:107:100", NOW - Duration::from_micros(1)).follows(&before), "its clock went back");
    assert!(!cursor("100:107:100", NOW + MAX_POLL_GAP).follows(&before), "changes may have been removed");
}

#[test]
fn change_retention_exceeds_maximum_poll_gap() {
    assert!(CHANGE_RETENTION > 4 * MAX_POLL_GAP);
}
