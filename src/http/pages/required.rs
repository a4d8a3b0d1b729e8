//! Shared by the pages: required login, ids of the path, the 404 page.

use super::page_context::PageContext;
use crate::domain::session::lifecycle::Subject;
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::http::views::Problem;
use axum::response::Response;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use uuid::Uuid;

impl PageContext {
    /// Requires a session; without one, redirects to the login page, which returns to `path`.
    pub async fn require_login(&self, path: &str) -> Result<LiveSession, PageError> {
        match self.session().await? {
            Some(live) => Ok(live),
            None => Err(self.redirect_to_login(path).into()),
        }
    }

    pub fn redirect_to_login(&self, path: &str) -> Response {
        self.redirect_to_login_with(Some(path))
    }

    /// Redirects to the login page, keeping `return_to` if there is one.
    pub fn redirect_to_login_with(&self, return_to: Option<&str>) -> Response {
        let query = return_to.map(|path| format!("?return_to={}", utf8_percent_encode(path, NON_ALPHANUMERIC)));
        self.redirect(Some(&format!("/auth/login{}", query.unwrap_or_default())))
    }

    /// Sets an access token with the session's current claims, for the audience of the presented token if permitted.
    pub fn reissue_access_token(&self, live: &LiveSession, subject: &Subject) -> Result<(), PageError> {
        let token = live.reissue_access_token(&self.app, subject)?;
        self.set_access_cookie(&token);
        Ok(())
    }
}

/// Parses an id of the path; anything else is a 404.
pub fn parse_id(text: &str) -> Result<Uuid, PageError> {
    Uuid::try_parse(text).map_err(|_| not_found())
}

pub fn not_found() -> PageError {
    Problem::NotFound.into()
}
