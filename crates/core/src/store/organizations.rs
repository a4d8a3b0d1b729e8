//! Organizations and memberships.

use super::sql::Sql;
use super::values::with_rows;
use super::{Conn, Result, Tx};
use crate::model::event::OrganizationData;
use crate::model::ids::{OrganizationId, SessionId, UserId};
use crate::model::mail_domain::fold;
use crate::model::organization::{MemberRole, OrganizationKind};
use crate::model::time::Time;

#[derive(Clone, Debug)]
pub struct OrganizationRow {
    pub id: OrganizationId,
    pub kind: OrganizationKind,
    pub name: String,
    /// Who created it, while that account exists.
    pub created_by_user_id: Option<UserId>,
    pub created_at: Time,
}

/// A membership seen from the user: the organization and the role in it.
pub struct MembershipRow {
    pub organization_id: OrganizationId,
    pub kind: OrganizationKind,
    pub name: String,
    pub role: MemberRole,
    pub created_at: Time,
}

/// A membership seen from the user, with how many members the organization has.
pub struct CountedMembershipRow {
    pub organization_id: OrganizationId,
    pub kind: OrganizationKind,
    pub name: String,
    pub role: MemberRole,
    /// How many members it has, counted up to [`MOST_COUNTED`].
    pub members: i64,
}

/// As far as the members of a person's organizations are counted.
pub const MOST_COUNTED: i64 = 1000;

macro_rules! naming_user {
    ($($lock:ident($text:literal))?) => {
        dialect_sql!(
            sql("SELECT id FROM organizations WHERE id IN (\
                 SELECT organization_id FROM memberships WHERE user_id = $1 \
                 UNION SELECT id FROM organizations WHERE created_by_user_id = $1 \
                 UNION SELECT organization_id FROM invitations WHERE invited_by_user_id = $1 \
                 UNION SELECT organization_id FROM invitations WHERE finished_by_user_id = $1) ORDER BY id"),
            $($lock($text),)?
        )
    };
}

row!(OrganizationRow { id, kind, name, created_by_user_id, created_at });
row!(MembershipRow { organization_id, kind, name, role, created_at });
row!(CountedMembershipRow { organization_id, kind, name, role, members });

pub(super) const OF_USER: &str = "SELECT m.organization_id, o.kind, o.name, m.role, m.created_at FROM memberships m \
     JOIN organizations o ON o.id = m.organization_id WHERE m.user_id = $1 ORDER BY m.created_at, m.organization_id";

/// The same, with how many members each has, up to `$2`.
pub(super) const COUNTED_OF_USER: &str = "SELECT m.organization_id, o.kind, o.name, m.role, \
     (SELECT count(*) FROM (SELECT 1 FROM memberships c WHERE c.organization_id = m.organization_id LIMIT $2) counted) \
     AS members FROM memberships m JOIN organizations o ON o.id = m.organization_id WHERE m.user_id = $1 \
     ORDER BY m.created_at, m.organization_id";

/// As [`OF_USER`], newest first, after a place in the list.
pub(super) const PAGE_OF_USER: &str = "SELECT m.organization_id, o.kind, o.name, m.role, m.created_at FROM memberships m \
     JOIN organizations o ON o.id = m.organization_id \
     WHERE m.user_id = $1 AND (m.created_at, m.organization_id) < ($2, $3) \
     ORDER BY m.created_at DESC, m.organization_id DESC LIMIT $4";

pub(super) const NAMES_OF_USER: &str = "SELECT o.name FROM memberships m JOIN organizations o \
     ON o.id = m.organization_id WHERE m.user_id = $1 AND o.kind = 'team' ORDER BY m.created_at, m.organization_id \
     LIMIT $2";

pub(super) const BY_NAME: &str = "SELECT id, kind, name, created_by_user_id, created_at FROM organizations \
     WHERE name = $1 ORDER BY id LIMIT $2";

