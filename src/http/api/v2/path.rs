//! Ids in paths, and answers.

use super::error::OperationError;
use axum::extract::{FromRequestParts, Path};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, LOCATION};
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
    json(StatusCode::OK, thing)
}

/// 201 with a thing that was made, and its path.
pub fn created(location: &str, thing: &impl Serialize) -> Result<Response, OperationError> {
    let mut response = json(StatusCode::CREATED, thing)?;
    if let Ok(location) = location.try_into() {
        response.headers_mut().insert(LOCATION, location);
    }
    Ok(response)
}

/// 202: it will be done.
pub fn accepted() -> Response {
    (StatusCode::ACCEPTED, [(CACHE_CONTROL, "no-store")]).into_response()
}

/// 204.
pub fn no_content() -> Response {
    (StatusCode::NO_CONTENT, [(CACHE_CONTROL, "no-store")]).into_response()
}

fn json(status: StatusCode, thing: &impl Serialize) -> Result<Response, OperationError> {
    let body = serde_json::to_vec(thing).map_err(crate::store::StoreError::from)?;
    Ok((status, [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")], body).into_response())
}
