//! How a change ends: its transaction is committed, for backends together with the answer that a repetition gets.

use super::idempotency::{Claim, KeptAnswer};
use crate::context::App;
use crate::error::Error;
use crate::store::{Conn, Tx};
use std::pin::Pin;

/// How a use case that made a `T` ends.
pub trait Ending<T>: Send {
    /// What the caller gets.
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

/// An answer on its way.
pub type Answering<'a> = Pin<Box<dyn Future<Output = Result<KeptAnswer, Error>> + Send + 'a>>;

/// Answers from what was made, as the transaction sees it, and keeps the answer for a repeated request.
pub struct KeptAnswerEnding<F> {
    claim: Option<Claim>,
    answer: F,
}

/// An ending with what makes the answer, and the claim of the request, if it may be repeated.
pub fn answering<T, F>(claim: Option<Claim>, answer: F) -> KeptAnswerEnding<F>
where
    F: for<'c> FnOnce(&'c mut Conn, T) -> Answering<'c> + Send + 'static,
{
    KeptAnswerEnding { claim, answer }
}

impl<T, F> Ending<T> for KeptAnswerEnding<F>
where
    T: Send,
    F: for<'c> FnOnce(&'c mut Conn, T) -> Answering<'c> + Send,
{
    type Output = KeptAnswer;

    async fn end(self, app: &App, mut tx: Tx, made: T) -> Result<KeptAnswer, Error> {
        let answer = (self.answer)(&mut tx, made).await?;
        if let Some(claim) = &self.claim {
            claim.keep(app, &mut tx, &answer).await?;
        }
        tx.commit().await?;
        Ok(answer)
    }
}
