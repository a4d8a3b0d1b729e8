//! The page for a request that cannot be answered.

use super::{Chrome, words};
use crate::http::request_id::RequestId;
use crate::messages::{Key, Text};
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
    pub problem: Problem,
}

/// What is wrong with a request, or with us.
#[derive(Clone, Copy, Debug)]
pub enum Problem {
    /// 400: the request could not be understood.
    BadRequest,
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
        request_id: RequestId,
    },
    /// 503: overloaded, or the database is away.
    Unavailable {
        /// How long to wait.
        retry_after: Duration,
    },
}

impl Problem {
    /// The status the page is sent with.
    pub const fn status(self) -> StatusCode {
        match self {
            Problem::BadRequest => StatusCode::BAD_REQUEST,
            Problem::NotFound => StatusCode::NOT_FOUND,
            Problem::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Problem::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Problem::TooManyRequests { .. } => StatusCode::TOO_MANY_REQUESTS,
            Problem::Internal { .. } => StatusCode::INTERNAL_SERVER_ERROR,
            Problem::Unavailable { .. } => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    const fn heading(self) -> Key {
        match self {
            Problem::BadRequest => Key("error-bad-request"),
            Problem::NotFound => Key("error-not-found"),
            Problem::MethodNotAllowed => Key("error-method"),
            Problem::TooLarge => Key("error-too-large"),
            Problem::TooManyRequests { .. } => Key("error-too-many"),
            Problem::Internal { .. } => Key("error-internal"),
            Problem::Unavailable { .. } => Key("error-unavailable"),
        }
    }

    const fn explanation(self) -> Key {
        match self {
            Problem::BadRequest => Key("error-bad-request-why"),
            Problem::NotFound => Key("error-not-found-why"),
            Problem::MethodNotAllowed => Key("error-method-why"),
            Problem::TooLarge => Key("error-too-large-why"),
            Problem::TooManyRequests { .. } => Key("error-too-many-why"),
            Problem::Internal { .. } => Key("error-internal-why"),
            Problem::Unavailable { .. } => Key("error-unavailable-why"),
        }
    }

    /// When to try again, or how to get help.
    fn advice<'a>(self, chrome: &Chrome<'a>) -> Option<Text<'a>> {
        match self {
            Problem::TooManyRequests { retry_after } | Problem::Unavailable { retry_after } => {
                Some(chrome.t("error-try-again").with("wait", words::duration(chrome.messages, retry_after)))
            }
            Problem::Internal { .. } => Some(chrome.t("error-internal-tell")),
            _ => None,
        }
    }

    const fn reference(self) -> Option<RequestId> {
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
