//! How a page's handler ends early: `?` on whatever a use case returns.

use super::error::{self, ResponseFormat};
use super::failure::RequestFailure;
use super::form::{FormError, FormErrors};
use super::views::Problem;
use crate::error::Error;
use crate::model::principal::Denied;
use crate::random::RandomError;
use crate::rate_limit::RateLimitError;
use crate::refusal::{ChangeError, Refusal, Rule};
use crate::store::StoreError;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

/// Ends a page's handler early.
#[derive(Debug)]
pub enum PageError {
    /// With a response: a redirect, or a page that says what is wrong.
    Response(Box<Response>),
    /// With the page for a failure, which is logged with the request's id.
    Failed(RequestFailure),
}

impl From<Response> for PageError {
    fn from(response: Response) -> Self {
        PageError::Response(Box::new(response))
    }
}

impl From<Problem> for PageError {
    fn from(problem: Problem) -> Self {
        error::problem(problem).into()
    }
}

impl From<FormError> for PageError {
    fn from(form_error: FormError) -> Self {
        error::bad_form(form_error).into()
    }
}

impl From<RateLimitError> for PageError {
    fn from(error: RateLimitError) -> Self {
        match error {
            RateLimitError::Exceeded(retry_after) => Problem::TooManyRequests { retry_after }.into(),
            RateLimitError::Failed(error) => error.into(),
        }
    }
}

impl From<Error> for PageError {
    fn from(error: Error) -> Self {
        match error {
            // A role was taken away since the page was asked for.
            Error::Store(StoreError::Denied(Denied::Operation)) => {
                tracing::warn!("a page was refused: {error}");
                Problem::NotPermitted.into()
            }
            error => PageError::Failed(error.into()),
        }
    }
}

impl From<StoreError> for PageError {
    fn from(error: StoreError) -> Self {
        Error::from(error).into()
    }
}

impl From<RandomError> for PageError {
    fn from(error: RandomError) -> Self {
        Error::from(error).into()
    }
}

/// For a page that has no form to say it. Every refusal is a 404 there, so that it does not tell what exists.
impl From<ChangeError> for PageError {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::Refused(Refusal::TooSoon(retry_after)) => Problem::TooManyRequests { retry_after }.into(),
            ChangeError::Refused(Refusal::NotFound(_) | Refusal::Fields(_) | Refusal::Rule(..)) => {
                Problem::NotFound.into()
            }
            ChangeError::Failed(error) => error.into(),
        }
    }
}

impl FormErrors {
    /// With why its change was not made. What no form can say has a page of its own.
    pub fn refused(self, error: ChangeError) -> Result<Self, PageError> {
        match error {
            ChangeError::Refused(Refusal::Fields(fields)) => Ok(self.and_fields(fields)),
            ChangeError::Refused(Refusal::Rule(rule, message)) => {
                Ok(self.and_form(message).with_status(status_of(rule)))
            }
            error => Err(error.into()),
        }
    }
}

fn status_of(rule: Rule) -> StatusCode {
    match rule {
        Rule::Forbidden | Rule::Protected => StatusCode::FORBIDDEN,
        Rule::OwnAccount
        | Rule::NotInThisMode
        | Rule::LastAdministrator
        | Rule::LastOwner
        | Rule::AlreadyMember
        | Rule::IdentityTaken
        | Rule::Ended
        | Rule::Conflict
        | Rule::Full => StatusCode::UNPROCESSABLE_ENTITY,
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        match self {
            PageError::Response(response) => *response,
            PageError::Failed(failure) => error::failed(failure, ResponseFormat::Html),
        }
    }
}
