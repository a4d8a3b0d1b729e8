//! How a page's handler ends early: `?` on whatever a use case returns.

use super::error::{self, InternalError, ResponseFormat};
use super::failure::RequestFailure;
use crate::error::Error;
use crate::random::RandomError;
use crate::store::StoreError;
use axum::response::{IntoResponse, Response};

/// Ends a page's handler early.
#[derive(Debug)]
pub enum PageError {
    /// With a response: a redirect, or a page that says what is wrong.
    Response(Box<Response>),
    /// With the page for a failure, which is logged with the request's id.
    Failed(RequestFailure),
}

impl From<InternalError> for PageError {
    fn from(error: InternalError) -> Self {
        PageError::Failed(error.0)
    }
}

impl From<Response> for PageError {
    fn from(response: Response) -> Self {
        PageError::Response(Box::new(response))
    }
}

impl From<Error> for PageError {
    fn from(error: Error) -> Self {
        PageError::Failed(error.into())
    }
}

impl From<StoreError> for PageError {
    fn from(error: StoreError) -> Self {
        Error::from(error).into()
    }
}

impl From<RandomError> for PageError {
    fn from(error: RandomError) -> Self {
        Error::from(error).into()
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        match self {
            PageError::Response(response) => *response,
            PageError::Failed(failure) => error::failed(failure, ResponseFormat::Html),
        }
    }
}
