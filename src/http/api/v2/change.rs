//! A change by POST or PATCH, which a backend may repeat without doing it twice (docs/protocol.md 18.6).
//!
//! Every such operation takes [`Backend`] first and [`UnreadBody`] last, and is written in this order:
//!
//! ```ignore
//! backend.require(Operation::CreateOrganization)?;                // 403
//! let change = backend.change(query.as_deref(), body).await?;     // 415, 413, 400
//! let new: NewOrganizationBody = change.parse()?;                 // 400, 422
//! change
//!     .once(|claim| {
//!         let ending = answering(claim, move |conn, made: OrganizationRow| {
//!             Box::pin(async move { kept_created(path(made.id), &read(conn, made.id).await?) })
//!         });
//!         step(async move { Ok(manage::create(app, principal, owner, &new.name, ending).await?) })
//!     })
//!     .await
//! ```
//!
//! The use case commits, together with the answer if there is an `Idempotency-Key`. A refusal is not kept. Where the path
//! has ids, [`Backend::change_of`] looks for what they name (404, 403) before it says what is wrong with the body, but not
//! before a repeated request has its answer.

use super::api_key::Backend;
use super::body::{JsonBody, UnreadBody};
use super::error::OperationError;
use super::parameters::Parameters;
use crate::domain::idempotency::{self, Claim, ClaimOutcome, IdempotencyError, KeptAnswer, RepeatableRequest};
use crate::error::Error;
use crate::http::api::error::ErrorCode;
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, LOCATION};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use serde::de::DeserializeOwned;
use std::pin::Pin;

const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// A change whose body was read.
pub(super) struct ChangeRequest<'a> {
    backend: &'a Backend,
    body: JsonBody,
    repeatable: Option<RepeatableRequest>,
}

impl Backend {
    /// Reads a change whose fields are in a JSON body, and which has no parameters.
    pub(super) async fn change(
        &self,
        query: Option<&str>,
        body: UnreadBody,
    ) -> Result<ChangeRequest<'_>, OperationError> {
        self.with_body(query, body.read().await?)
    }

    /// As [`change`](Self::change), of what `place` finds by the path.
    pub(super) fn change_of<'a, T: 'a>(
        &'a self,
        place: impl Future<Output = Result<T, OperationError>> + Send + 'a,
        query: Option<&'a str>,
        body: UnreadBody,
    ) -> impl Future<Output = Result<(T, ChangeRequest<'a>), OperationError>> {
        self.placed(Box::pin(place), Box::pin(self.change(query, body)))
    }

    /// As [`change_of`](Self::change_of), without fields: the body may be empty.
    pub(super) fn bare_change_of<'a, T: 'a>(
        &'a self,
        place: impl Future<Output = Result<T, OperationError>> + Send + 'a,
        query: Option<&'a str>,
        body: UnreadBody,
    ) -> impl Future<Output = Result<(T, ChangeRequest<'a>), OperationError>> {
        let change = async move {
            let change = self.with_body(query, body.read_or_empty().await?)?;
            change.parse::<NoFields>()?;
            Ok(change)
        };
        self.placed(Box::pin(place), Box::pin(change))
    }

    /// A repeated request is answered as the first, also where what the path names was answered, deleted or protected
    /// since. Else the path comes before the body, which is not even read without reason.
    async fn placed<'a, T>(
        &'a self,
        place: Step<'a, T>,
        change: Step<'a, ChangeRequest<'a>>,
    ) -> Result<(T, ChangeRequest<'a>), OperationError> {
        if !self.head.may_be_repeated() {
            return Ok((place.await?, change.await?));
        }
        let change = change.await;
        if let Ok(change) = &change {
            change.end_repeated().await?;
        }
        Ok((place.await?, change?))
    }

    fn with_body(&self, query: Option<&str>, body: JsonBody) -> Result<ChangeRequest<'_>, OperationError> {
        Parameters::none(query)?;
        let repeatable = self.head.repeatable(&self.key.family, body.bytes())?;
        Ok(ChangeRequest { backend: self, body, repeatable })
    }
}

/// Puts a use case on the heap.
pub(super) fn step<'a, T>(work: impl Future<Output = Result<T, OperationError>> + Send + 'a) -> Step<'a, T> {
    Box::pin(work)
}

/// On the heap, as use cases are large.
pub(super) type Step<'a, T> = Pin<Box<dyn Future<Output = Result<T, OperationError>> + Send + 'a>>;

/// The body of an operation without fields.
#[derive(serde::Deserialize)]
struct NoFields {}

impl ChangeRequest<'_> {
    /// The fields.
    pub(super) fn parse<T: DeserializeOwned>(&self) -> Result<T, OperationError> {
        self.body.parse()
    }

    /// The body.
    pub(super) fn body(&self) -> &JsonBody {
        &self.body
    }

    /// Ends the operation with the kept answer, if there is one.
    async fn end_repeated(&self) -> Result<(), OperationError> {
        let Some(request) = &self.repeatable else { return Ok(()) };
        match idempotency::kept(&self.backend.app, &self.backend.principal, request).await? {
            Some(answer) => Err(OperationError::answered(replayed(answer)?)),
            None => Ok(()),
        }
    }

    /// Makes the change with the claim of the request, if it may be repeated; or answers as the first time.
    pub(super) async fn once<'w>(
        self,
        work: impl FnOnce(Option<Claim>) -> Step<'w, KeptAnswer>,
    ) -> Result<Response, OperationError> {
        let Backend { app, principal, .. } = self.backend;
        let Some(request) = &self.repeatable else { return response_of(work(None).await?) };
        let claim = match idempotency::claim(app, principal, request).await? {
            ClaimOutcome::First(claim) => claim,
            ClaimOutcome::Repeated(answer) => return replayed(answer),
        };
        match work(Some(claim)).await {
            Ok(answer) => response_of(answer),
            Err(error) => {
                claim.release(app, principal).await;
                Err(error)
            }
        }
    }
}

fn response_of(answer: KeptAnswer) -> Result<Response, OperationError> {
    let wrong = |what: &str| Error::Inconsistent(format!("a kept answer has no valid {what}"));
    let status = StatusCode::from_u16(answer.status).map_err(|_| wrong("status"))?;
    let mut headers = HeaderMap::new();
    if !answer.body.is_empty() {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(location) = answer.location {
        headers.insert(LOCATION, location.try_into().map_err(|_| wrong("location"))?);
    }
    let mut response = Response::new(Body::from(answer.body));
    (*response.status_mut(), *response.headers_mut()) = (status, headers);
    Ok(response)
}

fn replayed(answer: KeptAnswer) -> Result<Response, OperationError> {
    let mut response = response_of(answer)?;
    response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    Ok(response)
}

impl From<IdempotencyError> for OperationError {
    fn from(error: IdempotencyError) -> Self {
        match error {
            IdempotencyError::OtherBody => Self::new(ErrorCode::IdempotencyMismatch),
            IdempotencyError::InProgress => Self::new(ErrorCode::IdempotencyInProgress),
            IdempotencyError::Failed(error) => error.into(),
        }
    }
}
