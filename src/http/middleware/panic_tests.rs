#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use super::*;
use axum::body::Body;
use axum::http::StatusCode;

/// A handler that panics after it has waited.
struct Panicking;

impl InnerService for Panicking {
    async fn run(self, _: Box<Request>) -> Response {
        tokio::task::yield_now().await;
        panic!("as it should")
    }
}

#[tokio::test]
async fn panic_is_answered_and_kept_for_the_log() {
    let request = Request::builder().uri("/auth/login").body(Body::empty()).unwrap();
    let response = Panicking.within(&CatchPanic).run(Box::new(request)).await;
    assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
    assert!(matches!(response.extensions().get(), Some(RequestFailure::Panicked)));
}
