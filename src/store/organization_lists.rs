//! Organizations, members and invitations as applications' backends list them: newest first.

use super::{Conn, InvitationRow, MemberRow, Result};
use crate::model::ids::{InvitationId, OrganizationId, UserId};
use crate::model::organization::OrganizationKind;
use crate::model::time::Time;

/// An organization with the number of its members.
pub struct CountedOrganizationRow {
    /// The organization's id.
    pub id: OrganizationId,
    /// What it is for.
    pub kind: OrganizationKind,
    /// Its name.
    pub name: String,
    /// Who created it, while that account exists.
    pub created_by_user_id: Option<UserId>,
    /// When it was created.
    pub created_at: Time,
    /// How many members it has.
    pub members: i64,
}

row!(CountedOrganizationRow { id, kind, name, created_by_user_id, created_at, members });

macro_rules! select_counted {
    ($rest:literal) => {
        concat!(
            "SELECT o.id, o.kind, o.name, o.created_by_user_id, o.created_at, \
             (SELECT count(*) FROM memberships m WHERE m.organization_id = o.id) AS members FROM organizations o ",
            $rest
        )
    };
}

pub(super) const ORGANIZATIONS: &str =
    select_counted!("WHERE (o.created_at, o.id) < ($1, $2) ORDER BY o.created_at DESC, o.id DESC LIMIT $3");
pub(super) const MEMBERS: &str = "SELECT m.user_id, u.username, u.email, m.role, m.created_at FROM memberships m \
    JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1 AND (m.created_at, m.user_id) < ($2, $3) \
    ORDER BY m.created_at DESC, m.user_id DESC LIMIT $4";
pub(super) const INVITATIONS: &str = "SELECT id, organization_id, email, email_key, role, metadata, proves_address, \
    FALSE AS by_mailed_link, invited_by_user_id, state, created_at, expires_at, finished_at, finished_by_user_id \
    FROM invitations WHERE organization_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3";

impl Conn {
    /// The organization with this id, with the number of its members.
    pub async fn organization_counted(&mut self, id: OrganizationId) -> Result<Option<CountedOrganizationRow>> {
        with_engine!(self, |c| sqlx::query_as(select_counted!("WHERE o.id = $1")).bind(id).fetch_optional(c))
    }

    /// At most `limit` organizations, the newest first, after the one with this time and id.
    pub async fn organizations_list(
        &mut self,
        (at, id): (Time, OrganizationId),
        limit: i64,
    ) -> Result<Vec<CountedOrganizationRow>> {
        with_engine!(self, |c| sqlx::query_as(ORGANIZATIONS).bind(at).bind(id).bind(limit).fetch_all(c))
    }

    /// At most `limit` members, who joined last first, after the one with this time and id.
    pub async fn members_list(
        &mut self,
        org: OrganizationId,
        (at, user): (Time, UserId),
        limit: i64,
    ) -> Result<Vec<MemberRow>> {
        with_engine!(self, |c| sqlx::query_as(MEMBERS).bind(org).bind(at).bind(user).bind(limit).fetch_all(c))
    }

    /// At most `limit` invitations, the newest first, after the one with this id: ids grow with the
    /// time of creation, to the microsecond.
    pub async fn invitations_list(
        &mut self,
        org: OrganizationId,
        after: InvitationId,
        limit: i64,
    ) -> Result<Vec<InvitationRow>> {
        with_engine!(self, |c| sqlx::query_as(INVITATIONS).bind(org).bind(after).bind(limit).fetch_all(c))
    }
}
