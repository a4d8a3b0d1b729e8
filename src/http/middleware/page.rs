//! Completes the answers of pages: their cookies, and the page of an error, in the reader's language.

use crate::context::App;
use crate::crypto::csrf::generate;
use crate::http::language::Language;
use crate::http::page_notes::PageNotes;
use crate::http::request_id::RequestId;
use crate::http::views::{self, ErrorPage, Layout, Problem, Retry, RetryForm};
use crate::http::{cookies, csrf, session};
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_TYPE, COOKIE, SET_COOKIE};
use axum::response::Response;

/// What the answer needs to know of its request.
pub struct PageAnswer {
    notes: PageNotes,
    language: Language,
    id: RequestId,
    cookies: HeaderMap,
}

impl PageAnswer {
    /// Gives the handler the reader's language, and the notes that it leaves for the answer.
    pub fn begin(app: &App, request: &mut Request, id: RequestId) -> Self {
        let language = Language::of(&app.settings, request);
        let notes = PageNotes::default();
        let cookies = request.headers().get_all(COOKIE).into_iter().map(|cookie| (COOKIE, cookie.clone())).collect();
        let extensions = request.extensions_mut();
        extensions.insert(language.clone());
        extensions.insert(notes.clone());
        Self { notes, language, id, cookies }
    }

    pub async fn complete(self, app: &App, mut response: Response) -> Response {
        if let Some(problem) = response.extensions().get::<Problem>().copied() {
            response = self.show(app, problem, response).await;
        }
        for cookie in self.notes.take_cookies() {
            response.headers_mut().append(SET_COOKIE, cookie);
        }
        if is_page(&response) {
            csrf::give_cookie(&app.settings, &self.cookies, &mut response);
        }
        response
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
        let token = generate().ok()?;
        self.notes.set_cookies(cookies::csrf(&app.settings, &token));
        Some(token)
    }
}

pub fn is_page(response: &Response) -> bool {
    response.headers().get(CONTENT_TYPE).is_some_and(|value| value.as_bytes().starts_with(b"text/html"))
}
