//! How an operation ends early: `?` on whatever a use case returns (docs/reference/api-v2.md 18.1).

use crate::domain::account::delete::DeleteError;
use crate::domain::identity::field_errors::FieldErrors;
use crate::domain::identity::operator_error::{IdentityRefusal, OperatorError};
use crate::domain::organization::refusal::{OrganizationError, Refusal};
use crate::error::Error;
use crate::http::api::error::ErrorCode;
use crate::http::error::{self, RETRY_INTERVAL, ResponseFormat};
use crate::http::failure::RequestFailure;
use crate::http::form::FormError;
use crate::model::api_key::Scope;
use crate::model::principal::Denied;
use crate::rate_limit::RateLimitError;
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
        match denied {
            Denied::Scope(scope) => Self::missing_scope(scope.as_str()),
            Denied::Protected => Self::missing_scope(Scope::PlatformWrite.as_str()),
            Denied::LastAdministrator => Self::new(ErrorCode::LastAdmin),
            Denied::NoMember => Self::no_such("organization"),
            Denied::OtherAccount | Denied::OwnAccount | Denied::Role | Denied::Operation => {
                Self::new(ErrorCode::Forbidden)
            }
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

impl From<OrganizationError> for OperationError {
    fn from(error: OrganizationError) -> Self {
        match error {
            OrganizationError::NotFound(thing) => Self::no_such(thing),
            OrganizationError::Refused(Refusal::TooManyPending) => Self::too_many(PENDING_INVITATIONS_WAIT),
            OrganizationError::Refused(refusal) => Self::with_message(code_of(refusal), refusal.message().english()),
            OrganizationError::Field(message) => Self::field("name", message.english()),
            OrganizationError::Protected => Self::missing_scope(Scope::PlatformWrite.as_str()),
            OrganizationError::TooSoon(wait) => Self::too_many(wait),
            OrganizationError::Failed(error) => error.into(),
        }
    }
}

impl From<OperatorError> for OperationError {
    fn from(error: OperatorError) -> Self {
        match error {
            OperatorError::NoSuchUser(_) | OperatorError::Ambiguous { .. } => Self::no_such("user"),
            OperatorError::OwnAccount => Self::new(ErrorCode::Forbidden),
            OperatorError::LastAdmin(_) => Self::new(ErrorCode::LastAdmin),
            OperatorError::Protected(_) => Self::missing_scope(Scope::PlatformWrite.as_str()),
            OperatorError::Fields(errors) => errors.into(),
            OperatorError::Identity(index, why) => of_identity(index, why),
            OperatorError::TooSoon(wait) => Self::too_many(wait),
            OperatorError::Failed(error) => error.into(),
        }
    }
}

impl From<DeleteError> for OperationError {
    fn from(error: DeleteError) -> Self {
        match error {
            DeleteError::NoSuchUser => Self::no_such("user"),
            DeleteError::Protected => Self::missing_scope(Scope::PlatformWrite.as_str()),
            DeleteError::OwnAccount => Self::new(ErrorCode::Forbidden),
            DeleteError::LastAdmin => Self::new(ErrorCode::LastAdmin),
            DeleteError::LastOwner(organizations) => {
                let names = organizations.join(", ");
                Self::with_message(ErrorCode::LastOwner, format!("The user is the only owner of: {names}."))
            }
            DeleteError::Failed(error) => error.into(),
        }
    }
}

impl From<FieldErrors> for OperationError {
    fn from(errors: FieldErrors) -> Self {
        let (email_is_taken, username_is_taken) = (errors.email_is_taken(), errors.username_is_taken());
        let FieldErrors { email, username, password } = errors;
        let fields = [("email", email), ("username", username), ("password", password)];
        let sentences = fields.into_iter().filter_map(|(name, why)| Some((name.to_owned(), why?.english())));
        match (email_is_taken, username_is_taken) {
            (true, _) => Self::new(ErrorCode::EmailTaken),
            (_, true) => Self::new(ErrorCode::UsernameTaken),
            _ => Self::fields(sentences.collect()),
        }
    }
}

fn of_identity(index: usize, why: IdentityRefusal) -> OperationError {
    match why {
        IdentityRefusal::Issuer => {
            OperationError::field(&format!("identities.{index}.issuer"), "No provider has this issuer.")
        }
        IdentityRefusal::Subject => {
            let sentence = "A subject of this provider has another form.";
            OperationError::field(&format!("identities.{index}.subject"), sentence)
        }
        IdentityRefusal::Taken => OperationError::new(ErrorCode::IdentityTaken),
        IdentityRefusal::TooMany => OperationError::field("identities", "A user has 20 identities at most."),
    }
}

fn code_of(refusal: Refusal) -> ErrorCode {
    match refusal {
        Refusal::LastOwner => ErrorCode::LastOwner,
        Refusal::Personal | Refusal::NoTeams | Refusal::NoInvitations => ErrorCode::NotInThisMode,
        Refusal::NotPending => ErrorCode::NotFound,
        Refusal::AlreadyMember => ErrorCode::AlreadyMember,
        Refusal::TooManyPending => ErrorCode::RateLimited,
        Refusal::NotPermitted | Refusal::AboveOwnRole | Refusal::OperatorsInvitation | Refusal::Unverified => {
            ErrorCode::Forbidden
        }
    }
}
