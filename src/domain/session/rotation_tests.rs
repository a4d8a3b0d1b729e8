#![expect(clippy::panic, reason = "a test may fail loudly")]

use super::*;
use crate::model::ids::{OrganizationId, SessionId, UserId};
use crate::model::organization::MemberRole;
use crate::model::roles::Roles;
use proptest::prelude::*;
use uuid::Uuid;

const GRACE: Duration = Duration::from_secs(30);
const TTL: Duration = Duration::from_hours(336);
const START: Time = Time::from_micros(1_800_000_000_000_000);

fn policy(rotation: Rotation) -> Policy {
    Policy { rotation, grace: GRACE, ttl: TTL }
}

fn session() -> SessionRow {
    SessionRow {
        id: SessionId(Uuid::nil()),
        user_id: UserId(Uuid::nil()),
        organization_id: OrganizationId(Uuid::nil()),
        organization_role: MemberRole::Owner,
        roles: Roles::NONE,
        disabled_at: None,
        nonce: Vec::new(),
        generation: 1,
        issued_at: START,
        used: false,
        parent_generation: None,
        parent_issued_at: None,
        replaced_at: None,
        version: 1,
        last_used_at: START,
        expires_at: START + Duration::from_hours(1440),
        ended_at: None,
    }
}

/// What the presenter of a token sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// Accepted; the token to go on with.
    Accepted(i64),
    Refused,
    Stolen,
}

/// A session in the database, with a clock.
struct World {
    row: SessionRow,
    policy: Policy,
    now: Time,
}

impl World {
    fn new(rotation: Rotation) -> Self {
        Self { row: session(), policy: policy(rotation), now: START }
    }

    fn wait(&mut self, time: Duration) {
        self.now = self.now + time;
    }

    fn present(&mut self, generation: i64) -> Answer {
        match decide(&self.row, generation, &self.policy, self.now) {
            Decision::Accept { next, write, reissue } => {
                if write {
                    self.row = *next;
                    self.row.version += 1;
                }
                Answer::Accepted(if reissue { self.row.generation } else { generation })
            }
            Decision::Refuse => Answer::Refused,
            Decision::Theft => {
                self.row.ended_at = Some(self.now);
                Answer::Stolen
            }
        }
    }
}

const BEYOND: Duration = Duration::from_secs(31);

#[test]
fn a_refresh_replaces_the_token() {
    let mut world = World::new(Rotation::Always);
    assert_eq!(world.present(1), Answer::Accepted(2));
    assert_eq!(world.row.parent_generation, Some(1));
}

#[test]
fn the_replaced_token_is_answered_with_the_new_one_within_the_grace() {
    let mut world = World::new(Rotation::Always);
    world.present(1);
    world.wait(GRACE.saturating_sub(Duration::from_secs(1)));
    assert_eq!(world.present(1), Answer::Accepted(2));
}

#[test]
fn the_new_token_is_kept_while_the_grace_runs() {
    let mut world = World::new(Rotation::Always);
    world.present(1);
    assert_eq!(world.present(2), Answer::Accepted(2));
    assert!(world.row.used);
    world.wait(GRACE);
    assert_eq!(world.present(2), Answer::Accepted(3));
}

#[test]
fn a_lost_answer_is_given_again_as_often_as_needed() {
    let mut world = World::new(Rotation::Always);
    world.present(1);
    for generation in 3..6 {
        world.wait(BEYOND);
        assert_eq!(world.present(1), Answer::Accepted(generation));
    }
    assert_eq!(world.present(5), Answer::Accepted(5));
}

#[test]
fn the_parent_of_a_used_token_is_theft_after_the_grace() {
    let mut world = World::new(Rotation::Always);
    world.present(1);
    world.present(2);
    world.wait(BEYOND);
    assert_eq!(world.present(1), Answer::Stolen);
    assert_eq!(world.present(2), Answer::Refused);
}

#[test]
fn a_withdrawn_token_is_theft() {
    let mut world = World::new(Rotation::Always);
    world.present(1);
    world.wait(BEYOND);
    world.present(1);
    assert_eq!(world.present(2), Answer::Stolen);
}

#[test]
fn a_grandparent_is_theft_also_within_the_grace() {
    let mut world = World::new(Rotation::Always);
    world.present(1);
    world.wait(BEYOND);
    world.present(2);
    assert_eq!(world.present(1), Answer::Stolen);
}

#[test]
fn a_token_newer_than_the_database_is_refused_and_ends_nothing() {
    let mut world = World::new(Rotation::Always);
    assert_eq!(world.present(2), Answer::Refused);
    assert_eq!(world.present(0), Answer::Refused);
    assert_eq!(world.present(1), Answer::Accepted(2));
}

