//! The caller of the operations for the logged-in person.

use super::error::OperationError;
use crate::context::App;
use crate::http::api::error::ErrorCode;
use crate::http::client::{self, ClientAddress};
use crate::http::csrf::{self, CsrfRefusal, Origins};
use crate::http::device;
use crate::http::session::{self, LiveSession, PresentedTokens};
use crate::http::two_people;
use crate::model::principal::Principal;
use crate::rate_limit::{ChangeKind, RateLimit};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method};
use std::sync::Arc;

/// A person with a live session, whose request passed the CSRF check if it may change something.
pub struct SessionCaller {
    pub app: Arc<App>,
    /// The session of the presented access token.
    pub live: LiveSession,
    pub principal: Principal,
    client: ClientAddress,
}

impl FromRequestParts<Arc<App>> for SessionCaller {
    type Rejection = OperationError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, OperationError> {
        let mut tokens = PresentedTokens::of(app, &parts.headers);
        if two_people::sessions(app, &mut tokens).await?.is_some() {
            return Err(OperationError::new(ErrorCode::Unauthorized));
        }
        let live = session::from_access_tokens(app, tokens.access, app.clock.now()).await?;
        let live = live.ok_or_else(|| OperationError::new(ErrorCode::Unauthorized))?;
        if !matches!(parts.method, Method::GET | Method::HEAD) {
            require_csrf(app, &parts.headers)?;
        }
        let client = client::of(&app.settings.server, &parts.headers, &parts.extensions);
        let device = device::from_headers(&parts.headers, client);
        let principal = Principal::user(live.view.user_id, Some(live.id), device);
        Ok(Self { app: app.clone(), live, principal, client })
    }
}

impl SessionCaller {
    /// Counts a change by the person, before any of its work.
    pub async fn check_change_limit(&self, kind: ChangeKind) -> Result<(), OperationError> {
        let limits = [RateLimit::Change(kind, self.live.view.user_id), RateLimit::ChangesFrom(self.client.for_limits)];
        Ok(self.app.rate_limiter.check_all(limits).await?)
    }
}

/// Refuses a change without the CSRF token, or from an origin that is not allowed.
pub fn require_csrf(app: &App, headers: &HeaderMap) -> Result<(), OperationError> {
    csrf::verify(&app.settings, headers, None, Origins::Allowed).map(drop).map_err(|refusal| {
        refusal.log(app);
        OperationError::with_message(ErrorCode::Forbidden, CsrfRefusal::EXPLANATION)
    })
}
