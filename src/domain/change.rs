//! Changes as values, which pages, API and commands ask for alike, and what makes them: it begins the transaction for
//! their operation, and ends it, for backends together with the answer that a repetition gets.

use super::idempotency::{Claim, KeptAnswer};
use crate::context::App;
use crate::error::Error;
use crate::model::principal::{Operation, Principal};
use crate::refusal::ChangeError;
use crate::store::{Conn, Tx};
use std::marker::PhantomData;
use std::pin::Pin;

/// What is to change.
pub trait Change: Sized + Send {
    const OPERATION: Operation;
    type Made: Send;

    /// Makes it in a transaction that was begun for its operation; what is not committed is rolled back.
    fn apply(self, app: &App, tx: &mut Tx) -> impl Future<Output = Result<Self::Made, ChangeError>> + Send;
}

pub async fn run<C: Change>(app: &App, principal: &Principal, change: C) -> Result<C::Made, ChangeError> {
    run_to(app, principal, change, Commit).await
}

/// As [`run`], to an ending.
pub async fn run_to<C: Change, N: Ending<C::Made>>(
    app: &App,
    principal: &Principal,
    change: C,
    ending: N,
) -> Result<N::Output, ChangeError> {
    let mut tx = app.store.begin(principal, C::OPERATION).await?;
    let made = change.apply(app, &mut tx).await?;
    Ok(ending.end(app, tx, made).await?)
}

/// How a use case that made a `T` ends.
pub trait Ending<T>: Send {
    type Output;

    /// Commits, and returns what the caller gets.
    fn end(self, app: &App, tx: Tx, made: T) -> impl Future<Output = Result<Self::Output, Error>> + Send;
}

/// Commits; the caller gets what was made.
#[derive(Clone, Copy, Debug)]
pub struct Commit;

impl<T: Send> Ending<T> for Commit {
    type Output = T;

    async fn end(self, _app: &App, tx: Tx, made: T) -> Result<T, Error> {
        tx.commit().await?;
        Ok(made)
    }
}

pub type Answering<'a, A> = Pin<Box<dyn Future<Output = Result<A, Error>> + Send + 'a>>;

/// Answers from what was made, as the transaction sees it, and keeps the answer for a repeated request.
pub struct KeptAnswerEnding<F, A> {
    claim: Option<Claim>,
    answer: F,
    kind: PhantomData<fn() -> A>,
}

/// An ending with what makes the answer, and the claim of the request, if it may be repeated.
pub fn answering<T, A, F>(claim: Option<Claim>, answer: F) -> KeptAnswerEnding<F, A>
where
    F: for<'c> FnOnce(&'c mut Conn, T) -> Answering<'c, A> + Send + 'static,
{
    KeptAnswerEnding { claim, answer, kind: PhantomData }
}

impl<T, A, F> Ending<T> for KeptAnswerEnding<F, A>
where
    T: Send,
    A: AsRef<KeptAnswer> + Send + Sync,
    F: for<'c> FnOnce(&'c mut Conn, T) -> Answering<'c, A> + Send,
{
    type Output = A;

    async fn end(self, app: &App, mut tx: Tx, made: T) -> Result<A, Error> {
        let answer = (self.answer)(&mut tx, made).await?;
        if let Some(claim) = &self.claim {
            claim.keep(app, &mut tx, answer.as_ref()).await?;
        }
        tx.commit().await?;
        Ok(answer)
    }
}
