//! The caller of the operations for applications' backends.

use super::error::OperationError;
use super::request_head::RequestHead;
use crate::context::App;
use crate::domain::api_key::authenticate::{ApiKey, ApiKeyRefusal, Caller, authenticate};
use crate::http::api::error::ErrorCode;
use crate::http::client;
use crate::model::principal::{Operation, Principal};
use crate::store::{Conn, StoreError};
use axum::extract::FromRequestParts;
use axum::http::Method;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use std::sync::Arc;

/// A caller authenticated by a valid API key. An operation begins with [`Backend::require`].
pub struct Backend {
    /// The application.
    pub app: Arc<App>,
    /// The key.
    pub key: ApiKey,
    /// Who acts: the backend, with what its key may do.
    pub principal: Principal,
    pub(super) head: RequestHead,
}

impl FromRequestParts<Arc<App>> for Backend {
    type Rejection = OperationError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, OperationError> {
        let headers = parts.headers.get_all(AUTHORIZATION).iter();
        let presented: Vec<&str> = headers.map(|value| value.to_str().unwrap_or_default()).collect();
        let client = client::of(&app.settings.server, &parts.headers, &parts.extensions);
        let caller = Caller { for_limits: client.for_limits, address: client.for_records };
        let key = authenticate(app, &presented, caller).await?;
        if !matches!(parts.method, Method::GET | Method::HEAD) {
            app.rate_limiter.check_api_key_change(&key.id).map_err(OperationError::too_many)?;
        }
        let principal = key.principal();
        Ok(Self { app: app.clone(), key, principal, head: RequestHead::of(parts) })
    }
}

impl Backend {
    /// Refuses a key that may not do this, before anything is read.
    pub fn require(&self, operation: Operation) -> Result<(), OperationError> {
        self.principal.require(operation)?;
        Ok(())
    }

    /// A connection that reads for this operation.
    pub async fn read(&self, operation: Operation) -> Result<Conn, StoreError> {
        self.app.store.read(&self.principal, operation).await
    }
}

impl From<ApiKeyRefusal> for OperationError {
    fn from(refusal: ApiKeyRefusal) -> Self {
        match refusal {
            ApiKeyRefusal::Unauthorized => Self::with_message(ErrorCode::Unauthorized, "A valid API key is required."),
            ApiKeyRefusal::TooManyWrong(wait) => Self::too_many(wait),
            ApiKeyRefusal::Failed(error) => error.into(),
        }
    }
}
