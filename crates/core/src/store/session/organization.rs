//! The active organization of sessions.

use crate::model::ids::{OrganizationId, SessionId, UserId};
use crate::store::{Result, Tx};

/// Moves sessions to the organization that [`crate::store::Conn::membership_default`] returns. The version is incremented, so
/// that a refresh under way decides again and its token names the new organization.
macro_rules! move_sessions {
    ($where:literal) => {
        concat!(
            "UPDATE sessions SET version = version + 1, organization_id = (\
             SELECT m.organization_id FROM memberships m JOIN organizations o ON o.id = m.organization_id \
             WHERE m.user_id = sessions.user_id \
             ORDER BY CASE o.kind WHEN 'personal' THEN 0 ELSE 1 END, m.created_at, m.organization_id LIMIT 1) ",
            $where
        )
    };
}

impl Tx {
    /// Makes an organization the active one of a session; `false` if it is already, or the session has ended.
    pub async fn session_set_organization(&mut self, session: SessionId, org: OrganizationId) -> Result<bool> {
        self.invalidates_sessions();
        let sql = "UPDATE sessions SET organization_id = $2, version = version + 1 \
            WHERE id = $1 AND organization_id <> $2 AND ended_at IS NULL";
        Ok(execute!(self, sql, session, org)? > 0)
    }

    /// Moves the user's sessions out of an organization that the user has left.
    pub async fn sessions_leave(&mut self, org: OrganizationId, user: UserId) -> Result<()> {
        self.invalidates_sessions();
        execute!(self, move_sessions!("WHERE user_id = $1 AND organization_id = $2"), user, org).map(drop)
    }

    /// Moves all sessions out of an organization without members.
    pub async fn sessions_leave_all(&mut self, org: OrganizationId) -> Result<()> {
        self.invalidates_sessions();
        execute!(self, move_sessions!("WHERE organization_id = $1"), org).map(drop)
    }
}
