//! Members of an organization.

use super::list::{ListRange, Listing};
use super::search::Search;
use crate::model::ids::{OrganizationId, UserId};
use crate::model::list_place::ListPlace;
use crate::model::organization::MemberRole;
use crate::model::time::Time;
use crate::model::user_label::UserLabel;
use crate::store::{Conn, MemberRow, Result};
use serde::Serialize;
use utoipa::ToSchema;

/// A member of an organization.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Member)]
pub struct MemberRecord {
    /// The user.
    #[schema(value_type = String, format = "uuid")]
    pub user_id: UserId,
    /// Email address.
    #[schema(example = "ada@example.com")]
    pub email: String,
    /// Username.
    #[schema(example = "ada")]
    pub username: String,
    /// For pages alone: the record of applications is as it was.
    #[serde(skip)]
    pub name: Option<String>,
    /// What the member may do.
    pub role: MemberRole,
    /// When the membership began.
    #[schema(value_type = String, format = DateTime, example = "2026-01-31T09:30:00.000000Z")]
    pub joined_at: Time,
}

impl MemberRecord {
    pub fn label(&self) -> UserLabel<'_> {
        UserLabel::new(self.name.as_deref(), &self.email, &self.username)
    }
}

impl From<MemberRow> for MemberRecord {
    fn from(row: MemberRow) -> Self {
        let MemberRow { user_id, username, email, name, role, created_at } = row;
        Self { user_id, email, username, name, role, joined_at: created_at }
    }
}

pub async fn find(conn: &mut Conn, org: OrganizationId, user: UserId) -> Result<Option<MemberRecord>> {
    Ok(conn.member_find(org, user).await?.map(MemberRecord::from))
}

/// Lists members, who joined last first; with a search those that it finds.
pub async fn list(
    conn: &mut Conn,
    org: OrganizationId,
    search: Option<&Search>,
    range: ListRange,
) -> Result<Listing<MemberRecord>> {
    let prefix = match search {
        Some(Search::Id(id)) => {
            let found = conn.member_find(org, *id).await?;
            return Ok(Listing {
                data: found.into_iter().map(MemberRecord::from).collect(),
                next: None,
                is_cut: false,
            });
        }
        Some(Search::Prefix(prefix)) => Some(prefix.as_str()),
        None => None,
    };
    let after = (range.after.at, UserId(range.after.id));
    let rows = conn.members_list(org, prefix, after, range.rows()).await?;
    let place = |row: &MemberRow| ListPlace { at: row.created_at, id: row.user_id.0 };
    Ok(range.listing(rows, place, MemberRecord::from))
}