/// The organizations whose rows, or the rows of whose memberships and invitations, name a user.
pub(super) const NAMING_USER: Sql = naming_user!();
const NAMING_USER_LOCKED: Sql = naming_user!(postgres(" FOR NO KEY UPDATE"));

impl From<&OrganizationRow> for OrganizationData {
    fn from(row: &OrganizationRow) -> Self {
        Self {
            organization_id: row.id,
            name: row.name.clone(),
            kind: row.kind,
            created_by_user_id: row.created_by_user_id,
        }
    }
}

/// The most rows of a statement: enough to amortize the round trip, and within the limit of parameters of both
/// databases.
const ROWS: usize = 500;

impl Conn {
    pub async fn organization_find(&mut self, id: OrganizationId) -> Result<Option<OrganizationRow>> {
        let sql = "SELECT id, kind, name, created_by_user_id, created_at FROM organizations WHERE id = $1";
        fetch_optional!(self, sql, id)
    }

    /// At most `limit` organizations with this name, the oldest first.
    pub async fn organizations_find_by_name(&mut self, name: &str, limit: i64) -> Result<Vec<OrganizationRow>> {
        fetch_all!(self, BY_NAME, name, limit)
    }

    /// At most `limit` organizations that a user created, the oldest first.
    pub async fn organizations_created_by(&mut self, user: UserId, limit: i64) -> Result<Vec<OrganizationRow>> {
        let sql = "SELECT id, kind, name, created_by_user_id, created_at FROM organizations \
            WHERE created_by_user_id = $1 ORDER BY id LIMIT $2";
        fetch_all!(self, sql, user, limit)
    }

    /// Every membership of a user, the oldest first.
    pub async fn memberships_of_user(&mut self, user: UserId) -> Result<Vec<MembershipRow>> {
        fetch_all!(self, OF_USER, user)
    }

    /// Every membership of a user, the oldest first, with how many members the organization has.
    pub async fn memberships_of_user_counted(&mut self, user: UserId) -> Result<Vec<CountedMembershipRow>> {
        fetch_all!(self, COUNTED_OF_USER, user, MOST_COUNTED)
    }

    /// At most `limit` memberships of a user, the newest first, after the one of `org` that began at `at`.
    pub async fn memberships_of_user_page(
        &mut self,
        user: UserId,
        at: Time,
        org: OrganizationId,
        limit: i64,
    ) -> Result<Vec<MembershipRow>> {
        fetch_all!(self, PAGE_OF_USER, user, at, org, limit)
    }

    /// The names of at most `limit` teams that a user is a member of, the oldest membership first.
    pub async fn team_names_of_user(&mut self, user: UserId, limit: i64) -> Result<Vec<String>> {
        fetch_scalars!(self, NAMES_OF_USER, user, limit)
    }

    /// The organizations that the deletion of the user's account changes: those where the user is a member, or that the
    /// user created, invited to or answered an invitation of; in the order of their ids.
    pub async fn organizations_referencing_user(&mut self, user: UserId) -> Result<Vec<OrganizationId>> {
        fetch_scalars!(self, NAMING_USER, user)
    }

    /// The organization that a new session of the user starts in: the personal one, else the oldest membership.
    pub async fn membership_default(&mut self, user: UserId) -> Result<Option<MembershipRow>> {
        let sql = "SELECT m.organization_id, o.kind, o.name, m.role, m.created_at FROM memberships m \
            JOIN organizations o ON o.id = m.organization_id WHERE m.user_id = $1 \
            ORDER BY CASE o.kind WHEN 'personal' THEN 0 ELSE 1 END, m.created_at, m.organization_id LIMIT 1";
        fetch_optional!(self, sql, user)
    }

    /// The membership of a session's user in the session's active organization.
    pub async fn membership_of_session(&mut self, session: SessionId) -> Result<Option<MembershipRow>> {
        let sql = "SELECT m.organization_id, o.kind, o.name, m.role, m.created_at FROM sessions s \
            JOIN memberships m ON m.organization_id = s.organization_id AND m.user_id = s.user_id \
            JOIN organizations o ON o.id = m.organization_id WHERE s.id = $1";
        fetch_optional!(self, sql, session)
    }
}

