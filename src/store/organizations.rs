//! Organizations and memberships.

use super::{Conn, Result, Tx};
use crate::clock::Time;
use crate::domain::ids::{OrganizationId, SessionId, UserId};
use crate::domain::organizations::{MemberRole, OrganizationKind};

/// A stored organization.
pub struct OrganizationRow {
    /// The organization's id.
    pub id: OrganizationId,
    /// What it is for.
    pub kind: OrganizationKind,
    /// Its name.
    pub name: String,
    /// Who made it, while that account exists.
    pub created_by_user_id: Option<UserId>,
    /// When it was made.
    pub created_at: Time,
}

/// A membership seen from the user: the organization and the role in it.
pub struct MembershipRow {
    /// The organization's id.
    pub organization_id: OrganizationId,
    /// What the organization is for.
    pub kind: OrganizationKind,
    /// The organization's name.
    pub name: String,
    /// The user's role in it.
    pub role: MemberRole,
}

row!(MembershipRow { organization_id, kind, name, role });

impl Conn {
    /// The organization that a new session of the user starts in: the personal one, else the oldest membership.
    pub async fn membership_default(&mut self, user: UserId) -> Result<Option<MembershipRow>> {
        on!(self, |c| {
            sqlx::query_as(
                "SELECT m.organization_id, o.kind, o.name, m.role FROM memberships m \
                 JOIN organizations o ON o.id = m.organization_id WHERE m.user_id = $1 \
                 ORDER BY CASE o.kind WHEN 'personal' THEN 0 ELSE 1 END, m.created_at, m.organization_id LIMIT 1",
            )
            .bind(user)
            .fetch_optional(c)
        })
    }

    /// The membership of a session's user in the session's active organization.
    pub async fn membership_of_session(&mut self, session: SessionId) -> Result<Option<MembershipRow>> {
        on!(self, |c| {
            sqlx::query_as(
                "SELECT m.organization_id, o.kind, o.name, m.role FROM sessions s \
                 JOIN memberships m ON m.organization_id = s.organization_id AND m.user_id = s.user_id \
                 JOIN organizations o ON o.id = m.organization_id WHERE s.id = $1",
            )
            .bind(session)
            .fetch_optional(c)
        })
    }
}

impl Tx {
    /// Stores a new organization.
    pub async fn organization_create(&mut self, org: &OrganizationRow) -> Result<()> {
        changed!(self, |c| {
            sqlx::query(
                "INSERT INTO organizations (id, kind, name, created_by_user_id, created_at, updated_at) \
                 VALUES ($1, $2, $3, $4, $5, $5)",
            )
            .bind(org.id)
            .bind(org.kind)
            .bind(&org.name)
            .bind(org.created_by_user_id)
            .bind(org.created_at)
        })?;
        Ok(())
    }

    /// Makes a user a member.
    pub async fn membership_create(&mut self, org: OrganizationId, user: UserId, role: MemberRole) -> Result<()> {
        let now = self.now();
        changed!(self, |c| {
            sqlx::query("INSERT INTO memberships (organization_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)")
                .bind(org)
                .bind(user)
                .bind(role)
                .bind(now)
        })?;
        Ok(())
    }
}
