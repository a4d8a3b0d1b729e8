#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use axum::Router;
use axum::middleware::{Next, from_fn};
use axum::routing::any;
use tokio::time::Instant;
use tower_service::Service;

/// A body that never comes.
struct Pending;

impl HttpBody for Pending {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Poll::Pending
    }
}

/// The answer to a request whose body does not come, and how long it took.
async fn answer(path: &str) -> (Response, Duration) {
    let surround = from_fn(async |mut request: Request, next: Next| {
        let unread = UnreadRest::of(&mut request);
        let mut response = next.run(request).await;
        if let Some(unread) = unread {
            unread.skip(&mut response).await;
        }
        response
    });
    let mut router = Router::new().route("/auth/gate", any(())).route("/auth/login", any(())).layer(surround);
    let started = Instant::now();
    let request = Request::builder().uri(path).body(Body::new(Pending)).unwrap();
    let response = router.call(request).await.unwrap();
    (response, started.elapsed())
}

#[tokio::test(start_paused = true)]
async fn body_that_does_not_come_is_awaited_for_a_second() {
    let (response, elapsed) = answer("/auth/login").await;
    assert_eq!(response.headers()[CONNECTION], "close");
    assert!((1000..1100).contains(&elapsed.as_millis()), "{elapsed:?}");
}

/// Its proxy would wait for the answer.
#[tokio::test(start_paused = true)]
async fn gate_awaits_no_body() {
    let (response, elapsed) = answer("/auth/gate").await;
    assert!(response.headers().get(CONNECTION).is_none() && elapsed < MAX_WAIT, "{elapsed:?}");
}
