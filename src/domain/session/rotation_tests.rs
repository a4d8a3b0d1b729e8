#![expect(clippy::panic, reason = "a test may fail loudly")]

use super::*;
use crate::model::auth_method::AuthMethods;
use crate::model::ids::{OrganizationId, SessionId, UserId};
use crate::model::organization::MemberRole;
use crate::model::roles::Roles;
use crate::model::session_view::SessionView;
use proptest::prelude::*;
use std::sync::Arc;
use uuid::Uuid;

const GRACE: Duration = Duration::from_secs(30);
const TTL: Duration = Duration::from_hours(336);
const START: Time = Time::from_micros(1_800_000_000_000_000);

fn policy(rotation: Rotation) -> RotationPolicy {
    RotationPolicy { rotation, grace: GRACE, ttl: TTL }
}

fn view() -> SessionView {
    SessionView {
        user_id: UserId(Uuid::nil()),
        email: Box::default(),
        username: Box::default(),
        name: None,
        external_id: None,
        roles: Roles::NONE,
        email_verified: true,
        disabled_at: None,
        created_at: START,
        second_factor: false,
        organization_id: OrganizationId(Uuid::nil()),
        organization_role: Some(MemberRole::Owner),
        organization_name: None,
        organization_kind: None,
        opened_at: START,
        methods: AuthMethods::NONE,
        last_used_at: START,
        authenticated_at: START,
        expires_at: START + Duration::from_hours(1440),
        ended_at: None,
        received_generation: 1,
    }
}

fn session(view: SessionView) -> SessionRow {
    let tokens = RefreshTokens {
        generation: 1,
        issued_at: START,
        used: false,
        parent_generation: None,
        parent_issued_at: None,
        replaced_at: None,
    };
    SessionRow::new(SessionId(Uuid::nil()), view, [0; 16], tokens, 1)
}

/// What the client that presents a token gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Accepted; the generation of the token to use next.
    Accepted(i64),
    Refused,
    Stolen,
}

struct Fixture {
    row: SessionRow,
    policy: RotationPolicy,
    now: Time,
}

impl Fixture {
    fn new(rotation: Rotation) -> Self {
        Self { row: session(view()), policy: policy(rotation), now: START }
    }

    fn advance(&mut self, time: Duration) {
        self.now = self.now + time;
    }

    fn present(&mut self, generation: i64) -> Outcome {
        match decide(&self.row, generation, &self.policy, self.now) {
            Decision::Accept { next, write, reissue, .. } => {
                if write {
                    self.row = *next;
                    self.row.version += 1;
                }
                Outcome::Accepted(if reissue { self.row.tokens.generation } else { generation })
            }
            Decision::Refuse | Decision::Newer => Outcome::Refused,
            Decision::Reuse => {
                let ended = SessionView { ended_at: Some(self.now), ..SessionView::clone(&self.row) };
                self.row.view = Arc::new(ended.into());
                Outcome::Stolen
            }
        }
    }
}

impl Fixture {
    /// An access token that was issued with the refresh token of this generation is seen.
    fn see(&mut self, generation: i64) {
        if generation == self.row.tokens.generation {
            self.row.tokens.used = true;
            self.row.version += 1;
        }
    }
}

const AFTER_GRACE: Duration = Duration::from_secs(31);

#[test]
fn refresh_replaces_current_token() {
    let mut fixture = Fixture::new(Rotation::Always);
    assert_eq!(fixture.present(1), Outcome::Accepted(2));
    assert_eq!(fixture.row.tokens.parent_generation, Some(1));
}

#[test]
fn parent_within_grace_returns_current_token() {
    let mut fixture = Fixture::new(Rotation::Always);
    fixture.present(1);
    fixture.advance(GRACE.saturating_sub(Duration::from_secs(1)));
    assert_eq!(fixture.present(1), Outcome::Accepted(2));
}

#[test]
fn current_token_is_not_replaced_within_grace() {
    let mut fixture = Fixture::new(Rotation::Always);
    fixture.present(1);
    assert_eq!(fixture.present(2), Outcome::Accepted(2));
    assert!(fixture.row.tokens.used);
    fixture.advance(GRACE);
    assert_eq!(fixture.present(2), Outcome::Accepted(3));
}

