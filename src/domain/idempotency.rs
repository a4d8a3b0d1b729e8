//! Requests that may be repeated, of applications' backends and of browsers that sign up: the second gets the answer of the
//! first, for 24 hours.
//!
//! A request first claims its `Idempotency-Key`, in a transaction of its own, so that others see at once that it runs.
//! The answer is kept in the transaction of the change: either both are there or neither. A claim whose process ended
//! is taken over after a while; should its request still run, it can no longer commit.

use crate::context::App;
use crate::crypto::parts_hash::parts_hash;
use crate::crypto::seal::SealContext;
use crate::error::Error;
use crate::model::api_key::ApiKeyId;
use crate::model::principal::{Operation, Principal};
use crate::random;
use crate::store::{Conn, KeptAnswerRow, Tx};
use std::time::Duration;
use uuid::Uuid;

/// For how long an answer is kept.
pub const IDEMPOTENCY_RETENTION: Duration = Duration::from_hours(24);
/// After this a request that has not answered is taken for ended with its process.
const CLAIM_TIMEOUT: Duration = Duration::from_mins(1);
/// Answers resealed in one transaction.
const BATCH_SIZE: i64 = 500;

pub struct RepeatableRequest {
    id: [u8; 32],
    body: [u8; 32],
}

impl RepeatableRequest {
    /// The request with this `Idempotency-Key`, by an API key or one of its rotations.
    pub fn new(family: &ApiKeyId, method: &str, path: &str, key: &str, body: &[u8]) -> Self {
        let id = parts_hash(&[family.0.as_bytes(), method.as_bytes(), path.as_bytes(), key.as_bytes()]);
        Self { id, body: parts_hash(&[body]) }
    }

    /// The signup with an address in a browser, which its CSRF token tells from all others.
    pub(super) fn of_signup(csrf_token: &str, email_key: &str) -> Self {
        let id = parts_hash(&[b"signup", csrf_token.as_bytes(), email_key.as_bytes()]);
        Self { id, body: parts_hash(&[]) }
    }

    /// Keeps what a request made, in the transaction that made it, without a claim; `false` if another made something.
    pub(super) async fn note(&self, app: &App, tx: &mut Tx, made: Vec<u8>) -> Result<bool, Error> {
        let answer = KeptAnswer { status: 0, location: None, body: made };
        let sealed =
            app.secret_keys.seal(&seal_context(&self.id), &encode(&self.body, &answer)).map_err(Error::crypto)?;
        let number = random::uuid_v7(app.clock.now()).map_err(Error::from)?;
        Ok(tx.idempotency_note(&self.id, number, &sealed, IDEMPOTENCY_RETENTION).await?)
    }

    /// What such a request made before.
    pub(super) async fn noted(&self, app: &App, conn: &mut Conn) -> Result<Option<Vec<u8>>, Error> {
        Ok(find_in(app, conn, self).await?.map(|(_, answer)| answer.body))
    }

    pub(super) async fn forget(&self, tx: &mut Tx) -> Result<(), Error> {
        Ok(tx.idempotency_forget(&self.id).await?)
    }
}

#[derive(Debug, PartialEq, Eq)]
pub struct KeptAnswer {
    pub status: u16,
    /// The path of what was made.
    pub location: Option<String>,
    pub body: Vec<u8>,
}

/// Whether a request is the first with its key, or a repetition.
pub enum ClaimOutcome {
    /// The first: the change is to be made.
    First(Claim),
    /// Another, with the same bytes.
    Repeated(KeptAnswer),
    /// The key came with another body before.
    OtherBody,
    /// The first is not answered yet.
    InProgress,
}

#[derive(Clone, Copy)]
pub struct Claim {
    id: [u8; 32],
    number: Uuid,
    body: [u8; 32],
}

/// Claims a request, or finds the answer of the first.
pub async fn claim(app: &App, principal: &Principal, request: &RepeatableRequest) -> Result<ClaimOutcome, Error> {
    let number = random::uuid_v7(app.clock.now())?;
    let mut tx = app.store.begin_autocommit(principal, Operation::PresentApiKey).await?;
    let is_first = tx.idempotency_claim(&request.id, number, IDEMPOTENCY_RETENTION, CLAIM_TIMEOUT).await?;
    tx.commit().await?;
    if is_first {
        return Ok(ClaimOutcome::First(Claim { id: request.id, number, body: request.body }));
    }
    // One that was refused in the meantime is gone, and may be repeated at once.
    Ok(match find(app, principal, request).await? {
        None => ClaimOutcome::InProgress,
        Some((body, answer)) if body == request.body => ClaimOutcome::Repeated(answer),
        Some(_) => ClaimOutcome::OtherBody,
    })
}

