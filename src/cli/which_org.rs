//! The organization that a person names: by its id, or by its name.

use super::failure::Failure;
use super::format;
use crate::domain::organization::lookup;
use crate::model::ids::OrganizationId;
use crate::model::mail_domain::in_letters;
use crate::model::principal::{Operation, Principal};
use crate::store::{OrganizationRow, Store};
use uuid::Uuid;

const MAX_SHOWN: usize = 10;

/// Finds the organization. What has the form of an id is never taken for a name: a name is chosen by its owner, who could
/// take another organization's id.
pub(super) async fn find(store: &Store, which: &str) -> Result<OrganizationRow, Failure> {
    if let Ok(id) = Uuid::try_parse(which.trim()) {
        return Ok(lookup::find(store, &Principal::operator(), OrganizationId(id)).await?);
    }
    let limit = 1 + i64::try_from(MAX_SHOWN).unwrap_or(i64::MAX);
    let mut found = lookup::find_by_name(store, &Principal::operator(), which, limit).await?;
    match found.len() {
        0 => Err(Failure::Refused(format!("there is no organization with the ID or exact name \"{which}\""))),
        1 => Ok(found.remove(0)),
        _ => Err(ambiguous(store, which, &found).await?),
    }
}

async fn ambiguous(store: &Store, which: &str, found: &[OrganizationRow]) -> Result<Failure, Failure> {
    let mut rows = Vec::new();
    for row in found.iter().take(MAX_SHOWN) {
        let creator = match row.created_by_user_id {
            Some(user) => store.read(&Principal::operator(), Operation::FindUsers).await?.user_find(user).await?,
            None => None,
        };
        let creator = creator.map_or_else(|| "unknown".to_owned(), |user| in_letters(&user.email).into_owned());
        rows.push([row.id.to_string(), row.kind.as_str().to_owned(), row.created_at.to_string(), creator]);
    }
    let table = format::table(["id", "kind", "created", "by"], rows);
    let more = if found.len() > MAX_SHOWN { "\nThere are more: doorward org list" } else { "" };
    Ok(Failure::Refused(format!("several organizations have the name \"{which}\"; give the id of one\n{table}{more}")))
}
