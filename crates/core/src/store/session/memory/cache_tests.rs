#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::model::auth_method::AuthMethods;
use crate::model::ids::{OrganizationId, UserId};
use crate::model::roles::{PlatformRole, Roles};
use crate::store::RefreshTokens;
use std::time::Duration;

const SESSION: SessionId = SessionId(Uuid::from_u128(1));
const USER: UserId = UserId(Uuid::from_u128(2));
const ORGANIZATION: OrganizationId = OrganizationId(Uuid::from_u128(4));
const OTHER: UserId = UserId(Uuid::from_u128(3));

fn view() -> SessionView {
    let now = Time::from_micros(1_800_000_000_000_000);
    SessionView {
        user_id: USER,
        email: "ada@example.com".into(),
        username: "ada".into(),
        name: None,
        external_id: None,
        roles: Roles::NONE,
        email_verified: true,
        disabled_at: None,
        created_at: now,
        second_factor: false,
        organization_id: ORGANIZATION,
        organization_role: None,
        organization_name: None,
        organization_kind: None,
        opened_at: now,
        methods: AuthMethods::NONE,
        authenticated_at: Time::from_micros(0),
        last_used_at: now,
        expires_at: now,
        ended_at: None,
        received_generation: 1,
    }
}

fn row() -> SessionRow {
    let issued_at = Time::from_micros(1_800_000_000_000_000);
    let tokens = RefreshTokens {
        generation: 1,
        issued_at,
        used: false,
        parent_generation: None,
        parent_issued_at: None,
        replaced_at: None,
    };
    SessionRow::new(SESSION, view(), [0; 16], tokens, 1)
}

fn cache() -> SessionCache {
    SessionCache::new(StalenessBounds::POSTGRES)
}

#[test]
fn change_of_session_user_organization_or_unknown_invalidates_entry() {
    let cache = cache();
    for (changes, valid) in [
        (Some(vec![]), true),
        (Some(vec![SessionChange::User(OTHER)]), true),
        (Some(vec![SessionChange::Session(SESSION)]), false),
        (Some(vec![SessionChange::User(OTHER), SessionChange::User(USER)]), false),
        (Some(vec![SessionChange::Organization(ORGANIZATION)]), false),
        (None, false),
    ] {
        cache.keep(&cache.start_read(), row());
        assert!(cache.view(SESSION).is_some() && cache.recent(SESSION).is_some());
        cache.apply(changes.as_deref());
        assert_eq!((cache.view(SESSION).is_some(), cache.recent(SESSION).is_some()), (valid, valid), "{changes:?}");
        assert!(cache.last(SESSION).is_some(), "what it was last may still be proposed");
    }
}

#[test]
fn session_read_before_change_is_not_kept() {
    let cache = cache();
    // A request reads; a change commits and is polled; then the request keeps what it read.
    let started = cache.start_read();
    cache.apply(Some(&[SessionChange::Session(SESSION)]));
    cache.keep(&started, row());
    assert!(cache.view(SESSION).is_none() && cache.last(SESSION).is_none());
    let ended = SessionView { ended_at: Some(Time::from_micros(1)), ..view() };
    cache.keep(&cache.start_read(), SessionRow::new(SESSION, ended, [0; 16], row().tokens, 1));
    assert!(cache.view(SESSION).is_none());
}

#[test]
fn tokens_that_were_replaced_here_outlive_an_older_read() {
    let cache = cache();
    let started = cache.start_read();
    let kept = cache.keep(&started, row());
    let mut next = kept.clone();
    next.tokens.generation = 2;
    cache.replace_tokens(next, cache.now());
    // A read that began before the refresh is slower than it.
    cache.keep(&started, row());
    let recent = cache.recent(SESSION).unwrap();
    assert_eq!((recent.tokens.generation, recent.version), (2, 2));
    assert!(Arc::ptr_eq(&recent.view, &kept.view), "what it shows is the same");
    let used = |generation, version| UsedSession {
        id: SESSION,
        generation,
        used: true,
        version,
        last_used_at: kept.last_used_at,
    };
    cache.mark_used(&used(1, 3));
    assert!(!cache.last(SESSION).unwrap().tokens.used, "the token before");
    cache.mark_used(&used(2, 3));
    let marked = cache.last(SESSION).unwrap();
    assert!(marked.tokens.used && marked.version == 3, "the database's version");
    cache.mark_used(&used(2, 4));
    assert!(cache.last(SESSION).is_none(), "something else has changed");
}

/// Another process has changed the user, and no poll has reported it yet.
#[test]
fn session_is_returned_as_it_was_read() {
    let cache = cache();
    let before = cache.keep(&cache.start_read(), row());
    let admin = SessionView { roles: [PlatformRole::Admin].into_iter().collect(), ..view() };
    let read = cache.keep(&cache.start_read(), SessionRow::new(SESSION, admin.clone(), [0; 16], row().tokens, 1));
    assert_eq!((read.roles, cache.view(SESSION).unwrap().roles), (admin.roles, admin.roles));
    assert!(!Arc::ptr_eq(&read.view, &before.view));
    let again = cache.keep(&cache.start_read(), SessionRow::new(SESSION, admin, [0; 16], row().tokens, 1));
    assert!(Arc::ptr_eq(&read.view, &again.view), "what shows the same is the same");
}

#[tokio::test(start_paused = true)]
async fn tokens_count_for_less_than_a_second() {
    let cache = cache();
    cache.keep(&cache.start_read(), row());
    let half = Duration::from_millis(450);
    tokio::time::advance(half).await;
    assert!(cache.recent(SESSION).is_some());
    // Read ahead, with the version that it has, and with another.
    assert_eq!(cache.asked(), [(SESSION, 1)]);
    cache.confirm(SESSION, 1, cache.now());
    tokio::time::advance(half).await;
    cache.confirm(SESSION, 2, cache.now());
    assert!(cache.recent(SESSION).is_some());
    tokio::time::advance(half).await;
    assert!(cache.recent(SESSION).is_none());
    assert!(cache.view(SESSION).is_some(), "what it shows does not age");
    tokio::time::advance(Duration::from_secs(6)).await;
    assert_eq!(cache.asked(), []);
}

#[test]
fn last_use_never_moves_back() {
    let session = KnownSession::from(view());
    let recorded = session.last_used() + Duration::from_mins(1);
    session.set_last_used(recorded, 2);
    session.set_last_used(recorded - Duration::from_secs(1), 1);
    assert_eq!((session.last_used(), session.received_generation()), (recorded, 2));
}

/// Else the connections of a start would be closed, with commits that wait on them.
#[test]
fn first_server_is_no_other_server() {
    let cache = cache();
    let [first, second] = [1, 2].map(|at| Some(Time::from_micros(at)));
    assert!(!cache.set_server(first));
    assert!(!cache.set_server(first));
    assert!(cache.set_server(second));
}
