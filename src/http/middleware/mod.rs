//! What surrounds every handler, one file for each part.
//!
//! An answer for programs (JSON, the gate, probes) needs less of it than a page does, so the router says of each group of
//! routes who reads its answers. What comes before a handler is done at once, and what comes after it in one future: a
//! layer with a future of its own would copy that of all within, for each request.

mod access_log;
mod body_limit;
mod counted_request;
mod guard;
mod head_limit;
mod host;
mod only_navigations;
mod page;
mod route;
mod security_headers;
mod skip_unread;
mod span;

pub use head_limit::MAX_HEAD_BYTES;
pub use security_headers::content_policy;

use self::access_log::AccessLine;
use self::body_limit::BodyLimit;
use self::page::PageAnswer;
use self::security_headers::SecurityHeaders;
use self::skip_unread::UnreadRest;
use self::span::RequestSpan;
use super::error::ResponseFormat;
use crate::context::App;
use axum::extract::Request;
use axum::response::Response;
use std::convert::Infallible;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use tower_layer::Layer;
use tower_service::Service;

/// What is built once from the settings.
pub struct Surroundings {
    app: Arc<App>,
    body_limit: BodyLimit,
    of_programs: SecurityHeaders,
    of_pages: SecurityHeaders,
}

impl Surroundings {
    pub fn new(app: &Arc<App>) -> Arc<Self> {
        Arc::new(Self {
            app: app.clone(),
            body_limit: BodyLimit::new(app),
            of_programs: SecurityHeaders::of_programs(&app.settings),
            of_pages: SecurityHeaders::of_pages(&app.settings),
        })
    }

    /// The gate answers with a page, too.
    fn headers(&self, format: ResponseFormat, response: &Response) -> &SecurityHeaders {
        if format.is_json() && !page::is_page(response) { &self.of_programs } else { &self.of_pages }
    }
}

/// Surrounds the routes of a group.
#[derive(Clone)]
pub struct Surround {
    surroundings: Arc<Surroundings>,
    /// The format of their errors; `None`: that of a path without a route.
    format: Option<ResponseFormat>,
}

impl Surround {
    pub fn new(surroundings: &Arc<Surroundings>, format: impl Into<Option<ResponseFormat>>) -> Self {
        Self { surroundings: surroundings.clone(), format: format.into() }
    }
}

impl<S> Layer<S> for Surround {
    type Service = Surrounded<S>;

    fn layer(&self, inner: S) -> Surrounded<S> {
        Surrounded { by: self.clone(), inner }
    }
}

#[derive(Clone)]
pub struct Surrounded<S> {
    by: Surround,
    inner: S,
}

type Answering = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

impl<S> Service<Request> for Surrounded<S>
where
    S: Service<Request, Response = Response, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Answering;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request) -> Answering {
        let Surround { surroundings, format } = &self.by;
        let format = format.unwrap_or_else(|| ResponseFormat::without_route(&request));
        let begun = Begun::new(surroundings.clone(), &mut request, format);
        if let Some(refusal) = refuse(&request, format) {
            return Box::pin(async move { Ok(begun.complete(refusal).await) });
        }
        surroundings.body_limit.allow(&mut request);
        let proxies = &surroundings.app.settings.server.trusted_proxies;
        let span = RequestSpan::begin(&surroundings.app.traces, proxies, &mut request, begun.line.id());
        let (may_change, parent) = (guard::may_change(&request), span.parent());
        let handler = self.inner.call(request);
        if may_change {
            return Box::pin(begun.answer(span, guard::run_to_its_end(handler, parent)));
        }
        Box::pin(begun.answer(span, async move {
            let Ok(response) = handler.await;
            response
        }))
    }
}

/// What is known of a request before its handler, and completes the answer.
struct Begun {
    surroundings: Arc<Surroundings>,
    format: ResponseFormat,
    line: AccessLine,
    page: Option<PageAnswer>,
    unread: Option<UnreadRest>,
}

impl Begun {
    fn new(surroundings: Arc<Surroundings>, request: &mut Request, format: ResponseFormat) -> Self {
        let app = &surroundings.app;
        let line = AccessLine::begin(app, request);
        let page = (!format.is_json()).then(|| PageAnswer::begin(app, request, line.id()));
        Self { line, page, unread: UnreadRest::of(request), surroundings, format }
    }

    async fn answer<H>(self, span: RequestSpan, handler: H) -> Result<Response, Infallible>
    where
        H: Future<Output = Response> + Send,
    {
        // Handed on by reference: futures that hold others copy them.
        let handler = pin!(handler);
        let response = span.around(guard::answer(handler, self.format)).await;
        Ok(self.complete(response).await)
    }

    async fn complete(self, mut response: Response) -> Response {
        // Boxed, as few requests need room for these.
        if let Some(unread) = self.unread {
            Box::pin(unread.skip(&mut response)).await;
        }
        if let Some(page) = self.page {
            response = Box::pin(page.complete(&self.surroundings.app, response)).await;
        }
        self.surroundings.headers(self.format, &response).complete(&mut response);
        response.headers_mut().extend(self.line.id().header());
        self.line.end(&response);
        response
    }
}

/// Refuses a request before its handler sees it.
fn refuse(request: &Request, format: ResponseFormat) -> Option<Response> {
    let for_all = head_limit::refuse(request, format).or_else(|| host::refuse(request, format));
    for_all.or_else(|| if format.is_json() { None } else { only_navigations::refuse(request) })
}
