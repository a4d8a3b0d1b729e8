//! What surrounds every handler, one file for each layer.

mod access_log;
mod body_limit;
mod counted_request;
mod csrf_cookie;
mod error_page;
mod handler;
mod head_limit;
mod host;
mod language;
mod layer;
mod only_navigations;
mod panic;
mod request_id;
mod route;
mod security_headers;
mod skip_unread;
mod span;
mod timeout;

pub use head_limit::MAX_HEAD_BYTES;
pub use security_headers::content_policy;

use crate::context::App;
use axum::extract::Request;
use axum::response::Response;
use layer::InnerService;
use std::sync::Arc;

/// The layers that are built once from the settings.
pub struct Layers {
    access_log: access_log::AccessLog,
    security_headers: security_headers::SecurityHeaders,
    csrf_cookie: csrf_cookie::CsrfCookie,
    language: language::LanguageLayer,
    error_pages: error_page::ErrorPages,
    span: span::RequestSpan,
    body_limit: body_limit::BodyLimit,
}

impl Layers {
    pub fn new(app: &Arc<App>) -> Arc<Self> {
        Arc::new(Self {
            access_log: access_log::AccessLog::new(app),
            security_headers: security_headers::SecurityHeaders::new(&app.settings),
            csrf_cookie: csrf_cookie::CsrfCookie::new(app),
            language: language::LanguageLayer::new(app),
            error_pages: error_page::ErrorPages::new(app),
            span: span::RequestSpan::new(app),
            body_limit: body_limit::BodyLimit::new(app),
        })
    }
}

/// Answers a request within all layers; the last one is the outermost.
pub async fn run(layers: Arc<Layers>, request: Request, next: axum::middleware::Next) -> Response {
    let request = Box::new(request);
    handler::Handler(next)
        .within(&layers.body_limit)
        .within(&panic::CatchPanic)
        .within(&timeout::Timeout)
        .within(&layers.span)
        .within(&only_navigations::OnlyNavigations)
        .within(&host::HostCheck)
        .within(&head_limit::HeadLimit)
        .within(&skip_unread::SkipUnread)
        .within(&layers.error_pages)
        .within(&layers.language)
        .within(&layers.csrf_cookie)
        .within(&layers.security_headers)
        .within(&layers.access_log)
        .within(&request_id::RequestIdLayer)
        .run(request)
        .await
}
