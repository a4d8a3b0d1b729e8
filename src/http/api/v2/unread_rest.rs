//! What is left of a large body that an operation did not read. A client that still sends it while the connection ends
//! may never see the answer, so a part is skipped first. If more is left, the answer says that the connection ends: the
//! rest is nobody's next request.

use crate::http::error;
use crate::http::form::FormError;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::header::EXPECT;
use axum::middleware::Next;
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

/// Skips what an operation has not read of a large body, or of one of unknown size.
pub(super) async fn layer(request: Request, next: Next) -> Response {
    if request.body().size_hint().upper().is_some_and(|upper| upper <= MAX_BODY) {
        return next.run(request).await;
    }
    // A client that expects a word before it sends the body is not asked for it.
    let is_sent = !request.headers().contains_key(EXPECT);
    let (give_back, mut unread) = oneshot::channel();
    let lent = |body| Body::new(LentBody { body, give_back: Some(give_back) });
    let mut response = next.run(request.map(lent)).await;
    if let Ok(rest) = unread.try_recv()
        && !(is_sent && skip(rest).await)
    {
        error::close_unread(&mut response, FormError::TooLarge);
    }
    response
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
            // Nobody waits for it if the request was given up.
            let _ = give_back.send(mem::take(&mut self.body));
        }
    }
}
