//! The page for a request that cannot be answered.

use super::{Chrome, words};
use askama::Template;
use axum::http::StatusCode;
use std::time::Duration;

/// Any error that has no page of its own.
#[derive(Template)]
#[template(path = "error.html")]
pub struct ErrorPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// What is wrong.
    pub problem: Problem<'a>,
}

/// What is wrong with a request, or with us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem<'a> {
    /// 400: the request could not be understood.
    BadRequest,
    /// 403: a form from elsewhere, or a page for others.
    Forbidden,
    /// 404: no such page.
    NotFound,
    /// 405: the page exists, but not for this method.
    MethodNotAllowed,
    /// 413: more was sent than we take.
    TooLarge,
    /// 429: too many requests.
    TooManyRequests {
        /// How long to wait.
        retry_after: Duration,
    },
    /// 500: our fault.
    Internal {
        /// The request's id, by which the operator finds it in the log.
        request_id: &'a str,
    },
    /// 503: overloaded, or the database is away.
    Unavailable {
        /// How long to wait.
        retry_after: Duration,
    },
}

impl Problem<'_> {
    /// The status the page is sent with.
    pub const fn status(self) -> StatusCode {
        match self {
            Problem::BadRequest => StatusCode::BAD_REQUEST,
            Problem::Forbidden => StatusCode::FORBIDDEN,
            Problem::NotFound => StatusCode::NOT_FOUND,
            Problem::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Problem::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Problem::TooManyRequests { .. } => StatusCode::TOO_MANY_REQUESTS,
            Problem::Internal { .. } => StatusCode::INTERNAL_SERVER_ERROR,
            Problem::Unavailable { .. } => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    const fn heading(self) -> &'static str {
        match self {
            Problem::BadRequest => "We could not read this request",
            Problem::Forbidden => "You cannot do this",
            Problem::NotFound => "There is no page here",
            Problem::MethodNotAllowed => "This page cannot be used that way",
            Problem::TooLarge => "That was too much to send",
            Problem::TooManyRequests { .. } => "Too many tries",
            Problem::Internal { .. } => "Something went wrong on our side",
            Problem::Unavailable { .. } => "We cannot answer right now",
        }
    }

    const fn explanation(self) -> &'static str {
        match self {
            Problem::BadRequest => "Your browser sent something incomplete or damaged. Nothing was changed.",
            Problem::Forbidden => {
                "You may not have the right to do it, or the form was sent from another site. Nothing was changed."
            }
            Problem::NotFound => "The address may be mistyped, or the link may be old.",
            Problem::MethodNotAllowed => {
                "It may have been reached by reloading or by an old link. Nothing was changed."
            }
            Problem::TooLarge => "The form is larger than we accept. Shorten what you typed and send it again.",
            Problem::TooManyRequests { .. } => "To keep people safe, we limit how often this can be done.",
            Problem::Internal { .. } => "It is not your fault. Try again in a moment.",
            Problem::Unavailable { .. } => "The service is busy or being worked on.",
        }
    }

    /// When to try again, or how to get help.
    fn advice(self) -> Option<String> {
        match self {
            Problem::TooManyRequests { retry_after } | Problem::Unavailable { retry_after } => {
                Some(format!("Try again in {}.", words::duration(retry_after)))
            }
            Problem::Internal { .. } => Some(
                "If it happens again, tell the people who run the service, and give them this reference.".to_owned(),
            ),
            _ => None,
        }
    }

    const fn reference(&self) -> Option<&str> {
        match self {
            Problem::Internal { request_id } => Some(request_id),
            _ => None,
        }
    }

    /// Whether leaving for another page of ours can help.
    const fn offers_home(self) -> bool {
        !matches!(self, Problem::TooManyRequests { .. } | Problem::Unavailable { .. })
    }
}
