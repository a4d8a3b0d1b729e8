//! Completes the answers of pages: their cookies, and the page of an error in the reader's language.

use super::layer::{InnerService, Layer};
use crate::context::App;
use crate::http::error::{self, ResponseFormat};
use crate::http::language::Language;
use crate::http::page_notes::PageNotes;
use axum::extract::Request;
use axum::http::header::SET_COOKIE;
use axum::response::Response;
use std::sync::Arc;

/// Stands outside everything that may answer instead of the handler.
pub struct ErrorPages(Arc<App>);

impl ErrorPages {
    /// The layer of a process.
    pub fn new(app: &Arc<App>) -> Self {
        Self(app.clone())
    }
}

impl Layer for ErrorPages {
    async fn handle(&self, mut request: Request, next: impl InnerService) -> Response {
        if ResponseFormat::of(&request) == ResponseFormat::Json {
            return next.run(request).await;
        }
        let notes = PageNotes::default();
        request.extensions_mut().insert(notes.clone());
        let language: Language = request.extensions().get().cloned().unwrap_or_default();
        let id = request.extensions().get().copied().unwrap_or_default();
        let mut response = error::render_problem(&self.0, &language, id, next.run(request).await);
        for cookie in notes.take_cookies() {
            response.headers_mut().append(SET_COOKIE, cookie);
        }
        response
    }
}
