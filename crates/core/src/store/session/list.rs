//! The sessions of one user, as the user sees and ends them.

use crate::model::auth_method::AuthMethods;
use crate::model::ids::{OrganizationId, SessionId, UserId};
use crate::model::time::Time;
use crate::store::{Conn, Result};

/// A session as its user sees it.
pub struct SessionSummary {
    pub id: SessionId,
    /// The browser's description of itself, as far as it was kept.
    pub user_agent: String,
    pub address: String,
    pub created_at: Time,
    /// Last use, to within a minute.
    pub last_used_at: Time,
    pub ended_at: Option<Time>,
    pub end_reason: Option<String>,
}

row!(SessionSummary { id, user_agent, address, created_at, last_used_at, ended_at, end_reason });

/// A live session as an application's backend sees it.
pub struct SessionDetailsRow {
    pub id: SessionId,
    pub created_at: Time,
    /// When the user last proved who they are; [`Time::NEVER`]: not in this session.
    pub authenticated_at: Time,
    /// Last use, to within a minute.
    pub last_used_at: Time,
    pub expires_at: Time,
    /// The browser's description of itself, as far as it was kept.
    pub user_agent: String,
    pub address: String,
    pub organization_id: OrganizationId,
    pub methods: AuthMethods,
}

row!(SessionDetailsRow {
    id,
    created_at,
    authenticated_at,
    last_used_at,
    expires_at,
    user_agent,
    address,
    organization_id,
    methods,
});

macro_rules! live_sessions {
    ($which:literal) => {
        concat!(
            "SELECT id, created_at, authenticated_at, last_used_at, expires_at, user_agent, address, \
             organization_id, methods FROM sessions WHERE user_id = $1 AND ended_at IS NULL AND expires_at > $2 \
             AND issued_at > $3 AND ",
            $which
        )
    };
}

const PAGE: &str = live_sessions!("(created_at, id) < ($4, $5) ORDER BY created_at DESC, id DESC LIMIT $6");
const ONE: &str = live_sessions!("id = $4");

impl Conn {
    /// At most `limit` live sessions of a user, the newest first, after the one with this time and id: not ended, not
    /// expired at `now`, and with a refresh token issued after `issued_after`.
    pub async fn sessions_live_page(
        &mut self,
        user: UserId,
        (at, id): (Time, SessionId),
        (now, issued_after): (Time, Time),
        limit: i64,
    ) -> Result<Vec<SessionDetailsRow>> {
        fetch_all!(self, PAGE, user, now, issued_after, at, id, limit)
    }

    /// A live session of a user, as in a page of them.
    pub async fn session_live(
        &mut self,
        user: UserId,
        session: SessionId,
        (now, issued_after): (Time, Time),
    ) -> Result<Option<SessionDetailsRow>> {
        fetch_optional!(self, ONE, user, now, issued_after, session)
    }

    /// Whether a user has this session, and it has not ended.
    pub async fn session_is_open(&mut self, user: UserId, session: SessionId) -> Result<bool> {
        let sql = "SELECT id FROM sessions WHERE id = $1 AND user_id = $2 AND ended_at IS NULL";
        let found: Option<SessionId> = fetch_optional_scalar!(self, sql, session, user)?;
        Ok(found.is_some())
    }

    /// At most `limit` sessions of a user, ended ones too, the newest first.
    pub async fn sessions_latest(&mut self, user: UserId, limit: i64) -> Result<Vec<SessionSummary>> {
        let sql = "SELECT id, user_agent, address, created_at, last_used_at, ended_at, end_reason FROM sessions \
            WHERE user_id = $1 ORDER BY created_at DESC LIMIT $2";
        fetch_all!(self, sql, user, limit)
    }

    /// The user's latest session that was ended because a replaced refresh token came back, since `since`.
    pub async fn session_reuse_since(&mut self, user: UserId, since: Time) -> Result<Option<Time>> {
        let sql = "SELECT ended_at FROM sessions \
            WHERE user_id = $1 AND end_reason = 'reuse' AND ended_at > $2 ORDER BY ended_at DESC LIMIT 1";
        fetch_optional_scalar!(self, sql, user, since)
    }
}

#[cfg(test)]
#[path = "list_tests.rs"]
mod tests;