#[test]
fn an_expired_token_is_refused_and_ends_nothing() {
    let mut world = World::new(Rotation::Never);
    world.wait(TTL);
    assert_eq!(world.present(1), Answer::Refused);
    assert_eq!(world.row.ended_at, None);
}

#[test]
fn an_expired_parent_does_not_come_back_by_the_rule_of_the_lost_answer() {
    let mut world = World::new(Rotation::Always);
    world.wait(TTL.saturating_sub(Duration::from_secs(1)));
    world.present(1);
    world.wait(BEYOND);
    assert_eq!(world.present(1), Answer::Refused);
}

#[test]
fn never_keeps_the_token_and_an_age_keeps_it_until_then() {
    let mut never = World::new(Rotation::Never);
    let mut aged = World::new(Rotation::After(Duration::from_hours(1)));
    for world in [&mut never, &mut aged] {
        assert_eq!(world.present(1), Answer::Accepted(1));
        world.wait(Duration::from_hours(1));
    }
    assert_eq!(never.present(1), Answer::Accepted(1));
    assert_eq!(aged.present(1), Answer::Accepted(2));
}

#[test]
fn ended_sessions_and_disabled_users_are_refused() {
    for spoil in [
        (|row| row.ended_at = Some(START)) as fn(&mut SessionRow),
        |row| row.disabled_at = Some(START),
        |row| row.expires_at = START,
    ] {
        let mut world = World::new(Rotation::Always);
        spoil(&mut world.row);
        assert_eq!(world.present(1), Answer::Refused);
    }
}

/// What happens to an answer on its way.
#[derive(Clone, Copy, Debug)]
enum Way {
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

    /// Two tabs of one browser share their cookies. Whatever they send at the same time, and whatever answers are lost,
    /// they are never logged out while they come back before their token expires.
    #[test]
    fn honest_tabs_are_never_logged_out(
        rotation in rotations(),
        steps in prop::collection::vec(
            (0_u64..400_000, 1_usize..4, prop::sample::select(vec![Way::Arrives, Way::Lost])), 1..60),
    ) {
        // No token expires: what is left is the rotation.
        let mut world = World::new(rotation);
        world.policy.ttl = Duration::from_hours(1_000_000);
        world.row.expires_at = START + Duration::from_hours(1_000_000);
        let mut cookie = 1;
        for (seconds, parallel, way) in steps {
            world.wait(Duration::from_secs(seconds));
            let presented = cookie;
            for _ in 0..parallel {
                let Answer::Accepted(token) = world.present(presented) else { panic!("logged out: {:?}", world.row) };
                if matches!(way, Way::Arrives) {
                    cookie = token;
                }
            }
        }
        prop_assert_eq!(world.row.ended_at, None);
    }

    /// A thief copies the cookie at any time. Once owner and thief have alternated outside of the grace, the session
    /// is over: the copy is worth one step at most.
    #[test]
    fn a_shadowing_thief_is_found(
        before in prop::collection::vec(0_u64..100_000, 0..10),
        thief_first in any::<bool>(),
        gaps in prop::collection::vec(31_u64..100_000, 6),
    ) {
        let mut world = World::new(Rotation::Always);
        let mut owner = 1;
        for seconds in before {
            world.wait(Duration::from_secs(seconds));
            let Answer::Accepted(token) = world.present(owner) else { panic!("logged out") };
            owner = token;
        }
        let mut holders = [owner, owner];
        let mut turn = usize::from(thief_first);
        let mut steps = 0;
        for seconds in gaps {
            world.wait(Duration::from_secs(seconds));
            match world.present(holders[turn]) {
                Answer::Accepted(token) => holders[turn] = token,
                Answer::Stolen => break,
                Answer::Refused => panic!("refused without detection"),
            }
            turn = 1 - turn;
            steps += 1;
        }
        prop_assert!(world.row.ended_at.is_some());
        prop_assert!(steps <= 2, "found only after {} steps", steps);
    }

    /// Nobody who presents a token that was never the current or the parent gets in, whatever happened before.
    #[test]
    fn only_current_and_parent_are_ever_accepted(
        steps in prop::collection::vec((0_u64..100, 0_i64..12), 1..80),
    ) {
        let mut world = World::new(Rotation::Always);
        for (seconds, generation) in steps {
            world.wait(Duration::from_secs(seconds));
            let (current, parent) = (world.row.generation, world.row.parent_generation);
            let ended = world.row.ended_at.is_some();
            if let Answer::Accepted(_) = world.present(generation) {
                prop_assert!(!ended && (generation == current || Some(generation) == parent));
            }
        }
    }
}
