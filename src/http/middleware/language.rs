//! Finds the reader's language.

use super::layer::{InnerService, Layer};
use crate::context::App;
use crate::http::error::ResponseFormat;
use crate::http::language::Language;
use axum::extract::Request;
use axum::response::Response;
use std::sync::Arc;

/// Only pages have a language.
pub struct LanguageLayer(Arc<App>);

impl LanguageLayer {
    pub fn new(app: &Arc<App>) -> Self {
        Self(app.clone())
    }
}

impl Layer for LanguageLayer {
    async fn handle(&self, mut request: Box<Request>, next: impl InnerService) -> Response {
        if ResponseFormat::of(&request) == ResponseFormat::Html {
            let language = Language::of(&self.0.settings, &request);
            request.extensions_mut().insert(language);
        }
        next.run(request).await
    }
}
