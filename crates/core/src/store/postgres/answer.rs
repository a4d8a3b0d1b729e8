//! The limit on every wait for an answer of the server.
//!
//! A server that is lost without a word, as when its machine or the way to it fails, never closes a connection, and the
//! driver sets no limit: a caller would wait on one for a quarter of an hour, or for ever.

use std::io;
use std::time::Duration;
use tokio::time::timeout;

/// An answer that takes longer will not come: the server ends a statement before that by itself.
pub(super) const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// The answer to a statement. After an error of [`no_answer`] the connection must be closed.
pub(in crate::store) async fn answered<T>(statement: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
    within(ANSWER_TIMEOUT, statement).await
}

/// The answer, if it comes in time.
pub(super) async fn within<T>(limit: Duration, answer: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
    timeout(limit, answer).await.unwrap_or_else(|_| Err(no_answer(limit)))
}

/// The error of a server that did not answer.
pub(super) fn no_answer(limit: Duration) -> sqlx::Error {
    let text = format!("the server did not answer within {} seconds", limit.as_secs_f32());
    sqlx::Error::Io(io::Error::new(io::ErrorKind::TimedOut, text))
}
