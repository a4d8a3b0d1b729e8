//! Signed assertions for applications that do not rely on their network alone.

use crate::context::App;
use crate::crypto::access_token::AssertionClaims;
use crate::error::Error;
use crate::http::session::LiveSession;
use crate::model::ids::SessionId;
use crate::model::time::Time;
use crate::random;
use crate::store::KnownSession;
use axum::http::HeaderValue;
use quick_cache::sync::Cache;
use std::sync::Arc;
use std::time::Duration;

/// How long an assertion is valid.
const TTL: i64 = 60;
/// The same one is given again for this time: a signature costs as much as everything else in an answer.
const REUSE: Duration = Duration::from_secs(30);
/// The number of assertions that are kept: some 20 MB when full.
const CAPACITY: usize = 16 * 1024;

/// The latest assertion for each session and origin.
pub struct Assertions(Cache<(SessionId, usize), Arc<Assertion>>);

struct Assertion {
    /// What was asserted: a session that has changed is another one in memory.
    view: Arc<KnownSession>,
    issued_at: Time,
    token: HeaderValue,
}

impl Default for Assertions {
    fn default() -> Self {
        Self(Cache::new(CAPACITY))
    }
}

impl Assertions {
    /// An assertion for the origin at this place; empty where the keys are shared ones.
    pub fn get(&self, app: &App, live: &LiveSession, place: usize, origin: &str) -> Result<HeaderValue, Error> {
        let now = app.clock.now();
        let key = (live.id, place);
        let is_usable = |known: &Arc<Assertion>| {
            Arc::ptr_eq(&known.view, &live.view) && known.issued_at <= now && now < known.issued_at + REUSE
        };
        if let Some(known) = self.0.get(&key).filter(is_usable) {
            return Ok(known.token.clone());
        }
        let token = sign(app, live, origin, now)?;
        self.0.insert(key, Arc::new(Assertion { view: live.view.clone(), issued_at: now, token: token.clone() }));
        Ok(token)
    }
}

fn sign(app: &App, live: &LiveSession, origin: &str, now: Time) -> Result<HeaderValue, Error> {
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
