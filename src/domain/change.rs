//! Changes as values, which pages, API and commands ask for alike, and what makes them: it begins the transaction for
//! their operation, and ends it, for backends together with the answer that a repetition gets.

use super::idempotency::{Claim, KeptAnswer};
use crate::context::App;
use crate::error::Error;
use crate::model::ids::UserId;
use crate::model::principal::{Operation, Principal};
use crate::refusal::{ChangeError, Refusal};
use crate::store::{Conn, StoreError, Tx, UserRow};
use std::pin::Pin;

/// What is to change; `E` is why it was not made, an enum of its own only if a page branches on more outcomes.
pub trait Change<E = ChangeError>: Sized + Send {
    const OPERATION: Operation;
    type Made: Send;

    /// Makes it in a transaction that was begun for its operation; what is not committed is rolled back.
    fn apply(self, app: &App, tx: &mut Tx) -> impl Future<Output = Result<Self::Made, E>> + Send;
}

/// What is run: every [`Change`], and what begins its transactions itself, because it may lose a race that only another
/// transaction can win.
pub trait Runnable<E = ChangeError>: Sized + Send {
    type Made: Send;

    /// Makes it in a transaction that is still to be committed.
    fn make(self, app: &App, principal: &Principal) -> impl Future<Output = Result<(Tx, Self::Made), E>> + Send;
}

impl<C: Change<E>, E: From<StoreError>> Runnable<E> for C {
    type Made = C::Made;

    async fn make(self, app: &App, principal: &Principal) -> Result<(Tx, C::Made), E> {
        let mut tx = app.store.begin(principal, C::OPERATION).await?;
        let made = self.apply(app, &mut tx).await?;
        Ok((tx, made))
    }
}

/// Locks the account that a change is about. Under the lock, as it may just have been given a platform role, for which the
/// principal may need more.
pub(in crate::domain) async fn lock_account(tx: &mut Tx, user: UserId) -> Result<UserRow, ChangeError> {
    let account = tx.user_lock(user).await?.ok_or(Refusal::NotFound("user"))?;
    tx.require_changeable(&account)?;
    Ok(account)
}

pub async fn run<R, E>(app: &App, principal: &Principal, change: R) -> Result<R::Made, E>
where
    R: Runnable<E>,
    E: From<StoreError>,
{
    let (tx, made) = change.make(app, principal).await?;
    tx.commit().await?;
    Ok(made)
}

/// As [`run`], of what the process does by itself, which no rule refuses.
pub async fn run_as_process<C: Change<Error>>(app: &App, change: C) -> Result<C::Made, Error> {
    run(app, &Principal::process(const { &[C::OPERATION] }), change).await
}

pub type Answering<'a, A> = Pin<Box<dyn Future<Output = Result<A, Error>> + Send + 'a>>;

/// As [`run`], for backends: it answers from what was made, as the transaction sees it; with the claim of the request, the
/// answer is kept for a repeated one.
pub async fn run_answered<R, A, F>(
    app: &App,
    principal: &Principal,
    change: R,
    claim: Option<Claim>,
    answer: F,
) -> Result<A, ChangeError>
where
    R: Runnable,
    A: AsRef<KeptAnswer> + Send + Sync,
    F: for<'c> FnOnce(&'c mut Conn, R::Made) -> Answering<'c, A> + Send,
{
    let (mut tx, made) = change.make(app, principal).await?;
    let answer = answer(&mut tx, made).await?;
    if let Some(claim) = &claim {
        claim.keep(app, &mut tx, answer.as_ref()).await?;
    }
    tx.commit().await?;
    Ok(answer)
}
