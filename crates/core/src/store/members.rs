//! The members of an organization.

use super::sql::Sql;
use super::{Conn, Result, Tx};
use crate::model::ids::{OrganizationId, UserId};
use crate::model::organization::MemberRole;
use crate::model::time::Time;

#[derive(Clone, Debug)]
pub struct MemberRow {
    pub user_id: UserId,
    pub username: String,
    pub email: String,
    pub name: Option<String>,
    pub role: MemberRole,
    pub created_at: Time,
}

row!(MemberRow { user_id, username, email, name, role, created_at });

macro_rules! member_columns {
    () => {
        "SELECT m.user_id, u.username, u.email, u.name, m.role, m.created_at FROM "
    };
}

macro_rules! select_member {
    ($rest:literal) => {
        concat!(member_columns!(), "memberships m JOIN users u ON u.id = m.user_id ", $rest)
    };
}

pub(super) const ROLES_PAGE: &str = "SELECT user_id, role FROM memberships WHERE organization_id = $1 AND user_id > $2 \
     ORDER BY user_id LIMIT $3";
pub(super) const WITH_EMAIL: &str = "SELECT m.user_id FROM users u \
     JOIN memberships m ON m.user_id = u.id AND m.organization_id = $1 WHERE u.email_key = $2";
const LOCK: Sql = dialect_sql!(postgres(
    "SELECT u.id FROM users u WHERE u.id IN (SELECT user_id FROM memberships WHERE organization_id = $1) \
     ORDER BY u.id FOR NO KEY UPDATE"
));
pub(super) const OTHER_OWNER: &str =
    "SELECT user_id FROM memberships WHERE organization_id = $1 AND role = 'owner' AND user_id <> $2 LIMIT 1";
pub(super) const OF_THIS_ONLY: &str = select_member!(
    "WHERE m.organization_id = $1 AND m.user_id > $2 AND NOT EXISTS (SELECT 1 FROM memberships o \
     WHERE o.user_id = m.user_id AND o.organization_id <> m.organization_id) ORDER BY m.user_id LIMIT $3"
);

impl Conn {
    pub async fn member_role(&mut self, org: OrganizationId, user: UserId) -> Result<Option<MemberRole>> {
        let sql = "SELECT role FROM memberships WHERE organization_id = $1 AND user_id = $2";
        fetch_optional_scalar!(self, sql, org, user)
    }

    pub async fn member_find(&mut self, org: OrganizationId, user: UserId) -> Result<Option<MemberRow>> {
        fetch_optional!(self, select_member!("WHERE m.organization_id = $1 AND m.user_id = $2"), org, user)
    }

    /// Whether a member has this folded email address, by the same statement whether or not there is such an account.
    pub async fn member_has_email(&mut self, org: OrganizationId, email_key: &str) -> Result<bool> {
        let found: Option<UserId> = fetch_optional_scalar!(self, WITH_EMAIL, org, email_key)?;
        Ok(found.is_some())
    }

    /// At most `limit` members after `after`, in the order of their ids, with their roles alone.
    pub async fn member_roles_page(
        &mut self,
        org: OrganizationId,
        after: UserId,
        limit: i64,
    ) -> Result<Vec<(UserId, MemberRole)>> {
        fetch_all!(self, ROLES_PAGE, org, after, limit)
    }

    pub async fn member_others_exist(&mut self, org: OrganizationId, user: UserId) -> Result<bool> {
        let sql = "SELECT user_id FROM memberships WHERE organization_id = $1 AND user_id <> $2 LIMIT 1";
        let found: Option<UserId> = fetch_optional_scalar!(self, sql, org, user)?;
        Ok(found.is_some())
    }

    pub async fn member_other_owner_exists(&mut self, org: OrganizationId, user: UserId) -> Result<bool> {
        let found: Option<UserId> = fetch_optional_scalar!(self, OTHER_OWNER, org, user)?;
        Ok(found.is_some())
    }

    /// At most `limit` members after `after` who are in no other organization, with their usernames.
    pub async fn members_of_this_only(
        &mut self,
        org: OrganizationId,
        after: UserId,
        limit: i64,
    ) -> Result<Vec<MemberRow>> {
        fetch_all!(self, OF_THIS_ONLY, org, after, limit)
    }
}

impl Tx {
    /// Locks every member's user, in one order for all transactions, so that no other membership of theirs begins or
    /// ends meanwhile. SQLite has one writer at a time anyway.
    pub async fn members_lock(&mut self, org: OrganizationId) -> Result<()> {
        if self.is_sqlite() {
            return Ok(());
        }
        execute!(self, LOCK, org).map(drop)
    }

    pub async fn membership_create(&mut self, org: OrganizationId, user: UserId, role: MemberRole) -> Result<()> {
        let sql = "INSERT INTO memberships (organization_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)";
        execute!(self, sql, org, user, role, self.now()).map(drop)
    }

    pub async fn membership_set_role(&mut self, org: OrganizationId, user: UserId, role: MemberRole) -> Result<()> {
        self.invalidates_sessions();
        let sql = "UPDATE memberships SET role = $3 WHERE organization_id = $1 AND user_id = $2";
        execute!(self, sql, org, user, role).map(drop)
    }

    pub async fn membership_delete(&mut self, org: OrganizationId, user: UserId) -> Result<()> {
        self.invalidates_sessions();
        execute!(self, "DELETE FROM memberships WHERE organization_id = $1 AND user_id = $2", org, user).map(drop)
    }

    pub async fn memberships_delete_all(&mut self, org: OrganizationId) -> Result<()> {
        self.invalidates_sessions();
        execute!(self, "DELETE FROM memberships WHERE organization_id = $1", org).map(drop)
    }
}
