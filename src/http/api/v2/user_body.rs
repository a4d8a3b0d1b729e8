//! What the operations on users show.

use crate::model::ids::{OrganizationId, UserId};
use crate::model::metadata::Metadata;
use crate::model::organization::{MemberRole, OrganizationKind};
use crate::model::time::Time;
use crate::settings::ServiceName;
use crate::store::{MembershipRow, UserDetailsRow};
use serde::Serialize;
use utoipa::ToSchema;

/// A user.
#[derive(Serialize, ToSchema)]
#[schema(as = User)]
pub(super) struct UserBody {
    /// The user's id.
    #[schema(value_type = String, format = "uuid")]
    id: UserId,
    /// Email address.
    #[schema(example = "ada@example.com")]
    email: String,
    /// Username.
    #[schema(example = "ada")]
    username: String,
    /// Platform roles.
    #[schema(example = json!(["svc:auditor"]))]
    roles: Vec<String>,
    /// Whether the account is disabled.
    disabled: bool,
    /// When the account was made.
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    /// Whether the email address is verified.
    email_verified: bool,
    /// When the latest login was of which a session is stored.
    #[schema(value_type = Option<String>, format = DateTime)]
    last_login_at: Option<Time>,
    /// Whether there is an authenticator app or a passkey.
    two_factor: bool,
    /// The application's own id.
    external_id: Option<String>,
    /// The application's own object, letter by letter.
    #[schema(value_type = Object)]
    metadata: Metadata,
    /// The organizations of the user, in the order of joining; only where one user is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    organizations: Option<Vec<UserOrganization>>,
}

/// An organization of a user.
#[derive(Serialize, ToSchema)]
pub(super) struct UserOrganization {
    /// The organization's id.
    #[schema(value_type = String, format = "uuid")]
    id: OrganizationId,
    /// Its name.
    name: String,
    /// What it is for.
    kind: OrganizationKind,
    /// The user's role.
    role: MemberRole,
}

impl UserBody {
    /// As in a list.
    pub(super) fn of(name: &ServiceName, row: UserDetailsRow) -> Self {
        Self {
            id: row.id,
            email: row.email,
            username: row.username,
            roles: row.roles.iter().map(|role| name.role(role).to_owned()).collect(),
            disabled: row.disabled_at.is_some(),
            created_at: row.created_at,
            email_verified: row.email_verified_at.is_some(),
            last_login_at: row.last_login_at,
            two_factor: row.two_factor,
            external_id: row.external_id,
            metadata: row.metadata,
            organizations: None,
        }
    }

    /// With the organizations.
    pub(super) fn with_organizations(self, rows: Vec<MembershipRow>) -> Self {
        let organization = |row: MembershipRow| UserOrganization {
            id: row.organization_id,
            name: row.name,
            kind: row.kind,
            role: row.role,
        };
        Self { organizations: Some(rows.into_iter().map(organization).collect()), ..self }
    }
}
