//! How an operation ends early: `?` on whatever a use case returns (docs/reference/api-v2.md 18.1).

use crate::domain::identity::field_errors::{EMAIL_TAKEN, USERNAME_TAKEN};
use crate::error::Error;
use crate::http::api::error::ErrorCode;
use crate::http::error::{self, RETRY_INTERVAL, ResponseFormat};
use crate::http::failure::RequestFailure;
use crate::http::form::FormError;
use crate::messages::Message;
use crate::model::api_key::Scope;
use crate::model::principal::Denied;
use crate::rate_limit::RateLimitError;
use crate::refusal::{ChangeError, FieldName, Refusal, Rule};
use crate::store::StoreError;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;
use utoipa::ToSchema;

/// After this it is worth asking whether some of the pending invitations were answered.
const PENDING_INVITATIONS_WAIT: Duration = Duration::from_hours(1);

/// Ends an operation early. Boxed, as it is part of every result.
#[derive(Debug)]
pub struct OperationError(Box<Ending>);

#[derive(Debug)]
enum Ending {
    Refused(Refused),
    /// As before: the request is a repeated one.
    Answered(Response),
    /// Logged with the request's id.
    Failed(RequestFailure),
}

#[derive(Debug)]
struct Refused {
    content: ErrorContent,
    retry_after: Option<Duration>,
    /// Why the body was not read to its end.
    unread: Option<FormError>,
}

/// The body of every error.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// What is wrong.
    error: ErrorContent,
}

/// What is wrong with a request.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorContent {
    /// For programs: it never changes its meaning.
    #[schema(example = "not_found")]
    code: ErrorCode,
    /// For people; it may change.
    #[schema(value_type = String)]
    message: Cow<'static, str>,
    /// With `forbidden`: the scope that the API key lacks.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false)]
    scope: Option<&'static str>,
    /// With `validation_failed`: a sentence for each field that is not accepted; a nested field has a dotted name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(required = false)]
    details: BTreeMap<String, String>,
}

impl OperationError {
    /// An error with the message of its code.
    pub fn new(code: ErrorCode) -> Self {
        let (_, _, message) = code.parts();
        Self::with_message(code, message)
    }

    /// An error with a message of its own.
    pub fn with_message(code: ErrorCode, message: impl Into<Cow<'static, str>>) -> Self {
        let content = ErrorContent { code, message: message.into(), scope: None, details: BTreeMap::new() };
        Self::refused(Refused { content, retry_after: None, unread: None })
    }

    /// There is no such thing, such as "organization".
    pub fn no_such(thing: &str) -> Self {
        Self::with_message(ErrorCode::NotFound, format!("There is no such {thing}."))
    }

    pub fn missing_scope(scope: &'static str) -> Self {
        Self::with_message(ErrorCode::Forbidden, format!("The API key needs the scope {scope}."))
            .adjusted(|refused| refused.content.scope = Some(scope))
    }

    /// Fields are not accepted, each with its sentence.
    pub fn fields(details: BTreeMap<String, String>) -> Self {
        Self::new(ErrorCode::ValidationFailed).adjusted(|refused| refused.content.details = details)
    }

    pub fn field(name: &str, sentence: impl Into<String>) -> Self {
        Self::fields(BTreeMap::from([(name.to_owned(), sentence.into())]))
    }

    /// Too many requests; a retry is allowed after this time.
    pub fn too_many(retry_after: Duration) -> Self {
        Self::new(ErrorCode::RateLimited).adjusted(|refused| refused.retry_after = Some(retry_after))
    }

    /// Nothing is wrong: the answer was given before.
    pub fn answered(response: Response) -> Self {
        Self(Box::new(Ending::Answered(response)))
    }

    fn refused(refused: Refused) -> Self {
        Self(Box::new(Ending::Refused(refused)))
    }

    fn adjusted(mut self, adjust: impl FnOnce(&mut Refused)) -> Self {
        if let Ending::Refused(refused) = &mut *self.0 {
            adjust(refused);
        }
        self
    }
}

