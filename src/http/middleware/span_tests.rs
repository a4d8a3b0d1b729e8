#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use axum::body::Body;
use axum::response::IntoResponse;
use parking_lot::Mutex;
use std::io;
use std::sync::Arc;
use tracing_subscriber::EnvFilter;

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

async fn log_something() -> Response {
    tokio::task::yield_now().await;
    tracing::warn!("something happened");
    ().into_response()
}

#[tokio::test]
async fn lines_within_have_id_and_method_but_not_path() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::new("info"))
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let id = RequestId::default();
    let mut request = Request::builder().uri("/auth/password/reset/SECRET").body(Body::empty()).unwrap();
    RequestSpan::begin(&Traces::default(), &[], &mut request, id).around(log_something()).await;
    let log = String::from_utf8(log.0.lock().clone()).unwrap();
    assert!(log.contains(&format!("request={id} method=GET route=\"(none)\"")), "{log}");
    assert!(log.contains("something happened") && !log.contains("SECRET"), "{log}");
}
