//! A change by POST or PATCH, which a backend may repeat without doing it twice (docs/protocol.md 18.6).
//!
//! Every such operation takes [`Backend`] first and [`UnreadBody`] last, and is written in this order:
//!
//! ```ignore
//! backend.require(Scope::OrganizationsWrite)?;                    // 403
//! let change = backend.change(query.as_deref(), body).await?;     // 415, 413, 400
//! let new: NewOrganizationBody = change.parse()?;                 // 400, 422
//! change
//!     .once(async {
//!         let (mut tx, made) = manage::begin(app, by, owner, &new.name).await?;    // a use case that does not commit
//!         Ok((tx, created(&path, &read(&mut tx, made.id).await?)?))
//!     })
//!     .await
//! ```
//!
//! [`Change::once`] commits, together with the answer if there is an `Idempotency-Key`. What the work returns as an
//! error is not kept, and its transaction is rolled back. Where the path has ids, [`Backend::change_of`] looks for what
//! they name (404, 403) before it says what is wrong with the body, but not before a repeated request has its answer.

use super::api_key::Backend;
use super::body::{JsonBody, UnreadBody};
use super::error::OperationError;
use super::parameters::Parameters;
use crate::domain::idempotency::{self, ClaimOutcome, IdempotencyError, KeptAnswer, RepeatableRequest};
use crate::error::Error;
use crate::http::api::error::ErrorCode;
use crate::store::Tx;
use axum::body::to_bytes;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, LOCATION};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use std::pin::Pin;

const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
/// More than any operation answers with.
const MAX_ANSWER: usize = 1024 * 1024;

/// A change whose body was read.
pub(super) struct Change<'a> {
    backend: &'a Backend,
    body: JsonBody,
    repeatable: Option<RepeatableRequest>,
}

impl Backend {
    /// Reads a change whose fields are in a JSON body, and which has no parameters.
    pub(super) async fn change(&self, query: Option<&str>, body: UnreadBody) -> Result<Change<'_>, OperationError> {
        self.with_body(query, body.read().await?)
    }

    /// As [`change`](Self::change), of what `place` finds by the path.
    pub(super) fn change_of<'a, T: 'a>(
        &'a self,
        place: impl Future<Output = Result<T, OperationError>> + Send + 'a,
        query: Option<&'a str>,
        body: UnreadBody,
    ) -> impl Future<Output = Result<(T, Change<'a>), OperationError>> {
        self.placed(Box::pin(place), Box::pin(self.change(query, body)))
    }

    /// As [`change_of`](Self::change_of), without fields: the body may be empty.
    pub(super) fn bare_change_of<'a, T: 'a>(
        &'a self,
        place: impl Future<Output = Result<T, OperationError>> + Send + 'a,
        query: Option<&'a str>,
        body: UnreadBody,
    ) -> impl Future<Output = Result<(T, Change<'a>), OperationError>> {
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
        change: Step<'a, Change<'a>>,
    ) -> Result<(T, Change<'a>), OperationError> {
        if !self.head.may_be_repeated() {
            return Ok((place.await?, change.await?));
        }
        let change = change.await;
        if let Ok(change) = &change {
            change.end_repeated().await?;
        }
        Ok((place.await?, change?))
    }

    fn with_body(&self, query: Option<&str>, body: JsonBody) -> Result<Change<'_>, OperationError> {
        Parameters::none(query)?;
        let repeatable = self.head.repeatable(&self.key.family, body.bytes())?;
        Ok(Change { backend: self, body, repeatable })
    }
}

/// On the heap, as use cases are large.
type Step<'a, T> = Pin<Box<dyn Future<Output = Result<T, OperationError>> + Send + 'a>>;

/// The body of an operation without fields.
#[derive(serde::Deserialize)]
struct NoFields {}

impl<'a> Change<'a> {
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
        match idempotency::kept(&self.backend.app, request).await? {
            Some(answer) => Err(OperationError::answered(replayed(answer)?)),
            None => Ok(()),
        }
    }

    /// Makes the change, which `work` does not commit, and keeps its answer; or answers as the first time.
    pub(super) fn once(
        self,
        work: impl Future<Output = Result<(Tx, Response), OperationError>> + Send + 'a,
    ) -> impl Future<Output = Result<Response, OperationError>> {
        let work = Box::pin(work);
        self.once_pinned(work)
    }

    async fn once_pinned(self, work: Step<'a, (Tx, Response)>) -> Result<Response, OperationError> {
        let app = &self.backend.app;
        let Some(request) = &self.repeatable else {
            let (tx, response) = work.await?;
            tx.commit().await?;
            return Ok(response);
        };
        let claim = match idempotency::claim(app, request).await? {
            ClaimOutcome::First(claim) => claim,
            ClaimOutcome::Repeated(answer) => return replayed(answer),
        };
        let made = async {
            let (mut tx, response) = work.await?;
            let answer = answer_of(response).await?;
            claim.keep(app, &mut tx, &answer).await?;
            tx.commit().await?;
            response_of(answer)
        };
        let made = made.await;
        if made.is_err() {
            claim.release(app).await;
        }
        made
    }
}

async fn answer_of(response: Response) -> Result<KeptAnswer, OperationError> {
    let (parts, body) = response.into_parts();
    let location = parts.headers.get(LOCATION).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let body = to_bytes(body, MAX_ANSWER).await.map_err(|error| Error::Inconsistent(error.to_string()))?;
    Ok(KeptAnswer { status: parts.status.as_u16(), location, body: body.into() })
}

fn response_of(answer: KeptAnswer) -> Result<Response, OperationError> {
    let wrong = |what: &str| Error::Inconsistent(format!("a kept answer has no valid {what}"));
    let status = StatusCode::from_u16(answer.status).map_err(|_| wrong("status"))?;
    let has_body = !answer.body.is_empty();
    let mut response = (status, [(CACHE_CONTROL, "no-store")], answer.body).into_response();
    response.headers_mut().remove(CONTENT_TYPE);
    if has_body {
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    if let Some(location) = answer.location {
        response.headers_mut().insert(LOCATION, location.try_into().map_err(|_| wrong("location"))?);
    }
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
