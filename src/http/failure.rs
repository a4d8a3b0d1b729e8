//! Failures that are not the client's fault: answered without detail, and logged by the access log with the request's
//! id, as the failure rides in the response's extensions.

use crate::error::Error;
use std::sync::Arc;

#[derive(Clone, Debug, thiserror::Error)]
pub enum RequestFailure {
    #[error("the handler panicked")]
    Panicked,
    /// The handler did not answer in time.
    #[error("the handler took too long")]
    TooSlow,
    #[error("{0}")]
    Failed(Arc<Error>),
}

impl From<Error> for RequestFailure {
    fn from(error: Error) -> Self {
        RequestFailure::Failed(Arc::new(error))
    }
}

impl RequestFailure {
    /// Whether too much is asked of the service at once, while nothing is broken.
    pub fn is_overload(&self) -> bool {
        match self {
            RequestFailure::Failed(error) => match &**error {
                Error::Busy => true,
                Error::Store(error) => error.is_unavailable() && !error.is_away(),
                _ => false,
            },
            RequestFailure::Panicked | RequestFailure::TooSlow => false,
        }
    }

    /// Whether the database is unavailable: the log says so once, and not for each request.
    pub fn is_told(&self) -> bool {
        matches!(self, RequestFailure::Failed(error) if matches!(&**error, Error::Store(error) if error.is_told()))
    }

    /// Whether a retry may succeed soon.
    pub fn is_transient(&self) -> bool {
        match self {
            RequestFailure::Panicked => false,
            RequestFailure::TooSlow => true,
            RequestFailure::Failed(error) => match &**error {
                Error::Busy => true,
                Error::Store(error) => error.is_unavailable(),
                _ => false,
            },
        }
    }
}