impl IntoResponse for OperationError {
    fn into_response(self) -> Response {
        let Refused { content, retry_after, unread } = match *self.0 {
            Ending::Refused(refused) => refused,
            Ending::Answered(response) => return response,
            Ending::Failed(failure) => return error::failed(failure, ResponseFormat::JsonV2),
        };
        let (status, ..) = content.code.parts();
        let body = serde_json::to_vec(&ErrorBody { error: content }).unwrap_or_default();
        let headers = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")];
        let mut response = (status, headers, body).into_response();
        if let Some(wait) = retry_after {
            error::set_retry_after(&mut response, wait);
        }
        if let Some(unread) = unread {
            error::close_unread(&mut response, unread);
        }
        response
    }
}

impl From<RequestFailure> for OperationError {
    fn from(failure: RequestFailure) -> Self {
        Self(Box::new(Ending::Failed(failure)))
    }
}

impl From<Error> for OperationError {
    fn from(error: Error) -> Self {
        match error {
            Error::Store(StoreError::Denied(denied)) => denied.into(),
            Error::TakenOver => Self::new(ErrorCode::IdempotencyInProgress),
            error => RequestFailure::from(error).into(),
        }
    }
}

impl From<Denied> for OperationError {
    fn from(denied: Denied) -> Self {
        match Refusal::of(denied) {
            Ok(refusal) => refusal.into(),
            Err(Denied::Scope(scope)) => Self::missing_scope(scope.as_str()),
            Err(_) => Self::new(ErrorCode::Forbidden),
        }
    }
}

impl From<StoreError> for OperationError {
    fn from(error: StoreError) -> Self {
        Error::from(error).into()
    }
}

impl From<RateLimitError> for OperationError {
    fn from(error: RateLimitError) -> Self {
        match error {
            RateLimitError::Exceeded(wait) => Self::too_many(wait),
            RateLimitError::Failed(error) => error.into(),
        }
    }
}

impl From<FormError> for OperationError {
    fn from(unread: FormError) -> Self {
        let error = match unread {
            FormError::TooLarge => Self::new(ErrorCode::TooLarge),
            FormError::WrongType => Self::new(ErrorCode::UnsupportedMediaType),
            FormError::Overloaded => {
                Self::new(ErrorCode::Unavailable).adjusted(|refused| refused.retry_after = Some(RETRY_INTERVAL))
            }
            FormError::Incomplete => Self::with_message(ErrorCode::InvalidRequest, "The body did not arrive in time."),
            FormError::NotText | FormError::TooManyFields | FormError::WrongFields => {
                Self::new(ErrorCode::InvalidRequest)
            }
        };
        error.adjusted(|refused| refused.unread = Some(unread))
    }
}

impl From<ChangeError> for OperationError {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::Refused(refusal) => refusal.into(),
            ChangeError::Failed(error) => error.into(),
        }
    }
}

impl From<Refusal> for OperationError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::NotFound(thing) => Self::no_such(thing),
            Refusal::Fields(fields) => of_fields(fields),
            Refusal::TooSoon(wait) => Self::too_many(wait),
            Refusal::Rule(Rule::Protected, _) => Self::missing_scope(Scope::PlatformWrite.as_str()),
            Refusal::Rule(Rule::Full, _) => Self::too_many(PENDING_INVITATIONS_WAIT),
            Refusal::Rule(rule, message) => Self::with_message(code_of(rule), message.english()),
        }
    }
}

fn of_fields(fields: Vec<(FieldName, Message)>) -> OperationError {
    let is = |taken: &Message| fields.iter().any(|(_, message)| message == taken);
    if is(&EMAIL_TAKEN) {
        return OperationError::new(ErrorCode::EmailTaken);
    }
    if is(&USERNAME_TAKEN) {
        return OperationError::new(ErrorCode::UsernameTaken);
    }
    OperationError::fields(fields.into_iter().map(|(name, message)| (name.into_owned(), message.english())).collect())
}

const fn code_of(rule: Rule) -> ErrorCode {
    match rule {
        Rule::Forbidden | Rule::Protected | Rule::OwnAccount => ErrorCode::Forbidden,
        Rule::LastAdministrator => ErrorCode::LastAdmin,
        Rule::LastOwner => ErrorCode::LastOwner,
        Rule::AlreadyMember => ErrorCode::AlreadyMember,
        Rule::NotInThisMode => ErrorCode::NotInThisMode,
        Rule::IdentityTaken => ErrorCode::IdentityTaken,
        Rule::Ended => ErrorCode::NotFound,
        Rule::Conflict => ErrorCode::InvalidRequest,
        Rule::Full => ErrorCode::RateLimited,
    }
}
