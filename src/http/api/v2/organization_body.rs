//! What the operations on organizations show and take.

use super::error::OperationError;
use super::path::parse_id;
use crate::context::App;
use crate::domain::organization::invite::CreatedInvitation;
use crate::model::ids::{InvitationId, OrganizationId, UserId};
use crate::model::metadata::Metadata;
use crate::model::organization::{InvitationState, MemberRole, OrganizationKind};
use crate::model::time::Time;
use crate::store::{CountedOrganizationRow, InvitationRow, MemberRow};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An organization.
#[derive(Serialize, ToSchema)]
#[schema(as = Organization)]
pub(super) struct OrganizationBody {
    /// The organization's id.
    #[schema(value_type = String, format = "uuid")]
    id: OrganizationId,
    /// Its name.
    #[schema(example = "Engine Works")]
    name: String,
    /// What it is for.
    kind: OrganizationKind,
    /// Who created it; null once that account is deleted.
    #[schema(value_type = Option<String>, format = "uuid")]
    created_by_user_id: Option<UserId>,
    /// When it was created.
    #[schema(value_type = String, format = DateTime, example = "2026-01-31T09:30:00.000000Z")]
    created_at: Time,
    /// How many members it has.
    #[schema(example = 3)]
    members: i64,
}

impl From<CountedOrganizationRow> for OrganizationBody {
    fn from(row: CountedOrganizationRow) -> Self {
        let CountedOrganizationRow { id, kind, name, created_by_user_id, created_at, members } = row;
        Self { id, name, kind, created_by_user_id, created_at, members }
    }
}

/// An organization to create.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewOrganization)]
pub(super) struct NewOrganizationBody {
    /// Its name, as people read it.
    #[schema(example = "Engine Works")]
    pub(super) name: String,
    /// The user who becomes its first member, as owner.
    #[schema(format = "uuid")]
    pub(super) owner_id: String,
}

/// What is to change of an organization.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = OrganizationChange)]
pub(super) struct OrganizationChangeBody {
    /// Its new name.
    #[schema(example = "Engine Works")]
    pub(super) name: Option<String>,
}

/// A member of an organization.
#[derive(Serialize, ToSchema)]
#[schema(as = Member)]
pub(super) struct MemberBody {
    /// The user.
    #[schema(value_type = String, format = "uuid")]
    user_id: UserId,
    /// Email address.
    #[schema(example = "ada@example.com")]
    email: String,
    /// Username.
    #[schema(example = "ada")]
    username: String,
    /// What the member may do.
    role: MemberRole,
    /// When the membership began.
    #[schema(value_type = String, format = DateTime, example = "2026-01-31T09:30:00.000000Z")]
    joined_at: Time,
}

impl From<MemberRow> for MemberBody {
    fn from(row: MemberRow) -> Self {
        let MemberRow { user_id, username, email, role, created_at } = row;
        Self { user_id, email, username, role, joined_at: created_at }
    }
}

/// A user who becomes a member.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewMember)]
pub(super) struct NewMemberBody {
    /// The user.
    #[schema(format = "uuid")]
    pub(super) user_id: String,
    /// What the member may do.
    pub(super) role: MemberRole,
}

/// What is to change of a membership.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = MemberChange)]
pub(super) struct MemberChangeBody {
    /// What the member may do.
    pub(super) role: Option<MemberRole>,
}

/// An invitation.
#[derive(Serialize, ToSchema)]
#[schema(as = Invitation)]
pub(super) struct InvitationBody {
    /// The invitation's id.
    #[schema(value_type = String, format = "uuid")]
    id: InvitationId,
    /// To which organization.
    #[schema(value_type = String, format = "uuid")]
    organization_id: OrganizationId,
    /// Who is invited.
    #[schema(example = "grace@example.com")]
    email: String,
    /// What the new member may do.
    role: MemberRole,
    /// The application's own object, letter by letter.
    #[schema(value_type = Object)]
    metadata: Metadata,
    /// What has become of it.
    state: InvitationState,
    /// The member whose link is the current one; null for an operator, a backend and a deleted account.
    #[schema(value_type = Option<String>, format = "uuid")]
    invited_by_user_id: Option<UserId>,
    /// When it was made.
    #[schema(value_type = String, format = DateTime, example = "2026-01-31T09:30:00.000000Z")]
    created_at: Time,
    /// Until when it can be accepted.
    #[schema(value_type = String, format = DateTime, example = "2026-02-07T09:30:00.000000Z")]
    expires_at: Time,
    /// The link to pass on, which verifies no address; only in the answer that made it with `send_mail` false.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    link: Option<String>,
}

impl InvitationBody {
    /// As in a list.
    pub(super) fn of(row: InvitationRow, now: Time) -> Self {
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

    /// With the link, which nobody has been sent.
    pub(super) fn with_link(app: &App, created: CreatedInvitation) -> Self {
        let link = Some(created.link(app));
        Self { link, ..Self::of(created.invitation, app.clock.now()) }
    }
}

/// A person to invite.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewInvitation)]
pub(super) struct NewInvitationBody {
    /// The email address.
    #[schema(example = "grace@example.com")]
    pub(super) email: String,
    /// What the new member may do.
    pub(super) role: MemberRole,
    /// The application's own object, at most 4,096 bytes, kept letter by letter and sent with the events.
    #[serde(default, deserialize_with = "super::user_input::metadata")]
    #[schema(value_type = Option<Object>)]
    pub(super) metadata: Option<Metadata>,
    /// Whether to mail the link; true without it. Where false, the answer has a link.
    pub(super) send_mail: Option<bool>,
}

/// The id of a user in a field of a body.
pub(super) fn user_in(field: &str, text: &str) -> Result<UserId, OperationError> {
    parse_id(text, "user").map(UserId).map_err(|_| no_such_user(field))
}

/// A field names nobody.
pub(super) fn no_such_user(field: &str) -> OperationError {
    OperationError::field(field, "There is no such user.")
}