#[test]
fn unused_replacement_is_reissued_after_each_lost_response() {
    let mut fixture = Fixture::new(Rotation::Always);
    fixture.present(1);
    for generation in 3..6 {
        fixture.advance(AFTER_GRACE);
        assert_eq!(fixture.present(1), Outcome::Accepted(generation));
    }
    assert_eq!(fixture.present(5), Outcome::Accepted(5));
}

#[test]
fn parent_of_used_token_after_grace_is_theft() {
    let mut fixture = Fixture::new(Rotation::Always);
    fixture.present(1);
    fixture.present(2);
    fixture.advance(AFTER_GRACE);
    assert_eq!(fixture.present(1), Outcome::Stolen);
    assert_eq!(fixture.present(2), Outcome::Refused);
}

#[test]
fn parent_after_grace_is_theft_once_access_token_was_seen() {
    let mut fixture = Fixture::new(Rotation::Always);
    fixture.present(1);
    fixture.see(2);
    assert_eq!(fixture.present(1), Outcome::Accepted(2), "within the grace nothing changes");
    fixture.advance(AFTER_GRACE);
    assert_eq!(fixture.present(1), Outcome::Stolen);
}

#[test]
fn access_token_of_parent_proves_nothing() {
    let mut fixture = Fixture::new(Rotation::Always);
    fixture.present(1);
    fixture.see(1);
    fixture.advance(AFTER_GRACE);
    assert_eq!(fixture.present(1), Outcome::Accepted(3));
}

#[test]
fn withdrawn_token_is_theft() {
    let mut fixture = Fixture::new(Rotation::Always);
    fixture.present(1);
    fixture.advance(AFTER_GRACE);
    fixture.present(1);
    assert_eq!(fixture.present(2), Outcome::Stolen);
}

#[test]
fn grandparent_within_grace_is_theft() {
    let mut fixture = Fixture::new(Rotation::Always);
    fixture.present(1);
    fixture.advance(AFTER_GRACE);
    fixture.present(2);
    assert_eq!(fixture.present(1), Outcome::Stolen);
}

#[test]
fn token_newer_than_stored_is_refused_without_ending_session() {
    let mut fixture = Fixture::new(Rotation::Always);
    assert_eq!(fixture.present(2), Outcome::Refused);
    assert_eq!(fixture.present(0), Outcome::Refused);
    assert_eq!(fixture.present(1), Outcome::Accepted(2));
}

#[test]
fn expired_token_is_refused_without_ending_session() {
    let mut fixture = Fixture::new(Rotation::Never);
    fixture.advance(TTL);
    assert_eq!(fixture.present(1), Outcome::Refused);
    assert_eq!(fixture.row.ended_at, None);
}

#[test]
fn expired_parent_with_lost_response_is_refused() {
    let mut fixture = Fixture::new(Rotation::Always);
    fixture.advance(TTL.saturating_sub(Duration::from_secs(1)));
    fixture.present(1);
    fixture.advance(AFTER_GRACE);
    assert_eq!(fixture.present(1), Outcome::Refused);
}

#[test]
fn token_is_kept_under_never_and_before_rotation_age() {
    let mut never = Fixture::new(Rotation::Never);
    let mut aged = Fixture::new(Rotation::After(Duration::from_hours(1)));
    for fixture in [&mut never, &mut aged] {
        assert_eq!(fixture.present(1), Outcome::Accepted(1));
        fixture.advance(Duration::from_hours(1));
    }
    assert_eq!(never.present(1), Outcome::Accepted(1));
    assert_eq!(aged.present(1), Outcome::Accepted(2));
}

#[test]
fn token_of_ended_session_or_disabled_user_is_refused() {
    for view in [
        SessionView { ended_at: Some(START), ..view() },
        SessionView { disabled_at: Some(START), ..view() },
        SessionView { expires_at: START, ..view() },
        SessionView { organization_role: None, ..view() },
    ] {
        let mut fixture = Fixture::new(Rotation::Always);
        fixture.row = session(view);
        assert_eq!(fixture.present(1), Outcome::Refused);
    }
}

#[derive(Clone, Copy, Debug)]
enum Delivery {
    Arrives,
    Lost,
}