/// The answer of the first request, if this is another with the same bytes. It claims nothing.
pub async fn kept(app: &App, principal: &Principal, request: &RepeatableRequest) -> Result<Option<KeptAnswer>, Error> {
    let found = find(app, principal, request).await?;
    Ok(found.filter(|(body, _)| *body == request.body).map(|(_, answer)| answer))
}

/// The kept answer, and the hash of the body that it answers.
async fn find(
    app: &App,
    principal: &Principal,
    request: &RepeatableRequest,
) -> Result<Option<([u8; 32], KeptAnswer)>, Error> {
    find_in(app, &mut app.store.read(principal, Operation::PresentApiKey).await?, request).await
}

async fn find_in(
    app: &App,
    conn: &mut Conn,
    request: &RepeatableRequest,
) -> Result<Option<([u8; 32], KeptAnswer)>, Error> {
    let sealed = conn.idempotency_answer(&request.id, IDEMPOTENCY_RETENTION).await?;
    let Some(sealed) = sealed else { return Ok(None) };
    let plain = app.secret_keys.open(&seal_context(&request.id), &sealed).map_err(Error::crypto)?;
    let kept = decode(&plain).ok_or_else(|| Error::Inconsistent("a kept answer is damaged".to_owned()))?;
    Ok(Some(kept))
}

impl Claim {
    /// Keeps the answer, in the transaction of the change; refuses if another request took the claim over.
    pub(super) async fn keep(&self, app: &App, tx: &mut Tx, answer: &KeptAnswer) -> Result<(), Error> {
        let plain = encode(&self.body, answer);
        let sealed = app.secret_keys.seal(&seal_context(&self.id), &plain).map_err(Error::crypto)?;
        let kept = tx.idempotency_keep(&self.id, self.number, &sealed).await?;
        if kept { Ok(()) } else { Err(Error::TakenOver) }
    }

    /// Gives the claim up, as the request was refused. What fails here only lets a repetition wait.
    pub async fn release(self, app: &App, principal: &Principal) {
        let released = async {
            let mut tx = app.store.begin_autocommit(principal, Operation::PresentApiKey).await?;
            tx.idempotency_release(&self.id, self.number).await?;
            tx.commit().await
        };
        if let Err(error) = released.await {
            error.log("the claim of a refused request was not given up");
        }
    }
}

/// Reseals every kept answer with the first secret key, and returns their number.
pub(in crate::domain) async fn reseal(app: &App, principal: &Principal) -> Result<u64, Error> {
    let (mut after, mut resealed) = (Vec::new(), 0);
    loop {
        let mut conn = app.store.read(principal, Operation::ManageKeys).await?;
        let rows = conn.idempotency_page(&after, BATCH_SIZE).await?;
        drop(conn);
        let Some(last) = rows.last() else { return Ok(resealed) };
        after.clone_from(&last.id);
        let mut tx = app.store.begin(principal, Operation::ManageKeys).await?;
        for row in rows.iter().filter(|row| app.secret_keys.needs_reseal(&row.answer)) {
            resealed += u64::from(reseal_one(app, &mut tx, row).await?);
        }
        tx.commit().await?;
    }
}

async fn reseal_one(app: &App, tx: &mut Tx, row: &KeptAnswerRow) -> Result<bool, Error> {
    let context = seal_context(&row.id);
    let plain = app.secret_keys.open(&context, &row.answer).map_err(Error::crypto)?;
    let sealed = app.secret_keys.seal(&context, &plain).map_err(Error::crypto)?;
    Ok(tx.idempotency_reseal(&row.id, &row.answer, &sealed).await?)
}

fn seal_context(id: &[u8]) -> SealContext<'_> {
    SealContext { table: "idempotency_keys", row: id, column: "answer" }
}

/// The hash of the request's body, the status, the length of the location and the location, the answer's body.
fn encode(body: &[u8; 32], answer: &KeptAnswer) -> Vec<u8> {
    let location = answer.location.as_deref().unwrap_or_default().as_bytes();
    let length = u16::try_from(location.len()).unwrap_or_default();
    let location = if length == 0 { &[] } else { location };
    [body, &answer.status.to_be_bytes()[..], &length.to_be_bytes(), location, &answer.body].concat()
}

fn decode(plain: &[u8]) -> Option<([u8; 32], KeptAnswer)> {
    let (body, rest) = plain.split_first_chunk()?;
    let (status, rest) = rest.split_first_chunk()?;
    let (length, rest) = rest.split_first_chunk()?;
    let (location, rest) = rest.split_at_checked(u16::from_be_bytes(*length).into())?;
    let location = String::from_utf8(location.to_vec()).ok()?;
    let location = Some(location).filter(|location| !location.is_empty());
    Some((*body, KeptAnswer { status: u16::from_be_bytes(*status), location, body: rest.to_vec() }))
}

#[cfg(test)]
#[path = "idempotency_tests.rs"]
mod tests;