impl Tx {
    pub async fn organization_create(&mut self, org: &OrganizationRow) -> Result<()> {
        let sql = "INSERT INTO organizations \
            (id, kind, name, keyed_name, name_key, created_by_user_id, created_at, updated_at) \
            VALUES ($1, $2, $3, $3, $4, $5, $6, $6)";
        let key = fold(&org.name);
        execute!(self, sql, org.id, org.kind, &org.name, key, org.created_by_user_id, org.created_at).map(drop)
    }

    /// The organization, locked until the end of this transaction against others that change it or its members.
    ///
    /// Lock order: organizations before users, rows of one table in the order of their ids.
    pub async fn organization_lock(&mut self, id: OrganizationId) -> Result<Option<OrganizationRow>> {
        // Not the key column: SQLite would check all rows that refer to it.
        execute!(self, "UPDATE organizations SET updated_at = updated_at WHERE id = $1", id)?;
        self.organization_find(id).await
    }

    /// As [`Conn::organizations_referencing_user`], and locks them as [`Tx::organization_lock`] does, in the order of their
    /// ids. SQLite has one writer at a time anyway.
    pub async fn organizations_lock_naming_user(&mut self, user: UserId) -> Result<Vec<OrganizationId>> {
        fetch_scalars!(self, NAMING_USER_LOCKED, user)
    }

    pub async fn organization_set_name(&mut self, id: OrganizationId, name: &str) -> Result<()> {
        self.invalidates_sessions();
        let now = self.now();
        let sql = "UPDATE organizations SET name = $2, keyed_name = $2, name_key = $3, updated_at = $4 WHERE id = $1";
        execute!(self, sql, id, name, fold(name), now).map(drop)
    }

    /// Removes an organization without members and sessions, with its invitations.
    pub async fn organization_delete(&mut self, id: OrganizationId) -> Result<()> {
        execute!(self, "DELETE FROM organizations WHERE id = $1", id).map(drop)
    }

    /// Stores new organizations, each with its first owner.
    pub async fn organizations_create_owned(&mut self, made: &[(OrganizationRow, UserId)]) -> Result<()> {
        for chunk in made.chunks(ROWS) {
            self.insert_organizations(chunk.iter().map(|(organization, _)| organization)).await?;
            self.insert_owners(chunk.iter().map(|(organization, owner)| (organization.id, *owner))).await?;
        }
        Ok(())
    }

    async fn insert_organizations(&mut self, rows: impl Iterator<Item = &OrganizationRow> + Send) -> Result<()> {
        let sql = "INSERT INTO organizations \
            (id, kind, name, keyed_name, name_key, created_by_user_id, created_at, updated_at) VALUES";
        with_engine!(self, sql, |c, sql| async {
            let mut query = with_rows(sql, rows, |mut row, organization| {
                row.push_bind(organization.id).push_bind(organization.kind);
                row.push_bind(&organization.name).push_bind(&organization.name).push_bind(fold(&organization.name));
                row.push_bind(organization.created_by_user_id);
                row.push_bind(organization.created_at).push_bind(organization.created_at);
            });
            query.build().persistent(false).execute(c).await.map(drop)
        })
    }

    async fn insert_owners(&mut self, rows: impl Iterator<Item = (OrganizationId, UserId)> + Send) -> Result<()> {
        let now = self.now();
        let sql = "INSERT INTO memberships (organization_id, user_id, role, created_at) VALUES";
        with_engine!(self, sql, |c, sql| async {
            let mut query = with_rows(sql, rows, |mut row, (org, owner)| {
                row.push_bind(org).push_bind(owner).push_bind(MemberRole::Owner).push_bind(now);
            });
            query.build().persistent(false).execute(c).await.map(drop)
        })
    }
}
