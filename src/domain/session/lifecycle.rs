//! Opens and ends sessions.

use crate::context::App;
use crate::crypto::access_token::Claims;
use crate::crypto::refresh_token;
use crate::error::Error;
use crate::model::authentication::Authentication;
use crate::model::change::AccountChange;
use crate::model::device::Device;
use crate::model::ids::{OrganizationId, SessionId, UserId};
use crate::model::login_way::LoginWay;
use crate::model::organization::MemberRole;
use crate::model::placeholder_email::is_placeholder;
use crate::model::principal::{Operation, Principal};
use crate::model::roles::Roles;
use crate::model::session::EndReason;
use crate::model::time::Time;
use crate::random;
use crate::store::{NewSession, Nonce, SessionRow, Tx, UserRow};
use secrecy::SecretString;
use std::time::Duration;

/// Refresh tokens are counted from here.
const FIRST_GENERATION: i64 = 1;

#[derive(Clone, Copy, Debug)]
pub struct Subject {
    pub session_id: SessionId,
    pub user_id: UserId,
    pub organization_id: OrganizationId,
    pub organization_role: MemberRole,
    pub roles: Roles,
    /// The session's absolute expiry.
    pub expires_at: Time,
    /// The generation of the refresh token that the holder of the access token has, or gets with it.
    pub refresh_generation: i64,
}

impl Subject {
    /// The subject of a session's tokens; `None` if its user is no member of the active organization.
    pub fn of(row: &SessionRow) -> Option<Self> {
        Some(Self {
            session_id: row.id,
            user_id: row.user_id,
            organization_id: row.organization_id,
            organization_role: row.organization_role?,
            roles: row.roles,
            expires_at: row.expires_at,
            refresh_generation: row.tokens.generation,
        })
    }
}

/// A token for a cookie, with its `Max-Age`.
pub struct CookieToken {
    pub token: SecretString,
    pub max_age: Duration,
}

pub struct OpenedSession {
    pub session_id: SessionId,
    pub user_id: UserId,
    /// The way that it was logged in with, as far as a browser chooses it.
    pub way: Option<LoginWay>,
    /// An access token of the first audience.
    pub access: CookieToken,
    pub refresh: CookieToken,
    /// Whether the account has an email address; without one, the user is asked for it.
    pub has_address: bool,
}

/// Opens a session for a user in this transaction; the tokens are valid once it is committed.
pub async fn open(
    app: &App,
    tx: &mut Tx,
    user: &UserRow,
    organization: (OrganizationId, MemberRole),
    authentication: &Authentication,
    device: &Device,
) -> Result<OpenedSession, Error> {
    let now = app.store.database_time();
    let nonce: Nonce = random::bytes()?;
    let subject = Subject {
        session_id: SessionId(random::uuid_v7(now)?),
        user_id: user.id,
        organization_id: organization.0,
        organization_role: organization.1,
        roles: user.roles,
        expires_at: now + app.settings.sessions.session_ttl,
        refresh_generation: FIRST_GENERATION,
    };
    tx.session_create(&NewSession {
        id: subject.session_id,
        user_id: subject.user_id,
        organization_id: subject.organization_id,
        nonce: &nonce,
        user_agent: device.user_agent(),
        address: device.address(),
        created_at: now,
        authenticated_at: authentication.proved_at.map_or(Time::NEVER, |at| at.min(now)),
        methods: authentication.methods,
        expires_at: subject.expires_at,
        provider: authentication.provider.as_ref(),
    })
    .await?;
    Ok(OpenedSession {
        session_id: subject.session_id,
        user_id: user.id,
        way: LoginWay::of(authentication),
        access: access_token(app, &subject, app.settings.sessions.default_audience(), app.clock.now())?,
        refresh: refresh_token_of(app, subject.session_id, FIRST_GENERATION, &nonce, now, subject.expires_at),
        has_address: !is_placeholder(&user.email),
    })
}

/// Issues an access token, which never outlives its session.
pub fn access_token(app: &App, subject: &Subject, audience: &str, now: Time) -> Result<CookieToken, Error> {
    let iat = now.as_seconds();
    // A JWT counts in whole seconds; a shorter lifetime would expire at once.
    let ttl = app.settings.sessions.access_ttl.as_secs().max(1);
    let exp = iat.saturating_add_unsigned(ttl).min(subject.expires_at.as_seconds());
    let roles: Vec<&str> = subject.roles.iter().map(|role| app.settings.name.role(role)).collect();
    let claims = Claims {
        iss: &app.settings.tokens.issuer,
        sub: subject.user_id,
        aud: [audience],
        client_id: audience,
        iat,
        exp,
        jti: random::uuid_v4()?,
        sid: subject.session_id,
        rtg: subject.refresh_generation,
        org_id: subject.organization_id,
        org_role: subject.organization_role,
        roles,
    };
    let token = app.tokens.sign(&claims, now)?;
    let max_age = Duration::from_secs(u64::try_from(exp - iat).unwrap_or(0));
    Ok(CookieToken { token: SecretString::from(token), max_age })
}

/// Recomputes the refresh token of a generation.
pub(super) fn refresh_token_of(
    app: &App,
    session: SessionId,
    generation: i64,
    nonce: &[u8],
    issued_at: Time,
    session_expires_at: Time,
) -> CookieToken {
    let expires_at = (issued_at + app.settings.sessions.refresh_ttl).min(session_expires_at);
    CookieToken {
        token: refresh_token::mint(&app.secret_keys, session, generation, nonce),
        max_age: expires_at.since(app.store.database_time()),
    }
}

/// Ends a session at logout; does nothing if it has ended before.
pub async fn log_out(app: &App, session: SessionId, device: &Device) -> Result<(), Error> {
    let mut tx = app.store.begin(&Principal::anonymous(device.clone()), Operation::LogOut).await?;
    let Some(user) = tx.session_end(session, EndReason::Logout.as_str()).await? else { return Ok(()) };
    tx.continue_as(&Principal::user(user, Some(session), device.clone()), Operation::LogOut)?;
    tx.record_account(user, AccountChange::LoggedOut).await?;
    Ok(tx.commit().await?)
}
