//! Which refresh tokens are accepted, and when one is replaced: docs/reference/api-v1.md 7 as a pure function.

use crate::metrics::RefreshVerdict;
use crate::model::time::Time;
use crate::settings::{Rotation, SessionSettings};
use crate::store::{RefreshTokens, SessionRow};
use std::time::Duration;

#[derive(Clone, Copy, Debug)]
pub struct RotationPolicy {
    pub rotation: Rotation,
    /// How long a replaced token (the parent) is still accepted.
    pub grace: Duration,
    pub ttl: Duration,
}

impl From<&SessionSettings> for RotationPolicy {
    fn from(settings: &SessionSettings) -> Self {
        Self { rotation: settings.rotation, grace: settings.grace, ttl: settings.refresh_ttl }
    }
}

#[derive(Clone, Debug)]
pub enum Decision {
    /// Accepted once `next` is written, if it differs from what is stored.
    Accept {
        next: Box<SessionRow>,
        /// Whether `next` must be written.
        write: bool,
        /// Whether the response carries the current token of `next`, because it is not the presented one.
        reissue: bool,
        verdict: RefreshVerdict,
    },
    /// Not valid: expired, or of an ended session.
    Refuse,
    /// Not valid: issued after everything that this database knows, so before a restore or a failover with loss, or by
    /// another primary.
    Newer,
    /// Reuse of a token that was replaced before: someone has a copy.
    Reuse,
}

/// What a session's tokens say of a presented one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenState {
    /// It is the current one, and a refresh would replace it if it is due.
    Current {
        due: bool,
    },
    /// It was replaced a moment ago, and gets the current one again.
    InGrace,
    /// It was replaced, and the replacement never arrived.
    AnswerLost,
    Expired,
    Newer,
    Reused,
}

/// Evaluates a token of `generation`, already verified as authentic, by the tokens of its session, which is live.
pub fn evaluate(tokens: &RefreshTokens, generation: i64, policy: &RotationPolicy, now: Time) -> TokenState {
    if generation < 1 {
        TokenState::Expired
    } else if generation > tokens.generation {
        TokenState::Newer
    } else if generation == tokens.generation {
        evaluate_current(tokens, policy, now)
    } else if tokens.parent_generation == Some(generation) {
        evaluate_parent(tokens, policy, now)
    } else {
        TokenState::Reused
    }
}

fn evaluate_current(tokens: &RefreshTokens, policy: &RotationPolicy, now: Time) -> TokenState {
    if now >= tokens.issued_at + policy.ttl {
        return TokenState::Expired;
    }
    let due = match policy.rotation {
        Rotation::Always => true,
        Rotation::Never => false,
        Rotation::After(age) => now >= tokens.issued_at + age,
    };
    TokenState::Current { due: due && !in_grace(tokens, policy, now) }
}

fn evaluate_parent(tokens: &RefreshTokens, policy: &RotationPolicy, now: Time) -> TokenState {
    if in_grace(tokens, policy, now) {
        TokenState::InGrace
    } else if tokens.used {
        TokenState::Reused
    } else if tokens.parent_issued_at.is_none_or(|issued_at| now >= issued_at + policy.ttl) {
        TokenState::Expired
    } else {
        TokenState::AnswerLost
    }
}

fn in_grace(tokens: &RefreshTokens, policy: &RotationPolicy, now: Time) -> bool {
    tokens.replaced_at.is_some_and(|at| now < at + policy.grace)
}

/// Decides on a token of `generation`, already verified as authentic, by the state of the session.
pub fn decide(session: &SessionRow, generation: i64, policy: &RotationPolicy, now: Time) -> Decision {
    if !session.is_live(now) || session.organization_role.is_none() {
        return Decision::Refuse;
    }
    let accept = |tokens, write, reissue, verdict| {
        let last_used_at = if write { now } else { session.last_used_at };
        let mut next = Box::new(session.clone());
        (next.tokens, next.last_used_at) = (tokens, last_used_at);
        Decision::Accept { next, write, reissue, verdict }
    };
    let tokens = &session.tokens;
    match evaluate(tokens, generation, policy, now) {
        TokenState::Current { due: true } => {
            let (parent_generation, parent_issued_at) = (Some(tokens.generation), Some(tokens.issued_at));
            let presented = RefreshTokens { parent_generation, parent_issued_at, ..*tokens };
            accept(replaced(&presented, now), true, true, RefreshVerdict::Replaced)
        }
        TokenState::Current { due: false } => {
            let write = !tokens.used || now.since(session.last_used_at) >= crate::store::LAST_USE_PRECISION;
            accept(RefreshTokens { used: true, ..*tokens }, write, false, RefreshVerdict::Kept)
        }
        TokenState::InGrace => accept(*tokens, false, true, RefreshVerdict::Grace),
        // The replacement was never used: it is withdrawn for a new one.
        TokenState::AnswerLost => accept(replaced(tokens, now), true, true, RefreshVerdict::LostAnswer),
        TokenState::Expired => Decision::Refuse,
        TokenState::Newer => Decision::Newer,
        TokenState::Reused => Decision::Reuse,
    }
}

fn replaced(tokens: &RefreshTokens, now: Time) -> RefreshTokens {
    RefreshTokens { generation: tokens.generation + 1, issued_at: now, replaced_at: Some(now), used: false, ..*tokens }
}

#[cfg(test)]
#[path = "rotation_tests.rs"]
mod tests;
