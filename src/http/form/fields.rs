//! Parses form bodies and query strings.

use super::arrival::ArrivalDeadline;
use crate::http::body_budget::{BodyAllowance, BodyShare, BudgetExceeded};
use crate::http::{csrf, return_to};
use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode, Uri};
use http_body_util::BodyExt;
use std::sync::OnceLock;
use tokio::time::timeout_at;

/// Far larger than any of our forms.
const MAX_BYTES: usize = 64 * 1024;
/// The buffer of a body grows by this. Doubling would let a client hold twice what it sends.
const BUFFER_STEP: usize = 1024;
/// Three times what our largest form has. Each field is two allocations, so a form of a thousand names without values
/// would take many times its size.
const MAX_FIELDS: usize = 64;

/// The fields of a form or query, in order.
#[derive(Default)]
pub struct Fields {
    pairs: Vec<(String, String)>,
    /// The part of the budget that they hold.
    _share: Option<BodyShare>,
}

/// Why a body is not a valid form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormError {
    /// Larger than `MAX_BYTES`.
    TooLarge,
    /// More than `MAX_FIELDS`.
    TooManyFields,
    /// Not `application/x-www-form-urlencoded`.
    WrongType,
    /// Not UTF-8, or contains NUL.
    NotText,
    /// The connection failed, or the body came too slowly.
    Incomplete,
    WrongFields,
    /// The bodies under way hold too much memory.
    Overloaded,
}

impl From<BudgetExceeded> for FormError {
    fn from(_: BudgetExceeded) -> Self {
        FormError::Overloaded
    }
}

impl FormError {
    pub const fn status(self) -> StatusCode {
        match self {
            FormError::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            FormError::WrongType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            FormError::NotText | FormError::TooManyFields | FormError::WrongFields => StatusCode::BAD_REQUEST,
            FormError::Incomplete => StatusCode::REQUEST_TIMEOUT,
            FormError::Overloaded => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

/// Reads the body of a request as a form; an empty body is a form without fields.
pub(super) async fn read(headers: &HeaderMap, body: Body, allowance: &BodyAllowance) -> Result<Fields, FormError> {
    let (bytes, share) = read_bytes(body, allowance).await?;
    if bytes.is_empty() {
        return Ok(Fields::default());
    }
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    if !media_type.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        return Err(FormError::WrongType);
    }
    Ok(Fields { _share: Some(share), ..parse(&bytes)? })
}

/// Reads the body of a request, with the part of the budget that it holds.
pub async fn read_bytes(body: Body, allowance: &BodyAllowance) -> Result<(Vec<u8>, BodyShare), FormError> {
    let mut share = allowance.begin()?;
    let bytes = collect(body, &mut share).await?;
    Ok((bytes, share))
}

/// Copies each frame into one buffer: a frame of one byte takes many times its size, and keeps the buffer that it was
/// read into.
async fn collect(mut body: Body, share: &mut BodyShare) -> Result<Vec<u8>, FormError> {
    let mut bytes = Vec::new();
    let mut deadline = ArrivalDeadline::begin();
    while let Some(frame) = timeout_at(deadline.due(), body.frame()).await.map_err(|_| FormError::Incomplete)? {
        // Trailers have no data.
        let Ok(data) = frame.map_err(|_| FormError::Incomplete)?.into_data() else { continue };
        deadline.bring(data.len());
        let needed = bytes.len() + data.len();
        if needed > MAX_BYTES {
            return Err(FormError::TooLarge);
        }
        if needed > bytes.capacity() {
            let capacity = needed.next_multiple_of(BUFFER_STEP);
            share.grow(capacity - bytes.capacity())?;
            bytes.reserve_exact(capacity - bytes.len());
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes)
}

/// Parses a form. It must be text: neither the parser's U+FFFD for what is not UTF-8, nor NUL, which databases refuse.
pub fn parse(bytes: &[u8]) -> Result<Fields, FormError> {
    // Counted before anything is allocated.
    if count_fields(bytes) > MAX_FIELDS {
        return Err(FormError::TooManyFields);
    }
    let pairs: Vec<(String, String)> = form_urlencoded::parse(bytes).into_owned().collect();
    let is_text = |text: &str| !text.contains(['\u{fffd}', '\0']);
    if pairs.iter().all(|(name, value)| is_text(name) && is_text(value)) {
        return Ok(Fields { pairs, _share: None });
    }
    Err(FormError::NotText)
}

fn count_fields(bytes: &[u8]) -> usize {
    bytes.split(|byte| *byte == b'&').count()
}

/// Whether a query has more fields than a form may have. What follows a literal `return_to` is its own.
pub fn has_too_many_fields(query: &str) -> bool {
    count_fields(return_to::split_literal(query).0.as_bytes()) > MAX_FIELDS
}

/// Parses a query; one that is not text, or has too many fields, has none.
pub fn query(query: Option<&str>) -> Fields {
    let (own, target) = return_to::split_literal(query.unwrap_or_default());
    let Ok(mut fields) = parse(own.as_bytes()) else { return Fields::default() };
    fields.pairs.extend(target.map(|target| (return_to::FIELD.to_owned(), target.to_owned())));
    fields
}

/// The query of a request, parsed when it is asked for: not while the body is still arriving.
pub struct Query {
    uri: Uri,
    fields: OnceLock<Fields>,
}

impl Query {
    pub fn of(uri: &Uri) -> Self {
        Self { uri: uri.clone(), fields: OnceLock::new() }
    }

    /// The first value of the name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.fields.get_or_init(|| query(self.uri.query())).get(name)
    }

    /// The first value of the name, or the empty string.
    pub fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    pub fn repeats(&self, names: &[&str]) -> bool {
        self.fields.get_or_init(|| query(self.uri.query())).repeats(names)
    }
}

impl Fields {
    /// The first value of the name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.pairs.iter().find(|field| field.0 == name).map(|field| field.1.as_str())
    }

    /// The first value of the name, or the empty string.
    pub fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// The only value of the name; `None` also if there are several.
    pub fn single(&self, name: &str) -> Option<&str> {
        let mut values = self.pairs.iter().filter(|field| field.0 == name);
        let value = values.next()?;
        values.next().is_none().then_some(value.1.as_str())
    }

    /// Whether one of these names has several values.
    pub fn repeats(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.all(name).nth(1).is_some())
    }

    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.pairs.iter().filter(move |field| field.0 == name).map(|field| field.1.as_str())
    }

    /// Each field once: the first value of its name.
    pub(super) fn firsts(&self) -> impl Iterator<Item = (&str, &str)> {
        let is_first = |index: usize, name: &str| !self.pairs[..index].iter().any(|(earlier, _)| earlier == name);
        let pairs = self.pairs.iter().enumerate().filter(move |(index, (name, _))| is_first(*index, name));
        pairs.map(|(_, (name, value))| (name.as_str(), value.as_str()))
    }

    pub fn csrf(&self) -> Option<&str> {
        self.get(csrf::FIELD)
    }
}

#[cfg(test)]
#[path = "fields_tests.rs"]
mod tests;
