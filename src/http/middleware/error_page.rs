//! Completes the answers of pages: their cookies, and the page of an error, in the reader's language.

use super::layer::{InnerService, Layer};
use crate::context::App;
use crate::http::error::ResponseFormat;
use crate::http::language::Language;
use crate::http::page_notes::PageNotes;
use crate::http::request_id::RequestId;
use crate::http::views::{self, ErrorPage, Layout, Problem, Retry, RetryForm};
use crate::http::{cookies, csrf, session};
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::http::header::{COOKIE, SET_COOKIE};
use axum::response::Response;
use std::sync::Arc;

/// Stands outside everything that may answer instead of the handler.
pub struct ErrorPages(Arc<App>);

impl ErrorPages {
    pub fn new(app: &Arc<App>) -> Self {
        Self(app.clone())
    }
}

impl Layer for ErrorPages {
    async fn handle(&self, request: Box<Request>, next: impl InnerService) -> Response {
        // Boxed: each layer around this one copies the future of those within when it starts, and requests of
        // applications need no room for the reader of a page.
        if ResponseFormat::of(&request).is_json() {
            return Box::pin(next.run(request)).await;
        }
        Box::pin(self.answer_reader(request, next)).await
    }
}

impl ErrorPages {
    async fn answer_reader(&self, mut request: Box<Request>, next: impl InnerService) -> Response {
        let reader = Reader::of(&request);
        request.extensions_mut().insert(reader.notes.clone());
        let mut response = next.run(request).await;
        if let Some(problem) = response.extensions().get::<Problem>().copied() {
            // Boxed: the future has kilobytes, which would be part of every request's.
            response = Box::pin(reader.show(&self.0, problem, response)).await;
        }
        for cookie in reader.notes.take_cookies() {
            response.headers_mut().append(SET_COOKIE, cookie);
        }
        response
    }
}

/// What the page of an error needs to know of the request.
struct Reader {
    notes: PageNotes,
    language: Language,
    id: RequestId,
    cookies: HeaderMap,
}

impl Reader {
    fn of(request: &Request) -> Self {
        let extensions = request.extensions();
        let cookies = request.headers().get_all(COOKIE).into_iter().map(|cookie| (COOKIE, cookie.clone()));
        Self {
            notes: PageNotes::default(),
            language: extensions.get().cloned().unwrap_or_default(),
            id: extensions.get().copied().unwrap_or_default(),
            cookies: cookies.collect(),
        }
    }

    /// Puts the page into a response that has none yet.
    async fn show(&self, app: &App, problem: Problem, response: Response) -> Response {
        let viewer = self.viewer(app, problem).await;
        let sent = self.notes.sent().filter(|_| problem.retry_after().is_some());
        let csrf = if sent.is_some() { self.csrf(app) } else { None };
        let fields: Vec<_> = sent.iter().flat_map(|sent| sent.typed.fields()).collect();
        let retry = match (&sent, &csrf) {
            (Some(sent), Some(csrf)) => Retry::Form(RetryForm {
                action: &sent.action,
                csrf,
                fields: &fields,
                fill_in: !sent.typed.is_complete(),
            }),
            _ => Retry::Page(&self.language.return_path),
        };
        let layout = Layout::new(app, &self.language).seen_by(viewer.as_deref());
        let retry = problem.retry_after().map(|_| retry);
        let page = views::page(response.status(), &ErrorPage { layout, problem, request_id: self.id, retry });
        let (mut head, _) = response.into_parts();
        let (rendered, body) = page.into_parts();
        head.headers.extend(rendered.headers);
        Response::from_parts(head, body)
    }

    /// Who is logged in. Where the service is overloaded or the database away, only if the handler has found out.
    async fn viewer(&self, app: &App, problem: Problem) -> Option<String> {
        match (self.notes.viewer(), problem) {
            (None, Problem::Unavailable { .. }) => None,
            (None, _) => session::viewer(app, &self.cookies).await,
            (found, _) => found,
        }
    }

    /// The token of the cookie, or a new one.
    fn csrf(&self, app: &App) -> Option<String> {
        if let Some(token) = self.notes.csrf() {
            return Some(token);
        }
        if let Some(token) = csrf::token(&app.settings, &self.cookies) {
            return Some(token.to_owned());
        }
        let token = crate::crypto::csrf::generate().ok()?;
        self.notes.set_cookies(cookies::csrf(&app.settings, &token));
        Some(token)
    }
}
