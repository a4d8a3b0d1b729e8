//! What a receiver of webhooks answers.

use doorward::delivery::{RequestOutcome, answered, next};
use doorward::model::time::Time;
use doorward::settings::{Settings, WebhookSettings};
use doorward::store::Next;
use http_body_util::Empty;
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::runtime::{Builder, Runtime};
use tokio::time::Instant;

/// The part of a body that is kept.
const MAX_BODY: usize = 1024;
/// The longest delay that a receiver can ask for.
const HOUR: Duration = Duration::from_hours(1);
/// 1994-11-06 08:49:37 UTC, in the examples of `Retry-After` in RFC 9110, 5.6.7.
const NOW: Time = Time::from_micros(784_111_777_000_000);

static SETTINGS: LazyLock<Settings> = LazyLock::new(|| {
    super::load(&[
        ("SVC_BASE_URL", "https://auth.example"),
        ("SVC_WEBHOOK_URL", "https://app.example/hook"),
        ("SVC_WEBHOOK_SECRET", "whsec_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="),
    ])
});

static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| Builder::new_current_thread().enable_time().build().expect("a runtime"));

/// The bytes of a response: its status alone says whether the event was delivered, little of it is kept, and it delays
/// the next attempt by an hour at most.
pub fn webhook_answer(input: &[u8]) {
    let Some(outcome) = RUNTIME.block_on(outcome(input)) else { return };
    let RequestOutcome::Answered { status, body, .. } = &outcome else { panic!("{outcome:?}") };
    assert!(body.len() <= MAX_BODY);
    let is_chunked = input.windows(7).any(|part| part.eq_ignore_ascii_case(b"chunked"));
    assert!(is_chunked || body.is_empty() || input.windows(body.len()).any(|part| part == body));
    let is_success = (200..=299).contains(status);
    assert_eq!(outcome.class(), if is_success { "delivered" } else { "status" });
    let settings: &Arc<WebhookSettings> = SETTINGS.webhooks.as_ref().expect("webhooks");
    let last = i64::from(settings.max_delivery_attempts);
    for attempt in [1, 2, last, i64::MAX] {
        let repeats = attempt < last && (*status == 429 || (500..=599).contains(status));
        match next(&outcome, attempt, settings, NOW) {
            Next::Delivered => assert!(is_success),
            Next::Failed => assert!(!is_success && !repeats),
            Next::Retry { after } => assert!(repeats && delays(settings, attempt).contains(&after), "{after:?}"),
        }
    }
}

/// From the setting's delay, which a receiver cannot shorten.
fn delays(settings: &WebhookSettings, attempt: i64) -> std::ops::RangeInclusive<Duration> {
    let index = usize::try_from(attempt - 1).expect("an attempt");
    let own = settings.retry_delays.get(index).or(settings.retry_delays.last()).copied().expect("a delay");
    own..=own.max(HOUR)
}

/// What comes of a response; `None` if it is not HTTP.
async fn outcome(input: &[u8]) -> Option<RequestOutcome> {
    let (receiver, stream) = tokio::io::duplex(input.len() + MAX_BODY);
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.ok()?;
    let exchange = async move {
        let request = Request::post("/").header("host", "app.example").body(Empty::<Bytes>::new()).ok()?;
        let response: Response<_> = sender.send_request(request).await.ok()?;
        let outcome = answered(response, Instant::now() + HOUR).await;
        drop(sender);
        Some(outcome)
    };
    let answer = async move {
        let mut receiver = receiver;
        // The client may have closed the connection.
        let _ = receiver.write_all(input).await;
        let _ = receiver.shutdown().await;
        receiver
    };
    let (outcome, ..) = tokio::join!(exchange, connection, answer);
    outcome
}
