//! A change by POST or PATCH, which a backend may repeat without doing it twice (docs/reference/api-v2.md 18.6).
//!
//! Every such operation takes [`Caller`](super::api_key::Caller) first, which refuses with 401 and 403, and
//! [`UnreadBody`] last, and is written in this order:
//!
//! ```ignore
//! let change = backend.change(query.as_deref(), body).await?;     // 415, 413, 400
//! let new: NewOrganizationBody = change.parse()?;                 // 400, 422
//! let team = CreateTeam { owner, name: &new.name };
//! change.run(team, |conn, made| Box::pin(async move { ApiAnswer::made(path(made.id), &read(conn, made.id).await?) })).await
//! ```
//!
//! The change is committed together with the answer, if there is an `Idempotency-Key`. A refusal is not kept. Where the
//! path has ids, [`Backend::change_of`] looks for what they name (404, 403) before it says what is wrong with the body,
//! but not before a repeated request has its answer.

use super::answer::{AnswerKind, ApiAnswer, ApiResult, Done};
use super::api_key::Backend;
use super::body::{JsonBody, UnreadBody};
use super::error::OperationError;
use super::parameters::Parameters;
use crate::domain::api_key::authenticate::check_again;
use crate::domain::change::{Answering, Runnable, run_answered};
use crate::domain::idempotency::{self, ClaimOutcome, RepeatableRequest};
use crate::http::api::error::ErrorCode;
use crate::refusal::ChangeError;
use crate::store::Conn;
use axum::response::IntoResponse;
use serde::de::DeserializeOwned;
use std::pin::Pin;

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
        self.with_body(query, body.read().await?).await
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
            let change = self.with_body(query, body.read_or_empty().await?).await?;
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

    async fn with_body(&self, query: Option<&str>, body: JsonBody) -> Result<ChangeRequest<'_>, OperationError> {
        check_again(&self.app, &self.key).await?;
        Parameters::none(query)?;
        let repeatable = self.head.repeatable(&self.key.family, body.bytes())?;
        Ok(ChangeRequest { backend: self, body, repeatable })
    }
}

/// On the heap, as use cases are large.
type Step<'a, T> = Pin<Box<dyn Future<Output = Result<T, OperationError>> + Send + 'a>>;

/// The body of an operation without fields.
#[derive(serde::Deserialize)]
struct NoFields {}

impl ChangeRequest<'_> {
    pub(super) fn parse<T: DeserializeOwned>(&self) -> Result<T, OperationError> {
        self.body.parse()
    }

    pub(super) fn body(&self) -> &JsonBody {
        &self.body
    }

    /// Ends the operation with the kept answer, if there is one.
    async fn end_repeated(&self) -> Result<(), OperationError> {
        let Some(request) = &self.repeatable else { return Ok(()) };
        match idempotency::kept(&self.backend.app, &self.backend.principal, request).await? {
            // Its status is part of it, so that any kind will do.
            Some(answer) => Err(OperationError::answered(ApiAnswer::<Done>::replayed(answer).into_response())),
            None => Ok(()),
        }
    }

    /// Makes a change, or answers as the first time; the answer is made of what its transaction sees.
    pub(super) async fn run<C, K, F>(self, change: C, answer: F) -> ApiResult<K>
    where
        C: Runnable,
        K: AnswerKind + Send + Sync,
        F: for<'c> FnOnce(&'c mut Conn, C::Made) -> Answering<'c, ApiAnswer<K>> + Send + 'static,
    {
        self.run_or(change, answer, OperationError::from).await
    }

    /// As [`run`](Self::run), with an error of its own.
    pub(super) async fn run_or<C, K, F>(
        self,
        change: C,
        answer: F,
        error: fn(ChangeError) -> OperationError,
    ) -> ApiResult<K>
    where
        C: Runnable,
        K: AnswerKind + Send + Sync,
        F: for<'c> FnOnce(&'c mut Conn, C::Made) -> Answering<'c, ApiAnswer<K>> + Send + 'static,
    {
        let Backend { app, principal, .. } = self.backend;
        let work = |claim| -> Step<'_, ApiAnswer<K>> {
            Box::pin(async move { run_answered(app, principal, change, claim, answer).await.map_err(error) })
        };
        let Some(request) = &self.repeatable else { return work(None).await };
        let claim = match idempotency::claim(app, principal, request).await? {
            ClaimOutcome::First(claim) => claim,
            ClaimOutcome::Repeated(answer) => return Ok(ApiAnswer::replayed(answer)),
            ClaimOutcome::OtherBody => return Err(OperationError::new(ErrorCode::IdempotencyMismatch)),
            ClaimOutcome::InProgress => return Err(OperationError::new(ErrorCode::IdempotencyInProgress)),
        };
        let answer = work(Some(claim)).await;
        if answer.is_err() {
            claim.release(app, principal).await;
        }
        answer
    }
}
