//! Changes as values, which pages, API and commands ask for alike, and what makes them: it begins the transaction for
//! their operation, and ends it, for backends together with the answer that a repetition gets.

use super::idempotency::{Claim, KeptAnswer};
use crate::context::App;
use crate::error::Error;
use crate::model::principal::{Operation, Principal};
use crate::refusal::ChangeError;
use crate::store::{Conn, Tx};
use std::pin::Pin;

/// What is to change.
pub trait Change: Sized + Send {
    const OPERATION: Operation;
    type Made: Send;

    /// Makes it in a transaction that was begun for its operation; what is not committed is rolled back.
    fn apply(self, app: &App, tx: &mut Tx) -> impl Future<Output = Result<Self::Made, ChangeError>> + Send;
}

pub async fn run<C: Change>(app: &App, principal: &Principal, change: C) -> Result<C::Made, ChangeError> {
    let mut tx = app.store.begin(principal, C::OPERATION).await?;
    let made = change.apply(app, &mut tx).await?;
    tx.commit().await?;
    Ok(made)
}

/// As [`run`], for backends: see [`commit_answered`].
pub async fn run_answered<C, A, F>(
    app: &App,
    principal: &Principal,
    change: C,
    claim: Option<Claim>,
    answer: F,
) -> Result<A, ChangeError>
where
    C: Change,
    A: AsRef<KeptAnswer> + Send + Sync,
    F: for<'c> FnOnce(&'c mut Conn, C::Made) -> Answering<'c, A> + Send,
{
    let mut tx = app.store.begin(principal, C::OPERATION).await?;
    let made = change.apply(app, &mut tx).await?;
    Ok(commit_answered(app, tx, made, claim, answer).await?)
}

pub type Answering<'a, A> = Pin<Box<dyn Future<Output = Result<A, Error>> + Send + 'a>>;

/// Commits, and answers from what was made, as the transaction sees it; with the claim of the request, the answer is kept
/// for a repeated one.
pub async fn commit_answered<T, A, F>(
    app: &App,
    mut tx: Tx,
    made: T,
    claim: Option<Claim>,
    answer: F,
) -> Result<A, Error>
where
    T: Send,
    A: AsRef<KeptAnswer> + Send + Sync,
    F: for<'c> FnOnce(&'c mut Conn, T) -> Answering<'c, A> + Send,
{
    let answer = answer(&mut tx, made).await?;
    if let Some(claim) = &claim {
        claim.keep(app, &mut tx, answer.as_ref()).await?;
    }
    tx.commit().await?;
    Ok(answer)
}
