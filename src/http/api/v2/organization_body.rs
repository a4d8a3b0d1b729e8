//! What the operations on organizations take.

use super::error::OperationError;
use super::path::parse_id;
use crate::model::ids::UserId;
use crate::model::metadata::Metadata;
use crate::model::organization::MemberRole;
use serde::Deserialize;
use utoipa::ToSchema;

/// An organization to create.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CreateOrganization)]
pub struct NewOrganizationBody {
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
#[schema(as = UpdateOrganization)]
pub struct OrganizationChangeBody {
    /// Its new name.
    #[schema(example = "Engine Works")]
    pub(super) name: Option<String>,
}

/// A user who becomes a member.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AddMember)]
pub struct NewMemberBody {
    /// The user.
    #[schema(format = "uuid")]
    pub(super) user_id: String,
    /// What the member may do.
    pub(super) role: MemberRole,
}

/// What is to change of a membership.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = UpdateMember)]
pub struct MemberChangeBody {
    /// What the member may do.
    pub(super) role: Option<MemberRole>,
}

/// A person to invite.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CreateInvitation)]
pub struct NewInvitationBody {
    /// The email address.
    #[schema(example = "grace@example.com")]
    pub(super) email: String,
    /// What the new member may do.
    pub(super) role: MemberRole,
    /// The application's own object, at most 4,096 bytes, kept letter by letter and sent with the events.
    #[serde(default, deserialize_with = "super::user_input::metadata")]
    #[schema(value_type = Option<HashMap<String, Value>>, additional_properties)]
    pub(super) metadata: Option<Metadata>,
    /// Whether to mail the link; true without it. Where false, the answer has a link.
    pub(super) send_mail: Option<bool>,
}

/// The id of a user in a field of a body.
pub(super) fn user_in(field: &str, text: &str) -> Result<UserId, OperationError> {
    parse_id(text, "user").map(UserId).map_err(|_| no_such_user(field))
}

/// The refusal of a field that names no existing user.
pub(super) fn no_such_user(field: &str) -> OperationError {
    OperationError::field(field, "There is no such user.")
}
