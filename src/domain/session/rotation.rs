//! Which refresh tokens are accepted, and when one is replaced: docs/protocol.md 7 as a pure function.

use crate::model::time::Time;
use crate::settings::{Rotation, SessionSettings};
use crate::store::SessionRow;
use std::time::Duration;

/// The settings of refresh token rotation.
#[derive(Clone, Copy, Debug)]
pub struct RotationPolicy {
    /// When the current token is replaced.
    pub rotation: Rotation,
    /// How long a replaced token (the parent) is still accepted.
    pub grace: Duration,
    /// Lifetime of a token.
    pub ttl: Duration,
}

impl From<&SessionSettings> for RotationPolicy {
    fn from(settings: &SessionSettings) -> Self {
        Self { rotation: settings.rotation, grace: settings.grace, ttl: settings.refresh_ttl }
    }
}

/// The decision on a presented token.
#[derive(Clone, Debug)]
pub enum Decision {
    /// Accepted once `next` is written, if it differs from what is stored.
    Accept {
        /// The session's row after the refresh.
        next: Box<SessionRow>,
        /// Whether `next` must be written.
        write: bool,
        /// Whether the response carries the current token of `next`, because it is not the presented one.
        reissue: bool,
    },
    /// Not valid: expired, or of an ended session.
    Refuse,
    /// Not valid: issued after everything that this database knows, so before a restore or a failover with loss, or by
    /// another primary.
    Newer,
    /// Reuse of a token that was replaced before: someone has a copy.
    Reuse,
}

/// Decides on a token of `generation`, already verified as authentic, by the state of the session.
pub fn decide(session: &SessionRow, generation: i64, policy: &RotationPolicy, now: Time) -> Decision {
    let live = session.ended_at.is_none() && session.disabled_at.is_none() && now < session.expires_at;
    if !live || generation < 1 {
        return Decision::Refuse;
    }
    if generation > session.generation {
        return Decision::Newer;
    }
    if generation == session.generation {
        decide_current(session, policy, now)
    } else if session.parent_generation == Some(generation) {
        decide_parent(session, policy, now)
    } else {
        Decision::Reuse
    }
}

fn decide_current(session: &SessionRow, policy: &RotationPolicy, now: Time) -> Decision {
    if now >= session.issued_at + policy.ttl {
        return Decision::Refuse;
    }
    let due = match policy.rotation {
        Rotation::Always => true,
        Rotation::Never => false,
        Rotation::After(age) => now >= session.issued_at + age,
    };
    let mut next = Box::new(session.clone());
    next.last_used_at = now;
    if due && !in_grace(session, policy, now) {
        next.parent_generation = Some(session.generation);
        next.parent_issued_at = Some(session.issued_at);
        replace_token(&mut next, now);
        return Decision::Accept { next, write: true, reissue: true };
    }
    next.used = true;
    let write = !session.used || now.since(session.last_used_at) >= crate::store::LAST_USE_PRECISION;
    Decision::Accept { next, write, reissue: false }
}

fn decide_parent(session: &SessionRow, policy: &RotationPolicy, now: Time) -> Decision {
    if in_grace(session, policy, now) {
        return Decision::Accept { next: Box::new(session.clone()), write: false, reissue: true };
    }
    if session.used {
        return Decision::Reuse;
    }
    // The replacement was never used: the response was lost. It is withdrawn for a new one.
    if session.parent_issued_at.is_none_or(|issued_at| now >= issued_at + policy.ttl) {
        return Decision::Refuse;
    }
    let mut next = Box::new(session.clone());
    next.last_used_at = now;
    replace_token(&mut next, now);
    Decision::Accept { next, write: true, reissue: true }
}

fn replace_token(next: &mut SessionRow, now: Time) {
    next.generation += 1;
    next.issued_at = now;
    next.replaced_at = Some(now);
    next.used = false;
}

fn in_grace(session: &SessionRow, policy: &RotationPolicy, now: Time) -> bool {
    session.replaced_at.is_some_and(|at| now < at + policy.grace)
}

#[cfg(test)]
#[path = "rotation_tests.rs"]
mod tests;
