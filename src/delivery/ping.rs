//! A test event, sent once and stored nowhere, by the same means as every other.

use super::classify::Outcome;
use super::deliver::{Deliverer, answered};
use super::request::DelivererError;
use crate::clock::Clock;
use crate::model::ids::EventId;
use crate::model::time::Time;
use crate::random;
use crate::settings::{ServiceName, Webhooks};
use crate::store::Claimed;
use http_body_util::Full;
use hyper::Request;
use hyper::body::Bytes;
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// The value of `type` and of the event header; not one of the kinds that an action can cause.
pub const PING: &str = "ping";

/// So many headers of an answer are kept, and so many bytes of names and values.
const KEPT_HEADERS: usize = 64;
const KEPT_HEADER_BYTES: usize = 8 * 1024;

/// A test event, and what came of it.
#[derive(Debug)]
pub struct Exchange {
    /// The receiver's URL, without user name and password.
    pub url: String,
    /// The headers of the request; credentials are masked.
    pub headers: Vec<(String, String)>,
    /// The event's id.
    pub id: EventId,
    /// The body, as it was signed and sent.
    pub body: Vec<u8>,
    /// What came of it.
    pub answer: Answer,
    /// From the first attempt to connect to the end of the answer's body.
    pub duration: Duration,
}

/// What came of a test event.
#[derive(Debug)]
pub enum Answer {
    /// The head of an answer.
    Status {
        /// The status.
        status: u16,
        /// Its headers, the first 64 and at most 8 KiB of them; bytes that are no text are replaced.
        headers: Vec<(String, String)>,
        /// How many headers there were beyond these.
        headers_left_out: usize,
        /// The beginning of the body.
        body: Vec<u8>,
    },
    /// None.
    None {
        /// Why, as the class that attempts are recorded with.
        class: &'static str,
        /// Why, in words.
        detail: String,
    },
}

impl Exchange {
    /// Whether the receiver took it.
    pub fn is_delivered(&self) -> bool {
        matches!(self.answer, Answer::Status { status: 200..=299, .. })
    }
}

/// Why no test event was sent.
#[derive(Debug, thiserror::Error)]
pub enum PingError {
    /// The delivery cannot begin with these settings on this machine.
    #[error(transparent)]
    Deliverer(#[from] DelivererError),
    /// The operating system gave no random bytes.
    #[error(transparent)]
    Random(#[from] random::RandomError),
}

/// Sends a test event to the receiver and waits for what comes of it, no longer than the timeout of a delivery.
pub async fn ping(name: &ServiceName, settings: &Arc<Webhooks>, clock: &Clock) -> Result<Exchange, PingError> {
    let deliverer = Deliverer::new(name, settings.clone(), clock.clone())?;
    let delivery = event(clock.now())?;
    let Ok(request) = deliverer.request(&delivery) else {
        return Err(DelivererError::Authorization.into());
    };
    let headers = request.headers().iter().map(shown).collect();
    let began = Instant::now();
    let answer = exchange(&deliverer, request).await;
    let duration = began.elapsed();
    Ok(Exchange { url: settings.url.to_string(), headers, id: delivery.id, body: delivery.payload, answer, duration })
}

async fn exchange(deliverer: &Deliverer, request: Request<Full<Bytes>>) -> Answer {
    let deadline = deliverer.deadline();
    let (outcome, headers) = match deliverer.respond(request, deadline).await {
        Ok(response) => {
            let headers = response.headers().clone();
            (answered(response, deadline).await, headers)
        }
        Err(outcome) => (outcome, HeaderMap::new()),
    };
    match outcome {
        Outcome::Answered { status, body, .. } => {
            let kept = kept(&headers);
            Answer::Status { status, headers_left_out: headers.len() - kept.len(), headers: kept, body }
        }
        Outcome::Unanswered { fault, detail } => Answer::None { class: fault.class(), detail },
    }
}

/// The first headers, as many as a person may want to see.
fn kept(headers: &HeaderMap) -> Vec<(String, String)> {
    let mut bytes = 0;
    let fits = |(name, value): &(&HeaderName, &HeaderValue)| {
        bytes += name.as_str().len() + value.len();
        bytes <= KEPT_HEADER_BYTES
    };
    headers.iter().take(KEPT_HEADERS).take_while(fits).map(shown).collect()
}

fn shown((name, value): (&HeaderName, &HeaderValue)) -> (String, String) {
    let value = if value.is_sensitive() { "***".into() } else { String::from_utf8_lossy(value.as_bytes()) };
    (title_case(name.as_str()), value.into_owned())
}

fn event(now: Time) -> Result<Claimed, random::RandomError> {
    let id = EventId(random::uuid_v7(now)?);
    // The envelope of every event (contract.md 6).
    let payload = format!(r#"{{"id":"{}","type":"{PING}","created_at":"{now}","data":{{}}}}"#, id.wire()).into_bytes();
    let kind = PING.to_owned();
    Ok(Claimed { id, kind, payload, attempts: 0, lease: 0, interrupted: false, due_at: now })
}

/// A header's name as it goes over the wire.
fn title_case(name: &str) -> String {
    let words = name.split('-').map(|word| {
        let mut chars = word.chars();
        chars.next().map(|first| format!("{}{}", first.to_ascii_uppercase(), chars.as_str())).unwrap_or_default()
    });
    words.collect::<Vec<_>>().join("-")
}
