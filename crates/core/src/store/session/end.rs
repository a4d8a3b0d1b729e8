//! Ending sessions. It increments the version, so that a refresh under way decides again and finds the session ended.

use crate::model::ids::{SessionId, UserId};
use crate::model::provider::ProviderName;
use crate::store::{Result, Tx};

/// Ends those of the matching sessions that have not ended yet.
macro_rules! end_sessions {
    ($which:literal) => {
        concat!(
            "UPDATE sessions SET ended_at = $1, end_reason = $2, version = version + 1 WHERE ended_at IS NULL AND ",
            $which
        )
    };
}

const END_OF_PROVIDER: &str = end_sessions!("provider = $3");

impl Tx {
    /// Ends a session that has this version; `false` means: read again, decide again.
    pub async fn session_end_at_version(&mut self, id: SessionId, version: i64, reason: &'static str) -> Result<bool> {
        self.invalidates_sessions();
        Ok(execute!(self, end_sessions!("id = $3 AND version = $4"), self.now(), reason, id, version)? > 0)
    }

    /// Ends a session and returns its user; `None` if it had ended before.
    pub async fn session_end(&mut self, id: SessionId, reason: &'static str) -> Result<Option<UserId>> {
        self.invalidates_sessions();
        fetch_optional_scalar!(self, end_sessions!("id = $3 RETURNING user_id"), self.now(), reason, id)
    }

    /// Ends a session of this user; `false` if there is none, or it had ended before.
    pub async fn session_end_of_user(&mut self, user: UserId, id: SessionId, reason: &'static str) -> Result<bool> {
        self.invalidates_sessions();
        Ok(execute!(self, end_sessions!("id = $3 AND user_id = $4"), self.now(), reason, id, user)? > 0)
    }

    /// Ends every session of a user; returns how many.
    pub async fn sessions_end_of_user(&mut self, user: UserId, reason: &'static str) -> Result<u64> {
        self.invalidates_sessions();
        execute!(self, end_sessions!("user_id = $3"), self.now(), reason, user)
    }

    /// Ends every session that has not expired; returns how many.
    pub async fn sessions_end_all(&mut self, reason: &'static str) -> Result<u64> {
        self.invalidates_sessions();
        execute!(self, end_sessions!("expires_at > $1"), self.now(), reason)
    }

    /// Ends every session that began with a login by this provider; returns how many.
    pub async fn sessions_end_of_provider(&mut self, provider: &ProviderName, reason: &'static str) -> Result<u64> {
        self.invalidates_sessions();
        execute!(self, END_OF_PROVIDER, self.now(), reason, provider)
    }

    /// Ends every session of a user except one; returns how many.
    pub async fn sessions_end_others(&mut self, user: UserId, keep: SessionId, reason: &'static str) -> Result<u64> {
        self.invalidates_sessions();
        execute!(self, end_sessions!("user_id = $3 AND id <> $4"), self.now(), reason, user, keep)
    }
}

#[cfg(test)]
#[path = "end_tests.rs"]
mod tests;
