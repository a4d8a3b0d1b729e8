//! The caller of the operations for applications' backends.

use super::error::OperationError;
use super::request_head::RequestHead;
use crate::context::App;
use crate::domain::api_key::authenticate::{ApiKey, ApiKeyRefusal, RequestOrigin, authenticate};
use crate::http::api::error::ErrorCode;
use crate::http::{client, device};
use crate::model::ids::UserId;
use crate::model::principal::{AccountTarget, Operation, Principal};
use crate::model::roles::Roles;
use crate::store::{Conn, StoreError};
use axum::extract::FromRequestParts;
use axum::http::Method;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

/// An operation of the API, as a type.
pub trait ApiOperation: Send + Sync {
    const OPERATION: Operation;
}

macro_rules! api_operations {
    ($($name:ident),* $(,)?) => {$(
        #[doc = concat!("See [`Operation::", stringify!($name), "`].")]
        #[derive(Debug)]
        pub enum $name {}

        impl ApiOperation for $name {
            const OPERATION: Operation = Operation::$name;
        }
    )*};
}

api_operations!(
    AddMember,
    ChangeUser,
    CreateOrganization,
    CreateUser,
    DeleteOrganization,
    DeleteUser,
    EndSessions,
    FindUsers,
    Invite,
    ListOrganizations,
    ListSessions,
    ReadOrganization,
    RemoveMember,
    RenameOrganization,
    ResetTwoFactor,
    RevokeInvitation,
    SendPasswordReset,
    SetMemberRole,
);

/// A backend whose API key may do this operation.
pub struct Caller<O> {
    backend: Backend,
    operation: PhantomData<O>,
}

/// A backend with a valid API key. Handlers take [`Caller`], which has asked what the key may do.
pub struct Backend {
    pub app: Arc<App>,
    pub key: ApiKey,
    /// Who acts: the backend, with what its key may do.
    pub principal: Principal,
    pub(super) head: RequestHead,
}

impl<O: ApiOperation> FromRequestParts<Arc<App>> for Caller<O> {
    type Rejection = OperationError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, OperationError> {
        let backend = Backend::of_request(parts, app).await?;
        backend.require(O::OPERATION)?;
        Ok(Self { backend, operation: PhantomData })
    }
}

impl<O> Deref for Caller<O> {
    type Target = Backend;

    fn deref(&self) -> &Backend {
        &self.backend
    }
}

impl<O: ApiOperation> Caller<O> {
    pub async fn read(&self) -> Result<Conn, StoreError> {
        self.app.store.read(&self.principal, O::OPERATION).await
    }

    /// Refuses a user with platform roles to a key without the scope for them. Who gets a role now is protected by the
    /// use case.
    pub(super) fn require_changeable(&self, id: UserId, roles: Roles) -> Result<(), OperationError> {
        Ok(self.principal.require(O::OPERATION)?.covers(AccountTarget::new(id, roles))?)
    }
}

/// The API key of a request, which must have one.
pub async fn key_of(parts: &Parts, app: &App) -> Result<ApiKey, OperationError> {
    let headers = parts.headers.get_all(AUTHORIZATION).iter();
    let presented: Vec<&str> = headers.map(|value| value.to_str().unwrap_or_default()).collect();
    let client = client::of(&app.settings.server, &parts.headers, &parts.extensions);
    let user_agent = device::user_agent(&parts.headers);
    let caller = RequestOrigin { for_limits: client.for_limits, address: client.for_records, user_agent };
    Ok(authenticate(app, &presented, caller).await?)
}

impl Backend {
    async fn of_request(parts: &mut Parts, app: &Arc<App>) -> Result<Self, OperationError> {
        let key = key_of(parts, app).await?;
        if !matches!(parts.method, Method::GET | Method::HEAD) {
            app.rate_limiter.check_api_key_change(&key.id).map_err(OperationError::too_many)?;
        }
        let principal = key.principal();
        Ok(Self { app: app.clone(), key, principal, head: RequestHead::of(parts) })
    }

    /// Refuses a key that may not do this, before anything is read.
    pub fn require(&self, operation: Operation) -> Result<(), OperationError> {
        self.principal.require(operation)?;
        Ok(())
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
