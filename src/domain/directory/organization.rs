//! Organizations.

use super::list::{ListRange, Listing};
use crate::model::ids::{OrganizationId, UserId};
use crate::model::list_place::ListPlace;
use crate::model::organization::OrganizationKind;
use crate::model::time::Time;
use crate::store::{Conn, CountedOrganizationRow, Result};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// An organization.
#[derive(Serialize, ToSchema)]
#[schema(as = Organization)]
pub struct OrganizationRecord {
    /// The organization's id.
    #[schema(value_type = String, format = "uuid")]
    pub id: OrganizationId,
    /// Its name.
    #[schema(example = "Engine Works")]
    pub name: String,
    /// What it is for.
    pub kind: OrganizationKind,
    /// Who created it; null once that account is deleted.
    #[schema(value_type = Option<String>, format = "uuid", required = true)]
    pub created_by_user_id: Option<UserId>,
    /// When it was created.
    #[schema(value_type = String, format = DateTime, example = "2026-01-31T09:30:00.000000Z")]
    pub created_at: Time,
    /// How many members it has.
    #[schema(example = 3)]
    pub members: i64,
}

impl From<CountedOrganizationRow> for OrganizationRecord {
    fn from(row: CountedOrganizationRow) -> Self {
        let CountedOrganizationRow { id, kind, name, created_by_user_id, created_at, members } = row;
        Self { id, name, kind, created_by_user_id, created_at, members }
    }
}

pub async fn find(conn: &mut Conn, id: OrganizationId) -> Result<Option<OrganizationRecord>> {
    Ok(conn.organization_counted(id).await?.map(OrganizationRecord::from))
}

/// Lists organizations that were searched for: the one with an id, or those with a whole name.
pub async fn named(conn: &mut Conn, text: &str, range: ListRange) -> Result<Listing<OrganizationRecord>> {
    if let Ok(id) = Uuid::try_parse(text) {
        let data = find(conn, OrganizationId(id)).await?.into_iter().collect();
        return Ok(Listing { data, next: None, is_cut: false });
    }
    let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // No name has such a character, and PostgreSQL stores none.
    if name.contains('\0') {
        return Ok(Listing { data: Vec::new(), next: None, is_cut: false });
    }
    let rows = conn.organizations_named(&name, OrganizationId(range.after.id), range.rows()).await?;
    Ok(range.listing(rows, place, OrganizationRecord::from))
}

fn place(row: &CountedOrganizationRow) -> ListPlace {
    ListPlace { at: row.created_at, id: row.id.0 }
}

pub async fn list(conn: &mut Conn, range: ListRange) -> Result<Listing<OrganizationRecord>> {
    let after = (range.after.at, OrganizationId(range.after.id));
    let rows = conn.organizations_list(after, range.rows()).await?;
    Ok(range.listing(rows, place, OrganizationRecord::from))
}
