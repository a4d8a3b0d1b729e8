//! Lists of organizations, members and invitations, newest first; of a search, in the order of the names.

use super::sql::{Sql, end_of_prefix};
use super::{Conn, InvitationRow, MemberRow, Result};
use crate::model::ids::{InvitationId, OrganizationId, UserId};
use crate::model::organization::OrganizationKind;
use crate::model::time::Time;

pub struct CountedOrganizationRow {
    pub id: OrganizationId,
    pub kind: OrganizationKind,
    pub name: String,
    /// Who created it, while that account exists.
    pub created_by_user_id: Option<UserId>,
    pub created_at: Time,
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

pub(super) const BEGINNING: &str =
    select_counted!("WHERE (o.name_key, o.id) > ($1, $2) AND o.name_key < $3 ORDER BY o.name_key, o.id LIMIT $4");

pub(super) const MEMBERS: &str = select_member!(
    "WHERE m.organization_id = $1 AND (m.created_at, m.user_id) < ($2, $3) \
     ORDER BY m.created_at DESC, m.user_id DESC LIMIT $4"
);
/// Looks at the newest thousand members, which are all of most organizations, and at the first thousand users whose address
/// or name begins so: no search costs more, however many members and users there are. What is left out are members of a
/// large organization where thousands of users begin so.
macro_rules! search_members {
    ($engine:ident) => {
        concat!(
            member_columns!(),
            "(SELECT user_id FROM (SELECT user_id FROM memberships WHERE organization_id = $1 \
             AND (created_at, user_id) < ($2, $3) ORDER BY created_at DESC, user_id DESC LIMIT 1000) newest UNION \
             SELECT id FROM (SELECT id FROM users WHERE ",
            begins!($engine "email_key", "$5", "$6"),
            " ORDER BY ",
            by_bytes!($engine "email_key"),
            " LIMIT 1000) by_email UNION SELECT id FROM (SELECT id FROM users WHERE ",
            begins!($engine "username_key", "$5", "$6"),
            " ORDER BY ",
            by_bytes!($engine "username_key"),
            // `CROSS JOIN` has SQLite begin with what was found.
            " LIMIT 1000) by_username) f \
             CROSS JOIN memberships m CROSS JOIN users u WHERE m.organization_id = $1 AND m.user_id = f.user_id \
             AND u.id = f.user_id AND (m.created_at, m.user_id) < ($2, $3) AND ((",
            begins!($engine "u.email_key", "$5", "$6"),
            ") OR (",
            begins!($engine "u.username_key", "$5", "$6"),
            ")) ORDER BY m.created_at DESC, m.user_id DESC LIMIT $4"
        )
    };
}

pub(super) const MEMBERS_SEARCH: Sql = Sql { sqlite: search_members!(sqlite), postgres: search_members!(postgres) };

macro_rules! select_invitations {
    ($rest:literal) => {
        concat!(
            "SELECT id, organization_id, email, email_key, role, metadata, proves_address, FALSE AS by_mailed_link, \
             invited_by_user_id, state, created_at, expires_at, finished_at, finished_by_user_id FROM invitations \
             WHERE organization_id = $1 AND ",
            $rest
        )
    };
}

pub(super) const INVITATIONS: &str = select_invitations!("id < $2 ORDER BY id DESC LIMIT $3");
/// By the index of the open ones, then sorted: an organization has few of them, and may have many others. The condition on
/// the address, which none lacks, has SQLite take that index.
pub(super) const OPEN_INVITATIONS: &str = select_invitations!(
    "state = 'pending' AND email_key > '' AND (created_at, id) < ($4, $2) ORDER BY created_at DESC, id DESC LIMIT $3"
);

impl Conn {
    /// The organization with this id, with the number of its members.
    pub async fn organization_counted(&mut self, id: OrganizationId) -> Result<Option<CountedOrganizationRow>> {
        fetch_optional!(self, select_counted!("WHERE o.id = $1"), id)
    }

    /// At most `limit` organizations, the newest first, after the one with this time and id.
    pub async fn organizations_list(
        &mut self,
        (at, id): (Time, OrganizationId),
        limit: i64,
    ) -> Result<Vec<CountedOrganizationRow>> {
        fetch_all!(self, ORGANIZATIONS, at, id, limit)
    }

    /// At most `limit` organizations whose key begins with `prefix`, in the order of their keys, after this place.
    pub async fn organizations_beginning(
        &mut self,
        prefix: &str,
        (key, id): (&str, OrganizationId),
        limit: i64,
    ) -> Result<Vec<CountedOrganizationRow>> {
        fetch_all!(self, BEGINNING, key, id, end_of_prefix(prefix), limit)
    }

    /// At most `limit` members, who joined last first, after the one with this time and id; those whose folded email
    /// address or username begins with `prefix`, if there is one.
    pub async fn members_list(
        &mut self,
        org: OrganizationId,
        prefix: Option<&str>,
        (at, user): (Time, UserId),
        limit: i64,
    ) -> Result<Vec<MemberRow>> {
        match prefix {
            None => fetch_all!(self, MEMBERS, org, at, user, limit),
            Some(prefix) => fetch_all!(self, MEMBERS_SEARCH, org, at, user, limit, prefix, end_of_prefix(prefix)),
        }
    }

    /// At most `limit` invitations, the newest first, after the one with this time and id; the id alone would do, as ids
    /// grow with the time of creation. With `only_open` those that are pending, or have expired without an answer.
    pub async fn invitations_list(
        &mut self,
        org: OrganizationId,
        only_open: bool,
        (at, id): (Time, InvitationId),
        limit: i64,
    ) -> Result<Vec<InvitationRow>> {
        if only_open {
            fetch_all!(self, OPEN_INVITATIONS, org, id, limit, at)
        } else {
            fetch_all!(self, INVITATIONS, org, id, limit)
        }
    }
}
