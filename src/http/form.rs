//! Forms and queries as the browser sends them.

use super::csrf;
use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use std::time::Duration;

/// No form of ours comes near it.
const MAX_BYTES: usize = 64 * 1024;
/// A form arrives in one piece; whoever takes longer is holding a connection.
const MAX_TIME: Duration = Duration::from_secs(10);

/// The fields of a form or a query, in their order.
#[derive(Default)]
pub struct Fields(Vec<(String, String)>);

/// Why a body is no form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormError {
    /// Larger than any form.
    TooLarge,
    /// Not `application/x-www-form-urlencoded`.
    WrongType,
    /// Not UTF-8, or with NUL in it.
    NotText,
    /// Did not arrive, or not in time.
    Incomplete,
}

impl FormError {
    /// The status that says so.
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
    let collected = tokio::time::timeout(MAX_TIME, Limited::new(body, MAX_BYTES).collect())
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

/// Reads a query; one that is not text has no fields.
pub fn query(query: Option<&str>) -> Fields {
    query.and_then(|query| parse(query.as_bytes())).unwrap_or_default()
}

/// `None` if a name or value is not UTF-8 (the parser puts U+FFFD there) or holds NUL, which no database takes.
fn parse(bytes: &[u8]) -> Option<Fields> {
    let fields: Vec<(String, String)> = form_urlencoded::parse(bytes).into_owned().collect();
    let is_text = |text: &str| !text.contains(['\u{fffd}', '\0']);
    fields.iter().all(|(name, value)| is_text(name) && is_text(value)).then_some(Fields(fields))
}

impl Fields {
    /// The first value under this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|field| field.0 == name).map(|field| field.1.as_str())
    }

    /// The first value under this name, or the empty text.
    pub fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// The only value under this name; `None` also if there are several.
    pub fn only(&self, name: &str) -> Option<&str> {
        let mut values = self.0.iter().filter(|field| field.0 == name);
        let value = values.next()?;
        values.next().is_none().then_some(value.1.as_str())
    }

    /// The repeated CSRF token.
    pub fn csrf(&self) -> Option<&str> {
        self.get(csrf::FIELD)
    }
}

#[cfg(test)]
#[path = "form_tests.rs"]
mod tests;
