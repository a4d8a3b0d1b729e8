use super::*;
use crate::model::roles::Roles;
use crate::model::time::Time;
use crate::store::SessionView;

const SESSION: SessionId = SessionId(Uuid::from_u128(1));
const USER: UserId = UserId(Uuid::from_u128(2));
const OTHER: UserId = UserId(Uuid::from_u128(3));

fn session() -> Arc<KnownSession> {
    let now = Time::from_micros(1_800_000_000_000_000);
    Arc::new(KnownSession::from(SessionView {
        user_id: USER,
        email: "ada@example.com".to_owned(),
        username: "ada".to_owned(),
        roles: Roles::NONE,
        disabled_at: None,
        created_at: now,
        authenticated_at: Time::from_micros(0),
        last_used_at: now,
        expires_at: now,
        ended_at: None,
    }))
}

fn is_kept(cache: &SessionCache) -> bool {
    cache.get(SESSION, cache.epoch(SESSION, USER)).is_some()
}

#[test]
fn a_change_of_the_session_its_user_or_anything_ends_an_entry() {
    let cache = SessionCache::new(Limits::POSTGRES);
    for (changes, keeps) in [
        (Some(vec![]), true),
        (Some(vec![Change::User(OTHER)]), true),
        (Some(vec![Change::Session(SESSION)]), false),
        (Some(vec![Change::User(OTHER), Change::User(USER)]), false),
        (None, false),
    ] {
        cache.insert(SESSION, session(), cache.epoch(SESSION, USER));
        assert!(is_kept(&cache));
        cache.apply(changes.as_deref());
        assert_eq!(is_kept(&cache), keeps, "{changes:?}");
    }
}

#[test]
fn what_was_read_before_a_change_is_never_used_after_it() {
    let cache = SessionCache::new(Limits::POSTGRES);
    // A request takes the epoch and reads; the change commits and is looked at; then the request keeps what it read.
    let epoch = cache.epoch(SESSION, USER);
    cache.apply(Some(&[Change::Session(SESSION)]));
    cache.insert(SESSION, session(), epoch);
    assert!(!is_kept(&cache));
}

#[test]
fn nothing_is_trusted_before_the_first_look_and_after_a_demand() {
    let freshness = Freshness::new(Limits::POSTGRES);
    assert_eq!(freshness.trust(), Trust::Stale);
    freshness.end(&freshness.begin());
    assert_eq!(freshness.trust(), Trust::Fresh);
    freshness.demand();
    assert_eq!(freshness.trust(), Trust::Stale);
    freshness.end(&freshness.begin());
    assert_eq!(freshness.trust(), Trust::Fresh);
}

#[test]
fn a_look_that_began_before_the_demand_does_not_answer_it() {
    let freshness = Freshness::new(Limits::POSTGRES);
    let begun = freshness.begin();
    freshness.demand();
    freshness.end(&begun);
    assert_eq!(freshness.trust(), Trust::Stale);
}

#[test]
fn a_look_is_trusted_for_its_time_from_its_beginning() {
    let freshness = Freshness::new(Limits::POSTGRES);
    let millis = |millis: u64| 1000 * millis;
    let begun = freshness.begin_at(millis(1000));
    freshness.end(&begun);
    for (at, trust) in [(1099, Trust::Fresh), (1100, Trust::Due), (1499, Trust::Due), (1500, Trust::Stale)] {
        assert_eq!(freshness.trust_at(millis(at)), trust, "{at}");
    }
    // An older look that ends late does not make a newer one older.
    freshness.end(&freshness.begin_at(millis(2000)));
    freshness.end(&begun);
    assert_eq!(freshness.trust_at(millis(2099)), Trust::Fresh);
}

#[test]
fn a_noted_use_is_never_taken_back() {
    let session = session();
    let noted = session.last_used() + Duration::from_mins(1);
    session.set_last_used(noted);
    session.set_last_used(noted - Duration::from_secs(1));
    assert_eq!(session.last_used(), noted);
}
