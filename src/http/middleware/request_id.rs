//! Gives every request its id, and the response the header with it.

use super::layer::{InnerService, Layer};
use crate::http::request_id::RequestId;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The id never comes from the request: a client could make two requests look like one in the log.
pub struct RequestIdLayer;

impl Layer for RequestIdLayer {
    async fn handle(&self, mut request: Box<Request>, next: impl InnerService) -> Response {
        let id = RequestId::generate();
        request.extensions_mut().insert(id);
        let mut response = next.run(request).await;
        if let Ok(value) = HeaderValue::try_from(id.to_string()) {
            response.headers_mut().insert(X_REQUEST_ID, value);
        }
        response
    }
}
