//! What a request is, apart from its body, and its `Idempotency-Key`.

use super::error::OperationError;
use super::parameters::bad;
use crate::domain::idempotency::RepeatableRequest;
use crate::model::api_key::ApiKeyId;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method};

const IDEMPOTENCY_KEY: &str = "idempotency-key";
const MAX_KEY_LEN: usize = 255;

/// Method and path of a request, and whatever it says about being repeated.
pub(super) struct RequestHead {
    method: Method,
    path: String,
    keys: Vec<HeaderValue>,
}

impl RequestHead {
    pub(super) fn of(parts: &Parts) -> Self {
        let keys = parts.headers.get_all(IDEMPOTENCY_KEY).iter().cloned().collect();
        Self { method: parts.method.clone(), path: parts.uri.path().to_owned(), keys }
    }

    /// Whether the request says that it may be repeated.
    pub(super) fn may_be_repeated(&self) -> bool {
        !self.keys.is_empty()
    }

    /// By which the request is recognized, if it says that it may be repeated.
    pub(super) fn repeatable(&self, by: &ApiKeyId, body: &[u8]) -> Result<Option<RepeatableRequest>, OperationError> {
        let key = self.key()?;
        Ok(key.map(|key| RepeatableRequest::new(by, self.method.as_str(), &self.path, key, body)))
    }

    /// The one `Idempotency-Key`, if there is any.
    fn key(&self) -> Result<Option<&str>, OperationError> {
        let is_visible = |value: &&HeaderValue| {
            (1..=MAX_KEY_LEN).contains(&value.len()) && value.as_bytes().iter().all(u8::is_ascii_graphic)
        };
        match self.keys.as_slice() {
            [] => Ok(None),
            [one] => Some(one).filter(is_visible).and_then(|value| value.to_str().ok()).map(Some).ok_or_else(refused),
            _ => Err(refused()),
        }
    }
}

fn refused() -> OperationError {
    bad("An Idempotency-Key is one header of 1 to 255 visible ASCII characters.")
}
