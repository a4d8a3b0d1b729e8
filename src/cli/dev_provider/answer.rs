//! Answers of the scripted provider.

use hyper::body::{Body, Bytes, Frame, SizeHint};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue, LOCATION};
use hyper::{Response, StatusCode};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

/// What is sent again and again of a huge answer.
const CHUNK: Bytes = Bytes::from_static(&[b' '; 16 * 1024]);

/// A body: bytes, or very many spaces.
pub(super) struct DevBody {
    bytes: Bytes,
    spaces: u64,
}

pub(super) type DevAnswer = Response<DevBody>;

impl Body for DevBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let mut next = std::mem::take(&mut self.bytes);
        if next.is_empty() {
            let length = usize::try_from(self.spaces).unwrap_or(usize::MAX).min(CHUNK.len());
            next = CHUNK.slice(..length);
            self.spaces -= length as u64;
        }
        Poll::Ready((!next.is_empty()).then(|| Ok(Frame::data(next))))
    }

    fn is_end_stream(&self) -> bool {
        self.bytes.is_empty() && self.spaces == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.bytes.len() as u64 + self.spaces)
    }
}

fn answer(status: StatusCode, media_type: &'static str, bytes: impl Into<Bytes>) -> DevAnswer {
    let mut response = Response::new(DevBody { bytes: bytes.into(), spaces: 0 });
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

pub(super) fn document(value: &Value) -> DevAnswer {
    answer(StatusCode::OK, "application/json", value.to_string())
}

/// An error of OAuth (RFC 6749, 5.2).
pub(super) fn error(status: StatusCode, code: &str) -> DevAnswer {
    answer(status, "application/json", json!({ "error": code }).to_string())
}

pub(super) fn page(status: StatusCode, html: String) -> DevAnswer {
    answer(status, "text/html; charset=utf-8", html)
}

/// Another address; one that is no header leads nowhere.
pub(super) fn redirect(location: &str) -> DevAnswer {
    let mut response = answer(StatusCode::SEE_OTHER, "text/plain", "");
    match HeaderValue::from_str(location) {
        Ok(location) => drop(response.headers_mut().insert(LOCATION, location)),
        Err(_) => *response.status_mut() = StatusCode::BAD_REQUEST,
    }
    response
}

pub(super) fn huge(bytes: u64) -> DevAnswer {
    let mut response = answer(StatusCode::OK, "application/json", "");
    response.body_mut().spaces = bytes;
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::{BodyExt, Collected};

    #[tokio::test]
    async fn huge_answer_has_the_length_that_it_states() {
        let body = huge(1_000_000).into_body();
        assert_eq!(body.size_hint().exact(), Some(1_000_000));
        let read = body.collect().await.map(|body| body.to_bytes().len());
        assert_eq!(read, Ok(1_000_000));
        let read = document(&json!({})).into_body().collect().await.map(Collected::to_bytes);
        assert_eq!(read, Ok(Bytes::from_static(b"{}")));
    }
}
