//! The errors of the JSON API (docs/reference/api-v1.md 5.1, docs/reference/api-v2.md 18.1).

use crate::model::names::listed;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::{Serialize, Serializer};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

listed! {
    /// The error codes of the JSON API.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ErrorCode {
        /// No valid session.
        Unauthorized,
        InvalidRequest,
        /// The CSRF check failed.
        Forbidden,
        /// No such path, or no such thing.
        NotFound,
        /// The path does not support the method.
        MethodNotAllowed,
        EmailTaken,
        UsernameTaken,
        /// An account has this account at a provider.
        IdentityTaken,
        LastOwner,
        LastAdmin,
        /// The kind of the organization, or how the service is set up, does not permit it.
        NotInThisMode,
        AlreadyMember,
        /// The idempotency key came with another body before.
        IdempotencyMismatch,
        /// The first request with the idempotency key is not answered yet.
        IdempotencyInProgress,
        TooLarge,
        /// The body is not JSON.
        UnsupportedMediaType,
        /// Fields of the body are not accepted.
        ValidationFailed,
        RateLimited,
        InternalError,
        /// The database is unavailable, or too much is asked of the service.
        Unavailable,
    }
}

impl ErrorCode {
    /// Its status, its name on the wire and its message.
    pub(super) const fn parts(self) -> (StatusCode, &'static str, &'static str) {
        use ErrorCode as E;
        use StatusCode as S;
        match self {
            E::Unauthorized => (S::UNAUTHORIZED, "unauthorized", "A valid session is required."),
            E::InvalidRequest => (S::BAD_REQUEST, "invalid_request", "The request is not valid."),
            E::Forbidden => (S::FORBIDDEN, "forbidden", "The request is not permitted."),
            E::NotFound => (S::NOT_FOUND, "not_found", "There is no such operation."),
            E::MethodNotAllowed => (S::METHOD_NOT_ALLOWED, "method_not_allowed", "The operation has another method."),
            E::EmailTaken => (S::CONFLICT, "email_taken", "An account has this email address."),
            E::UsernameTaken => (S::CONFLICT, "username_taken", "This username is taken."),
            E::IdentityTaken => (S::CONFLICT, "identity_taken", "An account has this account at a provider."),
            E::LastOwner => (S::CONFLICT, "last_owner", "An organization keeps at least one owner."),
            E::LastAdmin => (S::CONFLICT, "last_admin", "The service keeps at least one administrator."),
            E::NotInThisMode => {
                (S::CONFLICT, "not_in_this_mode", "Personal organizations or the service's mode do not permit this.")
            }
            E::AlreadyMember => (S::CONFLICT, "already_member", "The user is a member of the organization."),
            E::IdempotencyMismatch => {
                (S::CONFLICT, "idempotency_mismatch", "The idempotency key was used with another body.")
            }
            E::IdempotencyInProgress => {
                (S::CONFLICT, "idempotency_in_progress", "The first request with this idempotency key still runs.")
            }
            E::TooLarge => (S::PAYLOAD_TOO_LARGE, "too_large", "The body is larger than 64 KiB."),
            E::UnsupportedMediaType => {
                (S::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", "The body must be application/json.")
            }
            E::ValidationFailed => {
                (S::UNPROCESSABLE_ENTITY, "validation_failed", "Fields of the body are not accepted; see details.")
            }
            E::RateLimited => (S::TOO_MANY_REQUESTS, "rate_limited", "Too many requests."),
            E::Unavailable => (S::SERVICE_UNAVAILABLE, "unavailable", "The service is not available; try again."),
            E::InternalError => (S::INTERNAL_SERVER_ERROR, "internal_error", "The service failed; try again."),
        }
    }
}

impl Serialize for ErrorCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.parts().1)
    }
}

/// The names of all, so that a generated client can tell them apart without a list of its own.
impl PartialSchema for ErrorCode {
    fn schema() -> RefOr<Schema> {
        let names = Self::ALL.map(|code| code.parts().1);
        let description = "What is wrong, for programs: a code never changes its meaning. New ones may be added: take one \
            that you do not know as its status alone says.";
        let code = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names));
        code.description(Some(description)).into()
    }
}

impl ToSchema for ErrorCode {}

#[derive(Clone, Copy, Debug)]
pub struct ApiError {
    code: ErrorCode,
    message: Option<&'static str>,
}

impl ApiError {
    /// An error with the default message of its code.
    pub const fn new(code: ErrorCode) -> Self {
        Self { code, message: None }
    }

    /// An error with a specific message, in which no character needs escaping in JSON.
    pub const fn with_message(code: ErrorCode, message: &'static str) -> Self {
        Self { code, message: Some(message) }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (status, code, default_message) = self.code.parts();
        let message = self.message.unwrap_or(default_message);
        let body = format!(r#"{{"error":{{"code":"{code}","message":"{message}"}}}}"#);
        (status, [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")], body).into_response()
    }
}
