//! What the operations on users show.

use crate::model::auth_method::AuthMethod;
use crate::model::ids::{OrganizationId, SessionId, UserId};
use crate::model::metadata::Metadata;
use crate::model::organization::{MemberRole, OrganizationKind};
use crate::model::time::Time;
use crate::settings::ServiceName;
use crate::store::{Conn, MembershipRow, SessionDetailsRow, StoreError, UserDetailsRow};
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
    #[schema(value_type = Option<String>, format = DateTime, required = true)]
    last_login_at: Option<Time>,
    /// Whether there is an authenticator app or a passkey.
    two_factor: bool,
    /// The application's own id.
    #[schema(required = true)]
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

    /// With the organizations, read by any connection or transaction; `None`: there is no such user.
    pub(super) async fn read(conn: &mut Conn, name: &ServiceName, id: UserId) -> Result<Option<Self>, StoreError> {
        let Some(row) = conn.user_details(id).await? else { return Ok(None) };
        let organizations = conn.memberships_of_user(id).await?;
        Ok(Some(Self::of(name, row).with_organizations(organizations)))
    }

    fn with_organizations(self, rows: Vec<MembershipRow>) -> Self {
        let organization = |row: MembershipRow| UserOrganization {
            id: row.organization_id,
            name: row.name,
            kind: row.kind,
            role: row.role,
        };
        Self { organizations: Some(rows.into_iter().map(organization).collect()), ..self }
    }
}

/// A live session of a user.
#[derive(Serialize, ToSchema)]
pub(super) struct UserSession {
    /// The session's id.
    #[schema(value_type = String, format = "uuid")]
    id: SessionId,
    /// When the user logged in.
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    /// When the user last gave a password, code or passkey.
    #[schema(value_type = String, format = DateTime)]
    authenticated_at: Time,
    /// Last use, to within a minute.
    #[schema(value_type = String, format = DateTime)]
    last_used_at: Time,
    /// When it ends, however much it is used.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Time,
    /// What the browser says of itself.
    user_agent: String,
    /// The address of the login.
    #[schema(example = "192.0.2.1")]
    address: String,
    /// The active organization.
    #[schema(value_type = String, format = "uuid")]
    organization_id: OrganizationId,
    /// How the user has authenticated: any of `password`, `totp`, `recovery_code`, `passkey`, `trusted_device`,
    /// `mailed_link`. Empty for sessions that an older version opened.
    #[schema(example = json!(["password", "totp"]))]
    methods: Vec<&'static str>,
}

impl From<SessionDetailsRow> for UserSession {
    fn from(row: SessionDetailsRow) -> Self {
        Self {
            id: row.id,
            created_at: row.created_at,
            authenticated_at: row.authenticated_at,
            last_used_at: row.last_used_at,
            expires_at: row.expires_at,
            user_agent: row.user_agent,
            address: row.address,
            organization_id: row.organization_id,
            methods: row.methods.iter().map(AuthMethod::as_str).collect(),
        }
    }
}
