//! Gives the CSRF cookie to clients that have none (docs/reference/browser.md 3).

use super::layer::{InnerService, Layer};
use crate::context::App;
use crate::http::error::ResponseFormat;
use crate::http::{cookies, csrf};
use axum::extract::Request;
use axum::http::Method;
use axum::http::header::{CONTENT_TYPE, SET_COOKIE};
use axum::response::Response;
use std::sync::Arc;

/// Every page gives it, also one without a form, and so does every answer to `GET /auth/api/v1/user`.
pub struct CsrfCookie(Arc<App>);

impl CsrfCookie {
    pub fn new(app: &Arc<App>) -> Self {
        Self(app.clone())
    }
}

impl Layer for CsrfCookie {
    async fn handle(&self, request: Box<Request>, next: impl InnerService) -> Response {
        let settings = &self.0.settings;
        let is_user =
            matches!(*request.method(), Method::GET | Method::HEAD) && request.uri().path() == "/auth/api/v1/user";
        // Even as a page: those of the gate go to the visitors of another host.
        if ResponseFormat::of(&request).is_json() && !is_user {
            return next.run(request).await;
        }
        let has_token = csrf::token(settings, request.headers()).is_some();
        let mut response = next.run(request).await;
        if has_token || !(is_user || is_page(&response)) || csrf::sets_cookie(settings, response.headers()) {
            return response;
        }
        let token = crate::crypto::csrf::generate().ok();
        if let Some(cookie) = token.and_then(|token| cookies::csrf(settings, &token)) {
            response.headers_mut().append(SET_COOKIE, cookie);
        }
        response
    }
}

fn is_page(response: &Response) -> bool {
    response.headers().get(CONTENT_TYPE).is_some_and(|value| value.as_bytes().starts_with(b"text/html"))
}
