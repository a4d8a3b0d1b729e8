use super::*;
use crate::model::auth_method::AuthMethods;
use crate::model::ids::OrganizationId;
use crate::model::roles::Roles;
use crate::model::session_view::SessionView;
use crate::model::time::Time;
use std::time::Duration;

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
        email_verified: true,
        disabled_at: None,
        created_at: now,
        second_factor: false,
        organization_id: OrganizationId(Uuid::from_u128(4)),
        organization_role: None,
        methods: AuthMethods::NONE,
        authenticated_at: Time::from_micros(0),
        last_used_at: now,
        expires_at: now,
        ended_at: None,
        received_generation: 1,
    }))
}

fn is_cached(cache: &SessionCache) -> bool {
    cache.get(SESSION, cache.epoch(SESSION, USER)).is_some()
}

#[test]
fn change_of_session_user_or_unknown_invalidates_entry() {
    let cache = SessionCache::new(StalenessBounds::POSTGRES);
    for (changes, valid) in [
        (Some(vec![]), true),
        (Some(vec![SessionChange::User(OTHER)]), true),
        (Some(vec![SessionChange::Session(SESSION)]), false),
        (Some(vec![SessionChange::User(OTHER), SessionChange::User(USER)]), false),
        (None, false),
    ] {
        cache.insert(SESSION, session(), cache.epoch(SESSION, USER));
        assert!(is_cached(&cache));
        cache.apply(changes.as_deref());
        assert_eq!(is_cached(&cache), valid, "{changes:?}");
    }
}

#[test]
fn view_read_before_change_is_not_cached() {
    let cache = SessionCache::new(StalenessBounds::POSTGRES);
    // A request takes the epoch and reads; the change commits and is polled; then the request caches what it read.
    let epoch = cache.epoch(SESSION, USER);
    cache.apply(Some(&[SessionChange::Session(SESSION)]));
    cache.insert(SESSION, session(), epoch);
    assert!(!is_cached(&cache));
}

#[test]
fn last_use_never_moves_back() {
    let session = session();
    let recorded = session.last_used() + Duration::from_mins(1);
    session.set_last_used(recorded, 2);
    session.set_last_used(recorded - Duration::from_secs(1), 1);
    assert_eq!((session.last_used(), session.received_generation()), (recorded, 2));
}
