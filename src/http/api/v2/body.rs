//! Bodies of operations: JSON objects that every parser reads alike.

use super::error::OperationError;
use super::members::{Members, read_members};
use crate::http::api::error::ErrorCode;
use crate::http::body_budget::{BodyAllowance, BodyShare};
use crate::http::form::{FormError, read_bytes};
use crate::model::strict_json;
use axum::body::{Body, HttpBody};
use axum::extract::{FromRequest, Request};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use serde::de::DeserializeOwned;
use std::convert::Infallible;

/// A body that was not looked at: what is refused for another reason comes first (docs/reference/api-v2.md 18.1).
pub struct UnreadBody {
    is_json: bool,
    body: Body,
    allowance: Option<BodyAllowance>,
}

impl<S: Sync> FromRequest<S> for UnreadBody {
    type Rejection = Infallible;

    async fn from_request(request: Request, _: &S) -> Result<Self, Infallible> {
        let (parts, body) = request.into_parts();
        Ok(Self { is_json: is_json(&parts.headers), body, allowance: parts.extensions.get().cloned() })
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    media_type.eq_ignore_ascii_case("application/json")
}

/// The bytes of a body, with the part of the budget that they hold.
pub struct JsonBody {
    bytes: Vec<u8>,
    _share: BodyShare,
}

impl UnreadBody {
    /// Reads a body that says that it is JSON.
    pub async fn read(self) -> Result<JsonBody, OperationError> {
        if !self.is_json {
            return Err(FormError::WrongType.into());
        }
        self.read_any().await
    }

    /// As [`read`](Self::read), where a body that is not there is an object without members.
    pub async fn read_or_empty(self) -> Result<JsonBody, OperationError> {
        if !self.is_json && !self.body.is_end_stream() {
            return Err(FormError::WrongType.into());
        }
        let mut body = self.read_any().await?;
        if body.bytes.is_empty() {
            body.bytes.extend_from_slice(b"{}");
        }
        Ok(body)
    }

    /// The caller is known: bodies are read after it.
    async fn read_any(self) -> Result<JsonBody, OperationError> {
        let Some(allowance) = self.allowance else { return Err(OperationError::new(ErrorCode::InvalidRequest)) };
        let (bytes, share) = read_bytes(self.body, &allowance.with_credentials()).await?;
        Ok(JsonBody { bytes, _share: share })
    }
}

impl JsonBody {
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The object's members, each as it was written.
    pub fn members(&self) -> Result<Members<'_>, OperationError> {
        members(&self.bytes)
    }

    /// The object as a type, whose fields are the members that are known.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, OperationError> {
        parse(&self.bytes)
    }
}

fn members(bytes: &[u8]) -> Result<Members<'_>, OperationError> {
    let text = std::str::from_utf8(bytes).map_err(|_| refused("it is not UTF-8"))?;
    strict_json::check_object(text).map_err(refused)?;
    if has_nul(text) {
        return Err(refused("it holds the character U+0000, which databases refuse"));
    }
    serde_json::from_str(text).map_err(refused)
}

/// A body as a type, whose fields are the members that are known.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, OperationError> {
    read_members(&members(bytes)?)
}

fn refused(reason: impl std::fmt::Display) -> OperationError {
    OperationError::with_message(ErrorCode::InvalidRequest, format!("The body is not a JSON object: {reason}."))
}

/// Whether a string of valid JSON holds NUL, which can only be written as an escape.
fn has_nul(json: &str) -> bool {
    let mut rest = json.as_bytes();
    while let Some(start) = memchr::memchr(b'\\', rest) {
        let escape = rest.get(start + 1..).unwrap_or_default();
        if escape.starts_with(b"u0000") {
            return true;
        }
        rest = escape.get(1..).unwrap_or_default();
    }
    false
}

#[cfg(test)]
#[path = "body_tests.rs"]
mod tests;
