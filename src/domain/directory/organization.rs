//! Organizations.

use super::list::{ListRange, Listing};
use crate::domain::identity::visible_name::single_spaced;
use crate::model::ids::{OrganizationId, UserId};
use crate::model::list_place::ListPlace;
use crate::model::mail_domain::fold;
use crate::model::organization::OrganizationKind;
use crate::model::time::Time;
use crate::store::{Conn, CountedOrganizationRow, Result};
use serde::Serialize;
use std::fmt;
use utoipa::ToSchema;
use uuid::Uuid;

/// Organizations of a page of a search.
const PAGE: i64 = 50;

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

/// After what a page of a search begins: a name as it is compared, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePlace {
    key: String,
    id: OrganizationId,
}

impl NamePlace {
    /// Reads a place as it is shown.
    pub fn parse(text: &str) -> Option<Self> {
        let (id, key) = text.split_once('-')?;
        Some(Self { key: key.to_owned(), id: OrganizationId(Uuid::try_parse(id).ok()?) })
    }
}

impl fmt::Display for NamePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.id.0.simple(), self.key)
    }
}

/// A page of the organizations that were searched for, and after what the next one begins.
pub type FoundPage = (Vec<OrganizationRecord>, Option<NamePlace>);

/// Finds the organization with an id, or a page of those whose name begins with a text, in the order of their names. A
/// place of another search begins with the first page.
pub async fn search(conn: &mut Conn, text: &str, after: Option<NamePlace>) -> Result<FoundPage> {
    if let Ok(id) = Uuid::try_parse(text) {
        return Ok((find(conn, OrganizationId(id)).await?.into_iter().collect(), None));
    }
    let prefix = fold(&single_spaced(text));
    let place = after.filter(|after| after.key.starts_with(&prefix));
    let NamePlace { key, id } =
        place.unwrap_or_else(|| NamePlace { key: prefix.clone(), id: OrganizationId(Uuid::nil()) });
    // No name has such a character, and PostgreSQL stores none.
    if key.contains('\0') {
        return Ok((Vec::new(), None));
    }
    let mut rows = conn.organizations_beginning(&prefix, (&key, id), PAGE + 1).await?;
    let has_more = i64::try_from(rows.len()).is_ok_and(|found| found > PAGE);
    if has_more {
        rows.pop();
    }
    let next = rows.last().filter(|_| has_more).map(|row| NamePlace { key: fold(&row.name), id: row.id });
    Ok((rows.into_iter().map(OrganizationRecord::from).collect(), next))
}

fn place(row: &CountedOrganizationRow) -> ListPlace {
    ListPlace { at: row.created_at, id: row.id.0 }
}

pub async fn list(conn: &mut Conn, range: ListRange) -> Result<Listing<OrganizationRecord>> {
    let after = (range.after.at, OrganizationId(range.after.id));
    let rows = conn.organizations_list(after, range.rows()).await?;
    Ok(range.listing(rows, place, OrganizationRecord::from))
}
