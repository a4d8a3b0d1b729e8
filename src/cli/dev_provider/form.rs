//! What requests to the scripted provider say: query, form, credentials.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper::header::{AUTHORIZATION, HeaderMap};
use percent_encoding::percent_decode_str;
use std::collections::BTreeMap;

const MAX_BODY_BYTES: usize = 64 * 1024;

/// The fields of a query or form; of several with one name the last.
pub(super) struct DevFields(BTreeMap<String, String>);

impl DevFields {
    pub(super) fn of(text: &[u8]) -> Self {
        Self(form_urlencoded::parse(text).into_owned().collect())
    }

    /// Those of a form; none if it is too large.
    pub(super) async fn of_body(body: Incoming) -> Self {
        let read = Limited::new(body, MAX_BODY_BYTES).collect().await;
        read.map_or_else(|_| Self::of(b""), |body| Self::of(&body.to_bytes()))
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&String, &String)> {
        self.0.iter()
    }
}

/// The client's id and secret: from the header, each encoded as in a form (RFC 6749, 2.3.1), or from the form.
pub(super) fn credentials(headers: &HeaderMap, form: &DevFields) -> Option<(String, String)> {
    let Some(header) = headers.get(AUTHORIZATION) else {
        return Some((form.get("client_id")?.to_owned(), form.get("client_secret")?.to_owned()));
    };
    let encoded = header.to_str().ok()?.strip_prefix("Basic ")?;
    let pair = String::from_utf8(STANDARD.decode(encoded).ok()?).ok()?;
    let (id, secret) = pair.split_once(':')?;
    let decoded = |text: &str| {
        let spaces = text.replace('+', " ");
        percent_decode_str(&spaces).decode_utf8().ok().map(std::borrow::Cow::into_owned)
    };
    Some((decoded(id)?, decoded(secret)?))
}

pub(super) fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}
