//! What is left of a large body that a handler did not read. A client that still sends it while the connection ends may
//! never see the answer, so a part is skipped first. If more is left, the answer says that the connection ends, so that
//! the rest is not read as the next request.

use super::route;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{MatchedPath, Request};
use axum::http::HeaderValue;
use axum::http::header::{CONNECTION, EXPECT};
use axum::response::Response;
use http_body_util::BodyExt;
use hyper::body::{Frame, SizeHint};
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::sync::oneshot;

/// As large as a body may be. What is not larger has mostly arrived with the head, and is skipped by itself.
const MAX_BODY: u64 = 64 * 1024;
/// How much is skipped, and how long.
const MAX_SKIPPED: usize = 2 * 1024 * 1024;
const MAX_WAIT: Duration = Duration::from_secs(1);

/// Whether the body is large, or of unknown size. The gate has none: its proxy may repeat the length of a body that it
/// keeps, and would wait for an answer that waits for the body.
fn is_large(request: &Request) -> bool {
    request.body().size_hint().upper().is_none_or(|upper| upper > MAX_BODY)
        && !route::is_gate(route::name(request.extensions().get::<MatchedPath>()))
}

/// What the handler, or what answers instead of it, leaves of a body.
pub struct UnreadRest {
    /// A client that expects a word before it sends the body is not asked for it.
    is_expected: bool,
    rest: oneshot::Receiver<Body>,
}

impl UnreadRest {
    /// `None` where the body is small enough to be left alone.
    pub fn of(request: &mut Request) -> Option<Self> {
        if !is_large(request) {
            return None;
        }
        let (give_back, rest) = oneshot::channel();
        let body = mem::take(request.body_mut());
        *request.body_mut() = Body::new(LentBody { body, give_back: Some(give_back) });
        Some(Self { is_expected: request.headers().contains_key(EXPECT), rest })
    }

    /// Skips it, and says in the answer if a part of it is left then.
    pub async fn skip(mut self, response: &mut Response) {
        let is_over = match self.rest.try_recv() {
            Ok(rest) => !self.is_expected && skip(rest).await,
            Err(_) => true,
        };
        if !is_over {
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
    }
}

/// Returns `false` if more is left.
async fn skip(mut rest: Body) -> bool {
    let skipped = tokio::time::timeout(MAX_WAIT, async {
        let mut skipped = 0;
        while let Some(frame) = rest.frame().await {
            let Ok(frame) = frame else { return false };
            skipped += frame.data_ref().map_or(0, Bytes::len);
            if skipped > MAX_SKIPPED {
                return false;
            }
        }
        true
    });
    skipped.await.unwrap_or(false)
}

/// A body that comes back when it is dropped before its end.
struct LentBody {
    body: Body,
    give_back: Option<oneshot::Sender<Body>>,
}

impl HttpBody for LentBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if frame.is_none() {
            self.give_back = None;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for LentBody {
    fn drop(&mut self) {
        if let Some(give_back) = self.give_back.take() {
            // Fails if the request was given up.
            let _ = give_back.send(mem::take(&mut self.body));
        }
    }
}

#[cfg(test)]
#[path = "skip_unread_tests.rs"]
mod tests;
