//! Parses form bodies and query strings.

use super::csrf;
use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use std::time::Duration;

/// Far larger than any of our forms.
const MAX_BYTES: usize = 64 * 1024;
/// A form arrives in one piece; a slower client only holds a connection open.
const READ_TIMEOUT: Duration = Duration::from_secs(10);

/// The fields of a form or query, in order.
#[derive(Default)]
pub struct Fields(Vec<(String, String)>);

/// Why a body is not a valid form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormError {
    /// Larger than `MAX_BYTES`.
    TooLarge,
    /// Not `application/x-www-form-urlencoded`.
    WrongType,
    /// Not UTF-8, or contains NUL.
    NotText,
    /// The connection failed, or the body took too long.
    Incomplete,
}

impl FormError {
    /// The status of the response.
    pub const fn status(self) -> StatusCode {
        match self {
            FormError::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            FormError::WrongType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            FormError::NotText => StatusCode::BAD_REQUEST,
            FormError::Incomplete => StatusCode::REQUEST_TIMEOUT,
        }
    }
}

/// Reads the body of a request as a form; an empty body is a form without fields.
pub async fn read(headers: &HeaderMap, body: Body) -> Result<Fields, FormError> {
    let collected = tokio::time::timeout(READ_TIMEOUT, Limited::new(body, MAX_BYTES).collect())
        .await
        .map_err(|_| FormError::Incomplete)?;
    let bytes = match collected {
        Ok(collected) => collected.to_bytes(),
        Err(error) if error.is::<LengthLimitError>() => return Err(FormError::TooLarge),
        Err(_) => return Err(FormError::Incomplete),
    };
    if bytes.is_empty() {
        return Ok(Fields::default());
    }
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    if !media_type.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        return Err(FormError::WrongType);
    }
    parse(&bytes).ok_or(FormError::NotText)
}

/// Parses a query; one that is not text has no fields.
pub fn query(query: Option<&str>) -> Fields {
    query.and_then(|query| parse(query.as_bytes())).unwrap_or_default()
}

/// Returns `None` if a name or value is not UTF-8 (the parser inserts U+FFFD) or contains NUL, which databases refuse.
fn parse(bytes: &[u8]) -> Option<Fields> {
    let fields: Vec<(String, String)> = form_urlencoded::parse(bytes).into_owned().collect();
    let is_text = |text: &str| !text.contains(['\u{fffd}', '\0']);
    fields.iter().all(|(name, value)| is_text(name) && is_text(value)).then_some(Fields(fields))
}

impl Fields {
    /// The first value of the name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|field| field.0 == name).map(|field| field.1.as_str())
    }

    /// The first value of the name, or the empty string.
    pub fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// The only value of the name; `None` also if there are several.
    pub fn single(&self, name: &str) -> Option<&str> {
        let mut values = self.0.iter().filter(|field| field.0 == name);
        let value = values.next()?;
        values.next().is_none().then_some(value.1.as_str())
    }

    /// The CSRF token of the form.
    pub fn csrf(&self) -> Option<&str> {
        self.get(csrf::FIELD)
    }
}

#[cfg(test)]
#[path = "form_tests.rs"]
mod tests;
