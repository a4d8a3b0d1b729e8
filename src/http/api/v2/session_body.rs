//! What the operations on the session show and take.

use super::error::OperationError;
use super::parameters::{Parameters, bad};
use crate::context::App;
use crate::domain::directory::user::UserOrganization;
use crate::http::session::LiveSession;
use crate::model::auth_method::AuthMethod;
use crate::model::ids::{SessionId, UserId};
use crate::model::session_view::KnownSession;
use crate::model::time::Time;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

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
    /// The audience of the access token; null without one, where only a refresh token was looked at.
    #[schema(example = "app", required = true)]
    audience: Option<String>,
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
    /// What the user is called; null without a display name.
    #[schema(example = "Ada King", required = true)]
    name: Option<String>,
    /// The application's own id of the user; null without one.
    #[schema(example = "7", required = true)]
    external_id: Option<String>,
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
    /// When the user last proved who they are: by a password, a passkey or a mailed code, or at a provider that says
    /// when that was. 1970-01-01T00:00:00.000000Z: not in this session.
    #[schema(value_type = String, format = DateTime)]
    authenticated_at: Time,
    /// When it ends, however much it is used.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Time,
    /// How the user has authenticated: any of `password`, `totp`, `recovery_code`, `passkey`, `trusted_device`,
    /// `mailed_link`, `provider`, `provider_mfa`. Empty for sessions that an older version opened.
    #[schema(example = json!(["password", "totp"]))]
    methods: Vec<&'static str>,
}

/// The parameters of a look at the session.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "it only describes")]
pub(super) struct SessionParameters {
    /// `look`: without a valid access token, a refresh token that a refresh would accept now is enough. Nothing is
    /// replaced, set or marked as used.
    #[param(pattern = "^look$")]
    refresh: Option<String>,
}

/// The organization to switch to.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SetSessionOrganization)]
pub struct ChosenOrganization {
    /// Its id.
    #[schema(format = "uuid")]
    pub(super) id: String,
}

impl SessionParameters {
    /// Whether the refresh token is to be looked at.
    pub(super) fn looks(query: Option<&str>) -> Result<bool, OperationError> {
        match Parameters::read(query, &["refresh"], &[])?.get("refresh") {
            None => Ok(false),
            Some("look") => Ok(true),
            Some(_) => Err(bad("The parameter \"refresh\" can only be \"look\".")),
        }
    }
}

impl SessionBody {
    pub(super) fn of(app: &App, live: &LiveSession) -> Self {
        let view = &live.view;
        let session = SessionDetails {
            id: live.id,
            created_at: view.opened_at,
            authenticated_at: view.authenticated_at,
            expires_at: view.expires_at,
            methods: view.methods.iter().map(AuthMethod::as_str).collect(),
        };
        let audience = live.token.is_some().then(|| live.audience(app, view.roles).to_owned());
        Self { user: user(app, view), organization: organization(view), session, audience }
    }
}

fn organization(view: &KnownSession) -> Option<UserOrganization> {
    Some(UserOrganization {
        id: view.organization_id,
        name: view.organization_name.as_deref()?.to_owned(),
        kind: view.organization_kind?,
        role: view.organization_role?,
    })
}

fn user(app: &App, view: &KnownSession) -> SessionUser {
    SessionUser {
        id: view.user_id,
        email: view.email.to_string(),
        username: view.username.to_string(),
        name: view.name.as_deref().map(str::to_owned),
        external_id: view.external_id.as_deref().map(str::to_owned),
        roles: view.roles.iter().map(|role| app.settings.name.role(role).to_owned()).collect(),
        disabled: view.disabled_at.is_some(),
        created_at: view.created_at,
        email_verified: view.email_verified,
    }
}
