//! Signed assertions for applications that do not rely on their network alone.

use crate::context::App;
use crate::crypto::access_token::AssertionClaims;
use crate::error::Error;
use crate::http::session::LiveSession;
use crate::model::time::Time;
use crate::random;
use axum::http::HeaderValue;

/// How long an assertion is valid, in seconds.
const TTL: i64 = 60;

/// Signs an assertion for an origin; empty where the keys are shared ones.
pub fn sign(app: &App, live: &LiveSession, origin: &str, now: Time) -> Result<HeaderValue, Error> {
    let view = &live.view;
    let iat = now.as_seconds();
    let claims = AssertionClaims {
        iss: &app.settings.tokens.issuer,
        sub: view.user_id,
        aud: [origin],
        iat,
        exp: (iat + TTL).min(view.expires_at.as_seconds()),
        jti: random::uuid_v4()?,
        sid: live.id,
        org_id: view.organization_role.map(|_| view.organization_id),
        org_role: view.organization_role,
        roles: view.roles.iter().map(|role| app.settings.name.role(role)).collect(),
        email: &view.email,
        email_verified: view.email_verified,
        username: &view.username,
    };
    let token = app.tokens.sign_assertion(&claims, now)?;
    Ok(token.and_then(|token| HeaderValue::try_from(token).ok()).unwrap_or(HeaderValue::from_static("")))
}
