//! The invitation that a person names: by its id, or by the address, if one invitation waits for it.

use super::failure::Failure;
use crate::domain::organization::lookup;
use crate::model::ids::InvitationId;
use crate::model::mail_domain;
use crate::model::organization::InvitationState;
use crate::model::principal::{Operation, Principal};
use crate::store::{InvitationRow, Store};
use uuid::Uuid;

/// More than anybody is invited to.
const MAX_COMPARED: i64 = 1000;

pub(super) async fn find(store: &Store, which: &str) -> Result<InvitationRow, Failure> {
    if let Ok(id) = Uuid::try_parse(which.trim()) {
        return Ok(lookup::find_invitation(store, &Principal::operator(), InvitationId(id)).await?);
    }
    let key = mail_domain::key(which);
    let mut conn = store.read(&Principal::operator(), Operation::ListOrganizations).await?;
    let mut found = conn.invitations_received(&key, MAX_COMPARED).await?;
    found.retain(|row| row.state == InvitationState::Pending);
    if found.len() > 1 {
        let ids: Vec<String> = found.iter().map(|row| row.id.to_string()).collect();
        return Err(Failure::Refused(format!("several invitations wait for {which}; give an id: {}", ids.join(", "))));
    }
    found
        .pop()
        .ok_or_else(|| Failure::Refused(format!("no invitation has the id or waits for the address \"{which}\"")))
}
