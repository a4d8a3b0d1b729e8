//! The shared context of a process, for every request, command and background task.

use crate::clock::Clock;
use crate::crypto::access_token::TokenVerifier;
use crate::crypto::hashing_pool::HashingPool;
use crate::crypto::secret_keys::SecretKeys;
use crate::rate_limit::RateLimiter;
use crate::settings::Settings;
use crate::store::{FailedAttempts, LastUse, Store};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::Notify;

/// The shared context of a process. [`boot::app`](crate::boot::app) builds it.
pub struct App {
    /// The settings from the environment.
    pub settings: Settings,
    /// The injected clock.
    pub clock: Clock,
    /// The database.
    pub store: Store,
    /// The keys from `SVC_SECRET_KEY`.
    pub secret_keys: SecretKeys,
    /// The threads that hash passwords, with a bounded queue.
    pub passwords: HashingPool,
    /// Signs and verifies access tokens.
    pub tokens: TokenVerifier,
    /// Last use of sessions, not written yet.
    pub last_use: LastUse,
    /// Failed attempts not written to the audit log yet.
    pub failed_attempts: FailedAttempts,
    /// Counts attempts and refuses those beyond the limits.
    pub rate_limiter: RateLimiter,
    /// How many refresh tokens were presented that are newer than the database knows.
    pub newer_refresh_tokens: AtomicU64,
    /// What the gate has answered.
    pub gate: GateCounts,
    /// The settings that were last reported to differ from those of other processes.
    pub reported_differences: Mutex<String>,
    /// Notified when a password reset was requested.
    pub reset_requested: Notify,
}

/// How the gate ended a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum GateOutcome {
    /// It passes.
    Passed,
    /// It needs a login.
    Login,
    /// It needs a recent login, or a second factor.
    StepUp,
    /// It is sent to renew the tokens.
    Renewal,
    /// The user may not.
    Forbidden,
    /// The database is away.
    Away,
    /// The rules cannot be read, or something is broken.
    Error,
}

impl GateOutcome {
    /// Every outcome with its label in the metrics.
    pub const ALL: [(GateOutcome, &'static str); 7] = [
        (GateOutcome::Passed, "passed"),
        (GateOutcome::Login, "login"),
        (GateOutcome::StepUp, "step_up"),
        (GateOutcome::Renewal, "renewal"),
        (GateOutcome::Forbidden, "forbidden"),
        (GateOutcome::Away, "away"),
        (GateOutcome::Error, "error"),
    ];
}

/// What the gate of this process has answered since its start.
#[derive(Debug, Default)]
pub struct GateCounts {
    outcomes: [AtomicU64; GateOutcome::ALL.len()],
    replaced_tokens: AtomicU64,
}

impl GateCounts {
    /// Counts an answer.
    pub fn count(&self, outcome: GateOutcome) {
        self.outcomes[outcome as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a refresh token that was replaced before, and so is nobody's.
    pub fn count_replaced_token(&self) {
        self.replaced_tokens.fetch_add(1, Ordering::Relaxed);
    }

    /// The answers with this outcome.
    pub fn of(&self, outcome: GateOutcome) -> u64 {
        self.outcomes[outcome as usize].load(Ordering::Relaxed)
    }

    /// The refresh tokens that were replaced before.
    pub fn replaced_tokens(&self) -> u64 {
        self.replaced_tokens.load(Ordering::Relaxed)
    }
}
