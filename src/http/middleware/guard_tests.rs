#![expect(clippy::panic, reason = "a test may fail loudly")]

use super::*;
use axum::http::StatusCode;
use std::pin::pin;

async fn panicking() -> Result<Response, Infallible> {
    tokio::task::yield_now().await;
    panic!("as it should")
}

fn assert_failed(response: &Response) {
    assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
    assert!(matches!(response.extensions().get(), Some(RequestFailure::Panicked)));
}

#[tokio::test]
async fn panic_is_answered_and_kept_for_the_log() {
    let here = pin!(async {
        let Ok(response) = panicking().await;
        response
    });
    assert_failed(&answer(here, ResponseFormat::Html).await);
    assert_failed(&answer(pin!(run_to_its_end(panicking(), None)), ResponseFormat::Html).await);
}
