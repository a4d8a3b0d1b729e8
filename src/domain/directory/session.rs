//! Live sessions of a user.

use super::list::{ListRange, Listing};
use crate::model::auth_method::AuthMethod;
use crate::model::ids::{OrganizationId, SessionId, UserId};
use crate::model::list_place::ListPlace;
use crate::model::time::Time;
use crate::settings::Settings;
use crate::store::{Conn, Result, SessionDetailsRow};
use serde::Serialize;
use utoipa::ToSchema;

/// A live session of a user.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UserSession)]
pub struct SessionRecord {
    /// The session's id.
    #[schema(value_type = String, format = "uuid")]
    pub id: SessionId,
    /// When the user logged in.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Time,
    /// When the user last proved who they are: by a password, a passkey or a mailed code, or at a provider that says
    /// when that was. 1970-01-01T00:00:00.000000Z: not in this session.
    #[schema(value_type = String, format = DateTime)]
    pub authenticated_at: Time,
    /// Last use, to within a minute.
    #[schema(value_type = String, format = DateTime)]
    pub last_used_at: Time,
    /// When it ends, however much it is used.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Time,
    /// What the browser says of itself.
    pub user_agent: String,
    /// The address of the login.
    #[schema(example = "192.0.2.1")]
    pub address: String,
    /// The active organization.
    #[schema(value_type = String, format = "uuid")]
    pub organization_id: OrganizationId,
    /// How the user has authenticated: any of `password`, `totp`, `recovery_code`, `passkey`, `trusted_device`,
    /// `mailed_link`, `provider`, `provider_mfa`. Empty for sessions that an older version opened.
    #[schema(example = json!(["password", "totp"]))]
    pub methods: Vec<&'static str>,
}

impl From<SessionDetailsRow> for SessionRecord {
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

/// Lists the live sessions of a user.
pub async fn list(
    conn: &mut Conn,
    settings: &Settings,
    now: Time,
    user: UserId,
    range: ListRange,
) -> Result<Listing<SessionRecord>> {
    let after = (range.after.at, SessionId(range.after.id));
    let rows = conn.sessions_live_page(user, after, live_at(settings, now), range.rows()).await?;
    let place = |row: &SessionDetailsRow| ListPlace { at: row.created_at, id: row.id.0 };
    Ok(range.listing(rows, place, SessionRecord::from))
}

pub async fn find(
    conn: &mut Conn,
    settings: &Settings,
    now: Time,
    user: UserId,
    session: SessionId,
) -> Result<Option<SessionRecord>> {
    Ok(conn.session_live(user, session, live_at(settings, now)).await?.map(SessionRecord::from))
}

/// What a live session has not reached, and since when its refresh token was issued.
fn live_at(settings: &Settings, now: Time) -> (Time, Time) {
    (now, now - settings.sessions.refresh_ttl)
}
