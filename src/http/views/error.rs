//! The page for a request that cannot be answered.

use super::{Layout, format};
use crate::http::request_id::RequestId;
use crate::messages::{Key, Text};
use crate::model::time::whole_seconds;
use askama::Template;
use axum::http::StatusCode;
use std::time::Duration;

/// Any error that has no page of its own.
#[derive(Template)]
#[template(path = "error.html")]
pub struct ErrorPage<'a> {
    pub layout: Layout<'a>,
    pub problem: Problem,
    /// The request's id, for finding a failure in the log.
    pub request_id: RequestId,
    /// What the button does, where trying again can help.
    pub retry: Option<Retry<'a>>,
}

struct Way<'a> {
    href: &'a str,
    label: Text<'a>,
}

impl ErrorPage<'_> {
    /// Where the page leads, the best first.
    fn ways(&self) -> Vec<Way<'_>> {
        let Self { layout, problem, .. } = self;
        if problem.is_about_loading() {
            return vec![Way { href: layout.return_path, label: layout.t("error-script-open") }];
        }
        let links = &layout.brand.links;
        let app = links.app.as_deref().filter(|_| problem.offers_home());
        let app =
            app.map(|href| Way { href, label: layout.t("back-to-app").with("brand", layout.brand.name.as_str()) });
        let home = if layout.viewer.is_some() { "error-to-account" } else { "error-to-log-in" };
        let home = problem.offers_home().then(|| Way { href: "/auth/", label: layout.t(home) });
        let support = links.support.as_deref().filter(|_| problem.offers_support());
        let support = support.map(|href| Way { href, label: layout.t("error-support") });
        [app, home, support].into_iter().flatten().collect()
    }

    /// Those that are not the page's button.
    fn other_ways<'w>(&self, ways: &'w [Way<'w>]) -> &'w [Way<'w>] {
        if self.retry.is_some() { ways } else { ways.get(1..).unwrap_or_default() }
    }
}

#[derive(Clone, Copy, Debug)]
pub enum Retry<'a> {
    Page(&'a str),
    Form(RetryForm<'a>),
}

/// A form that was sent, without passwords and codes.
#[derive(Clone, Copy)]
pub struct RetryForm<'a> {
    pub action: &'a str,
    pub csrf: &'a str,
    pub fields: &'a [(&'a str, &'a str)],
    /// Whether a password or code is missing, so that its page asks for it.
    pub fill_in: bool,
}

/// Omits the token.
impl std::fmt::Debug for RetryForm<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RetryForm").field("action", &self.action).finish_non_exhaustive()
    }
}

#[derive(Clone, Copy, Debug)]
pub enum Problem {
    BadRequest,
    /// 403: a script or a frame asks for a page (docs/reference/browser.md 4.5).
    NotForScripts,
    /// 403: the account may not open the page.
    NotPermitted,
    NotFound,
    /// 405: the page exists, but not for this method.
    MethodNotAllowed,
    /// 413: the body or the headers are too large.
    TooLarge,
    TooManyRequests {
        /// How long to wait before a retry.
        retry_after: Duration,
    },
    Internal,
    /// 503: overloaded, or the database is unavailable.
    Unavailable {
        /// How long to wait before a retry.
        retry_after: Duration,
    },
}

impl Problem {
    pub const fn status(self) -> StatusCode {
        match self {
            Problem::BadRequest => StatusCode::BAD_REQUEST,
            Problem::NotForScripts | Problem::NotPermitted => StatusCode::FORBIDDEN,
            Problem::NotFound => StatusCode::NOT_FOUND,
            Problem::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Problem::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Problem::TooManyRequests { .. } => StatusCode::TOO_MANY_REQUESTS,
            Problem::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            Problem::Unavailable { .. } => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    const fn heading(self) -> Key {
        match self {
            Problem::BadRequest => Key("error-bad-request"),
            Problem::NotForScripts => Key("error-script"),
            Problem::NotPermitted => Key("gate-forbidden"),
            Problem::NotFound => Key("error-not-found"),
            Problem::MethodNotAllowed => Key("error-method"),
            Problem::TooLarge => Key("error-too-large"),
            Problem::TooManyRequests { .. } => Key("error-too-many"),
            Problem::Internal => Key("error-internal"),
            Problem::Unavailable { .. } => Key("error-unavailable"),
        }
    }

    const fn explanation(self) -> Key {
        match self {
            Problem::BadRequest => Key("error-bad-request-why"),
            Problem::NotForScripts => Key("error-script-alone"),
            Problem::NotPermitted => Key("gate-forbidden-why"),
            Problem::NotFound => Key("error-not-found-why"),
            Problem::MethodNotAllowed => Key("error-method-why"),
            Problem::TooLarge => Key("error-too-large-why"),
            Problem::TooManyRequests { .. } => Key("error-too-many-why"),
            Problem::Internal => Key("error-internal-why"),
            Problem::Unavailable { .. } => Key("error-unavailable-why"),
        }
    }

    /// How long to wait before a retry.
    pub const fn retry_after(self) -> Option<Duration> {
        match self {
            Problem::TooManyRequests { retry_after } | Problem::Unavailable { retry_after } => Some(retry_after),
            _ => None,
        }
    }

    fn seconds_to_wait(self) -> u64 {
        whole_seconds(self.retry_after().unwrap_or_default())
    }

    /// What the page says without the script, which counts down.
    fn when_to_retry<'a>(self, layout: &Layout<'a>) -> Text<'a> {
        let wait = self.retry_after().unwrap_or_default();
        layout.t("error-try-again").with("wait", format::duration(layout.messages, wait))
    }

    /// Whether the page shows the request's id.
    const fn has_reference(self) -> bool {
        matches!(self, Problem::Internal)
    }

    /// Whether the page would be there for a browser that opens it by itself. Links that leave the current window's frame
    /// are not fetched: Turbo, htmx and Unpoly let those with a target alone.
    const fn is_about_loading(self) -> bool {
        matches!(self, Problem::NotForScripts)
    }

    const fn offers_support(self) -> bool {
        matches!(self, Problem::Internal | Problem::NotFound | Problem::TooManyRequests { .. })
    }

    /// Whether a link to the home page can help.
    const fn offers_home(self) -> bool {
        self.retry_after().is_none()
    }
}