fn rotations() -> impl Strategy<Value = Rotation> {
    prop_oneof![
        3 => Just(Rotation::Always),
        1 => Just(Rotation::Never),
        1 => (1_u64..7200).prop_map(|seconds| Rotation::After(Duration::from_secs(seconds))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Tabs of one browser share their cookies. Whatever they send concurrently, whichever responses are lost, and
    /// however often the application asks with what arrived, they are never logged out as long as they return before their
    /// token expires.
    #[test]
    fn concurrent_tabs_with_lost_responses_stay_logged_in(
        rotation in rotations(),
        steps in prop::collection::vec(
            (0_u64..400_000, 1_usize..4, prop::sample::select(vec![Delivery::Arrives, Delivery::Lost]), any::<bool>()),
            1..60),
    ) {
        // No token expires, to test only the rotation.
        let mut fixture = Fixture::new(rotation);
        fixture.policy.ttl = Duration::from_hours(1_000_000);
        let endless = SessionView { expires_at: START + Duration::from_hours(1_000_000), ..view() };
        fixture.row = session(endless);
        let mut cookie = 1;
        for (seconds, parallel, delivery, asks) in steps {
            fixture.advance(Duration::from_secs(seconds));
            let presented = cookie;
            if asks {
                // The access token came with the refresh token.
                fixture.see(cookie);
            }
            for _ in 0..parallel {
                let outcome = fixture.present(presented);
                let Outcome::Accepted(token) = outcome else { panic!("logged out: {:?}", fixture.row) };
                if matches!(delivery, Delivery::Arrives) {
                    cookie = token;
                }
            }
        }
        prop_assert_eq!(fixture.row.ended_at, None);
    }

    /// A thief copies a cookie at any time. If the owner's application has asked with what came after it, the first use of
    /// the copy outside of the grace ends the session.
    #[test]
    fn copy_from_before_seen_token_ends_session_at_once(
        before in prop::collection::vec((31_u64..100_000, any::<bool>()), 0..10),
        lost in 0_usize..3,
        gap in 31_u64..100_000,
    ) {
        let mut fixture = Fixture::new(Rotation::Always);
        let mut owner = 1;
        for (seconds, asks) in before {
            fixture.advance(Duration::from_secs(seconds));
            let Outcome::Accepted(token) = fixture.present(owner) else { panic!("logged out") };
            owner = token;
            if asks {
                fixture.see(owner);
            }
        }
        let copy = owner;
        for _ in 0..lost {
            fixture.advance(AFTER_GRACE);
            fixture.present(owner);
        }
        fixture.advance(AFTER_GRACE);
        let Outcome::Accepted(token) = fixture.present(owner) else { panic!("logged out") };
        fixture.see(token);
        fixture.advance(Duration::from_secs(gap));
        prop_assert_eq!(fixture.present(copy), Outcome::Stolen);
    }

    /// A thief copies the cookie at any time. Once owner and thief have alternated outside of the grace, the session
    /// has ended: the copy is good for at most one refresh.
    #[test]
    fn session_shared_with_thief_ends_within_two_refreshes(
        before in prop::collection::vec(0_u64..100_000, 0..10),
        thief_first in any::<bool>(),
        gaps in prop::collection::vec(31_u64..100_000, 6),
    ) {
        let mut fixture = Fixture::new(Rotation::Always);
        let mut owner = 1;
        for seconds in before {
            fixture.advance(Duration::from_secs(seconds));
            let Outcome::Accepted(token) = fixture.present(owner) else { panic!("logged out") };
            owner = token;
        }
        let mut holders = [owner, owner];
        let mut holder = usize::from(thief_first);
        let mut steps = 0;
        for seconds in gaps {
            fixture.advance(Duration::from_secs(seconds));
            match fixture.present(holders[holder]) {
                Outcome::Accepted(token) => holders[holder] = token,
                Outcome::Stolen => break,
                Outcome::Refused => panic!("refused without detection"),
            }
            holder = 1 - holder;
            steps += 1;
        }
        prop_assert!(fixture.row.ended_at.is_some());
        prop_assert!(steps <= 2, "found only after {} steps", steps);
    }

    /// A token that is neither the current one nor the parent is never accepted, whatever happened before.
    #[test]
    fn only_current_and_parent_tokens_are_accepted(
        steps in prop::collection::vec((0_u64..100, 0_i64..12), 1..80),
    ) {
        let mut fixture = Fixture::new(Rotation::Always);
        for (seconds, generation) in steps {
            fixture.advance(Duration::from_secs(seconds));
            let (current, parent) = (fixture.row.tokens.generation, fixture.row.tokens.parent_generation);
            let ended = fixture.row.ended_at.is_some();
            if let Outcome::Accepted(_) = fixture.present(generation) {
                prop_assert!(!ended && (generation == current || Some(generation) == parent));
            }
        }
    }
}
