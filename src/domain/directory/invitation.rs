//! Invitations to an organization.

use super::list::{ListRange, Listing};
use crate::model::ids::{InvitationId, OrganizationId, UserId};
use crate::model::list_place::ListPlace;
use crate::model::metadata::Metadata;
use crate::model::organization::{InvitationState, MemberRole};
use crate::model::time::Time;
use crate::store::{Conn, InvitationRow, Result};
use serde::Serialize;
use utoipa::ToSchema;

/// An invitation.
#[derive(Serialize, ToSchema)]
#[schema(as = Invitation)]
pub struct InvitationRecord {
    /// The invitation's id.
    #[schema(value_type = String, format = "uuid")]
    pub id: InvitationId,
    /// To which organization.
    #[schema(value_type = String, format = "uuid")]
    pub organization_id: OrganizationId,
    /// Who is invited.
    #[schema(example = "grace@example.com")]
    pub email: String,
    /// What the new member may do.
    pub role: MemberRole,
    /// The application's own object, letter by letter.
    #[schema(value_type = HashMap<String, Value>, additional_properties)]
    pub metadata: Metadata,
    /// What has become of it.
    pub state: InvitationState,
    /// The member whose link is the current one; null for an operator, a backend and a deleted account.
    #[schema(value_type = Option<String>, format = "uuid", required = true)]
    pub invited_by_user_id: Option<UserId>,
    /// When it was made.
    #[schema(value_type = String, format = DateTime, example = "2026-01-31T09:30:00.000000Z")]
    pub created_at: Time,
    /// Until when it can be accepted.
    #[schema(value_type = String, format = DateTime, example = "2026-02-07T09:30:00.000000Z")]
    pub expires_at: Time,
    /// The link to pass on, which verifies no address; only in the answer that made it with `send_mail` false.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub link: Option<String>,
}

impl InvitationRecord {
    /// As it stands at `now`, without a link.
    pub fn of(row: InvitationRow, now: Time) -> Self {
        Self {
            state: row.state_at(now),
            id: row.id,
            organization_id: row.organization_id,
            email: row.email,
            role: row.role,
            metadata: row.metadata,
            invited_by_user_id: row.invited_by_user_id,
            created_at: row.created_at,
            expires_at: row.expires_at,
            link: None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvitationFilter {
    All,
    /// Those that are pending, or have expired without an answer.
    Open,
}

pub async fn list(
    conn: &mut Conn,
    org: OrganizationId,
    filter: InvitationFilter,
    now: Time,
    range: ListRange,
) -> Result<Listing<InvitationRecord>> {
    let only_open = filter == InvitationFilter::Open;
    let after = (range.after.at, InvitationId(range.after.id));
    let rows = conn.invitations_list(org, only_open, after, range.rows()).await?;
    let place = |row: &InvitationRow| ListPlace { at: row.created_at, id: row.id.0 };
    Ok(range.listing(rows, place, |row| InvitationRecord::of(row, now)))
}
