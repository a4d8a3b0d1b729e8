//! Answers to requests that cannot be served: JSON under the API, a page elsewhere (contract.md 4 and 7).

use super::api::error::{ApiError, Code};
use super::form::FormError;
use super::language::Language;
use super::request_id::RequestId;
use super::views::{self, Chrome, ErrorPage, Problem};
use crate::context::App;
use crate::error::Error;
use axum::extract::Request;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use std::time::Duration;

/// After a fault or an overload, a client does well to wait this long.
const RETRY: Duration = Duration::from_secs(5);

/// Who reads the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// A program.
    Program,
    /// A person.
    Person,
}

impl Audience {
    /// Programs ask under the API and for keys.
    pub fn of(request: &Request) -> Self {
        let path = request.uri().path();
        let program = path.starts_with("/auth/api/")
            || path == "/auth/api"
            || path.starts_with("/auth/.well-known/")
            || path == "/auth/sessions/refresh";
        if program { Audience::Program } else { Audience::Person }
    }
}

/// The answer of a page for a problem. Its text follows in [`show_problem`], in the language of the reader, whom those
/// who find a problem do not know.
pub fn problem(problem: Problem) -> Response {
    let mut response = problem.status().into_response();
    response.extensions_mut().insert(problem);
    if let Problem::TooManyRequests { retry_after } | Problem::Unavailable { retry_after } = problem {
        set_retry_after(&mut response, retry_after);
    }
    response
}

/// Gives the answer for a problem its page; any other answer stays as it is.
pub fn show_problem(app: &App, language: &Language, response: Response) -> Response {
    let Some(problem) = response.extensions().get::<Problem>().copied() else { return response };
    let page = views::page(response.status(), &ErrorPage { chrome: Chrome::new(app, language), problem });
    let (mut head, _) = response.into_parts();
    let (shown, body) = page.into_parts();
    head.headers.extend(shown.headers);
    Response::from_parts(head, body)
}

/// Says when to try again, in whole seconds, rounded up.
pub fn set_retry_after(response: &mut Response, retry_after: Duration) {
    let seconds = retry_after.as_secs() + u64::from(retry_after.subsec_nanos() > 0);
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds.max(1)));
}

/// The answer for a request that failed outside of its handler.
pub fn fault(audience: Audience, status: StatusCode, id: RequestId) -> Response {
    match (audience, status) {
        (Audience::Program, StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE) => {
            let mut response = ApiError::because(Code::InvalidRequest, "The headers are too large.").into_response();
            *response.status_mut() = status;
            response
        }
        (Audience::Person, StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE) => {
            let mut response = problem(Problem::TooLarge);
            *response.status_mut() = status;
            response
        }
        (Audience::Program, _) => ApiError::new(Code::InternalError).into_response(),
        (Audience::Person, StatusCode::SERVICE_UNAVAILABLE) => problem(Problem::Unavailable { retry_after: RETRY }),
        (Audience::Person, _) => problem(Problem::Internal { request_id: id }),
    }
}

/// A use case failed through no fault of the user's: logged with the request's id, answered without detail.
pub struct Fault {
    error: Error,
    id: RequestId,
}

impl Fault {
    /// `id` is the request's.
    pub fn new(error: impl Into<Error>, id: RequestId) -> Self {
        Self { error: error.into(), id }
    }

    /// Whether it makes sense to try again soon.
    fn is_passing(&self) -> bool {
        match &self.error {
            Error::Busy => true,
            Error::Store(error) => error.is_unavailable(),
            _ => false,
        }
    }

    /// Logs it once; an overload is no error of the program.
    fn log(&self) {
        if matches!(self.error, Error::Busy) {
            tracing::warn!(request = %self.id, "{}", self.error);
        } else {
            tracing::error!(request = %self.id, "{}", self.error);
        }
    }

    /// The answer for a program.
    pub fn json(self) -> Response {
        self.log();
        ApiError::new(Code::InternalError).into_response()
    }
}

/// The answer for a person.
impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        self.log();
        if self.is_passing() {
            problem(Problem::Unavailable { retry_after: RETRY })
        } else {
            problem(Problem::Internal { request_id: self.id })
        }
    }
}

/// No such path.
pub async fn not_found(request: Request) -> Response {
    match Audience::of(&request) {
        Audience::Program => ApiError::new(Code::NotFound).into_response(),
        Audience::Person => problem(Problem::NotFound),
    }
}

/// The path exists, but not for this method; the router adds `Allow`.
pub async fn method_not_allowed(request: Request) -> Response {
    match Audience::of(&request) {
        Audience::Program => ApiError::new(Code::MethodNotAllowed).into_response(),
        Audience::Person => problem(Problem::MethodNotAllowed),
    }
}

/// The page for a body that is no form.
pub fn unreadable(error: FormError) -> Response {
    let mut response = problem(match error {
        FormError::TooLarge => Problem::TooLarge,
        FormError::WrongType | FormError::NotText | FormError::Incomplete => Problem::BadRequest,
    });
    *response.status_mut() = error.status();
    response
}
