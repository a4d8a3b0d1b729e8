//! What the operations on the session show and take.

use super::error::OperationError;
use super::person::Person;
use crate::context::App;
use crate::domain::directory::user::UserOrganization;
use crate::http::api::error::ErrorCode;
use crate::model::auth_method::AuthMethod;
use crate::model::ids::{SessionId, UserId};
use crate::model::principal::Operation;
use crate::model::roles::Roles;
use crate::model::session_view::KnownSession;
use crate::model::time::Time;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A session: who is logged in, and in which organization.
#[derive(Serialize, ToSchema)]
#[schema(as = Session)]
pub(super) struct SessionBody {
    /// Who is logged in.
    user: SessionUser,
    /// The active organization; null for a user who is no member of it any more.
    #[schema(required = true)]
    organization: Option<UserOrganization>,
    /// The session itself.
    session: SessionDetails,
    /// The audience of the access token.
    #[schema(example = "app")]
    audience: String,
}

/// Who is logged in.
#[derive(Serialize, ToSchema)]
struct SessionUser {
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
    /// Whether the account is disabled; never true here.
    disabled: bool,
    /// When the account was made.
    #[schema(value_type = String, format = DateTime, example = "2026-01-31T09:30:00.000000Z")]
    created_at: Time,
    /// Whether the email address is verified.
    email_verified: bool,
}

/// A session.
#[derive(Serialize, ToSchema)]
struct SessionDetails {
    /// The session's id.
    #[schema(value_type = String, format = "uuid")]
    id: SessionId,
    /// When the user logged in.
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    /// When the user last gave a password, code or passkey.
    #[schema(value_type = String, format = DateTime)]
    authenticated_at: Time,
    /// When it ends, however much it is used.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Time,
    /// How the user has authenticated: any of `password`, `totp`, `recovery_code`, `passkey`, `trusted_device`,
    /// `mailed_link`. Empty for sessions that an older version opened.
    #[schema(example = json!(["password", "totp"]))]
    methods: Vec<&'static str>,
}

/// The organization to switch to.
#[derive(Deserialize, ToSchema)]
pub(super) struct ChosenOrganization {
    /// Its id.
    #[schema(format = "uuid")]
    pub(super) id: String,
}

impl SessionBody {
    /// Reads what memory does not have.
    pub(super) async fn read(person: &Person, roles: Roles) -> Result<Self, OperationError> {
        let (app, live) = (&person.app, &person.live);
        let mut conn = app.store.read_own(&person.principal, Operation::ReadOwnAccount, live.view.user_id).await?;
        // It may have ended since it was found.
        let created_at = conn.session_created_at(live.id).await?;
        let created_at = created_at.ok_or_else(|| OperationError::new(ErrorCode::Unauthorized))?;
        let organization = conn.membership_of_session(live.id).await?.map(UserOrganization::from);
        let view = &live.view;
        let session = SessionDetails {
            id: live.id,
            created_at,
            authenticated_at: view.authenticated_at,
            expires_at: view.expires_at,
            methods: view.methods.iter().map(AuthMethod::as_str).collect(),
        };
        let audience = live.audience(app, roles).to_owned();
        Ok(Self { user: user(app, view), organization, session, audience })
    }
}

fn user(app: &App, view: &KnownSession) -> SessionUser {
    SessionUser {
        id: view.user_id,
        email: view.email.clone(),
        username: view.username.clone(),
        roles: view.roles.iter().map(|role| app.settings.name.role(role).to_owned()).collect(),
        disabled: view.disabled_at.is_some(),
        created_at: view.created_at,
        email_verified: view.email_verified,
    }
}
