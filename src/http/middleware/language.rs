//! Finds the reader's language, and renders error pages in it.

use super::layer::{InnerService, Layer};
use crate::context::App;
use crate::http::error::{self, ResponseFormat};
use crate::http::language::Language;
use axum::extract::Request;
use axum::response::Response;
use std::sync::Arc;

/// Only pages have a language.
pub struct LanguageLayer(Arc<App>);

impl LanguageLayer {
    /// The layer of a process.
    pub fn new(app: &Arc<App>) -> Self {
        Self(app.clone())
    }
}

impl Layer for LanguageLayer {
    async fn handle(&self, mut request: Request, next: impl InnerService) -> Response {
        if ResponseFormat::of(&request) == ResponseFormat::Json {
            return next.run(request).await;
        }
        let language = Language::of(&self.0.settings, &request);
        request.extensions_mut().insert(language.clone());
        let id = request.extensions().get().copied().unwrap_or_default();
        error::render_problem(&self.0, &language, id, next.run(request).await)
    }
}
