//! Ids in paths, and answers.

use super::error::OperationError;
use crate::domain::idempotency::KeptAnswer;
use crate::error::Error;
use crate::store::StoreError;
use axum::extract::{FromRequestParts, Path};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::convert::Infallible;
use uuid::Uuid;

/// The ids of a path as they were sent: empty, which names nothing, where they are not UTF-8.
pub struct Ids<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Default + Send> FromRequestParts<S> for Ids<T> {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let ids = Path::<T>::from_request_parts(parts, state).await;
        Ok(Self(ids.map(|Path(ids)| ids).unwrap_or_default()))
    }
}

/// The id of a `thing`, such as "organization". What is no UUID names nothing.
pub fn parse_id(text: &str, thing: &str) -> Result<Uuid, OperationError> {
    // The form with hyphens alone, so that each thing has one path.
    let id = Uuid::try_parse(text).ok().filter(|_| text.len() == uuid::fmt::Hyphenated::LENGTH);
    id.ok_or_else(|| OperationError::no_such(thing))
}

/// 200 with a thing.
pub fn ok(thing: &impl Serialize) -> Result<Response, OperationError> {
    let body = serde_json::to_vec(thing).map_err(StoreError::from)?;
    Ok((StatusCode::OK, [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")], body).into_response())
}

/// 200 with a thing, as the answer to a change that may be repeated.
pub fn kept_ok(thing: &impl Serialize) -> Result<KeptAnswer, Error> {
    kept(StatusCode::OK, None, thing)
}

/// 201 with a thing that was made, and its path, as the answer to a change that may be repeated.
pub fn kept_created(location: String, thing: &impl Serialize) -> Result<KeptAnswer, Error> {
    kept(StatusCode::CREATED, Some(location), thing)
}

/// 202: it will be done, as the answer to a change that may be repeated.
pub fn kept_accepted() -> KeptAnswer {
    KeptAnswer { status: StatusCode::ACCEPTED.as_u16(), location: None, body: Vec::new() }
}

fn kept(status: StatusCode, location: Option<String>, thing: &impl Serialize) -> Result<KeptAnswer, Error> {
    let body = serde_json::to_vec(thing).map_err(StoreError::from)?;
    Ok(KeptAnswer { status: status.as_u16(), location, body })
}

/// What a transaction just wrote, as it reads it back.
pub fn written<T>(read: Option<T>) -> Result<T, Error> {
    read.ok_or_else(|| Error::Inconsistent("a transaction does not see what it wrote".to_owned()))
}

/// 204.
pub fn no_content() -> Response {
    (StatusCode::NO_CONTENT, [(CACHE_CONTROL, "no-store")]).into_response()
}
