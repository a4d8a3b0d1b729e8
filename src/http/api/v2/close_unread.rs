//! Ends the connection after a large body that was not read: what is left of it is nobody's next request, and a client
//! must not send one on a connection that is about to end.

use crate::http::error;
use crate::http::form::FormError;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use hyper::body::{Frame, SizeHint};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

/// As large as a body may be. What is not larger has mostly arrived with the head, and is skipped.
const MAX_SKIPPED: u64 = 64 * 1024;

/// Says in the answer that the connection ends, if a large body, or one of unknown size, was not read to its end.
pub(super) async fn layer(request: Request, next: Next) -> Response {
    if request.body().size_hint().upper().is_some_and(|upper| upper <= MAX_SKIPPED) {
        return next.run(request).await;
    }
    let is_read = Arc::new(AtomicBool::new(false));
    let watched = |body| Body::new(WatchedBody { body, is_read: is_read.clone() });
    let mut response = next.run(request.map(watched)).await;
    if !is_read.load(Ordering::Relaxed) {
        error::close_unread(&mut response, FormError::TooLarge);
    }
    response
}

/// A body that tells when it was read to its end.
struct WatchedBody {
    body: Body,
    is_read: Arc<AtomicBool>,
}

impl HttpBody for WatchedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if frame.is_none() {
            self.is_read.store(true, Ordering::Relaxed);
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
