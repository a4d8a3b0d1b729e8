//! A test event: sent once, as any other event, and not stored.

use super::classify::RequestOutcome;
use super::deliver::{Deliverer, answered};
use super::request::DelivererError;
use crate::clock::Clock;
use crate::model::event::PING;
use crate::model::ids::EventId;
use crate::model::time::Time;
use crate::random;
use crate::settings::{ServiceName, WebhookSettings};
use crate::store::Claimed;
use http_body_util::Full;
use hyper::Request;
use hyper::body::Bytes;
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// The number of response headers that are kept.
const MAX_HEADERS: usize = 64;
/// The size of their names and values together.
const MAX_HEADER_BYTES: usize = 8 * 1024;

#[derive(Debug)]
pub struct Exchange {
    /// The receiver's URL, without username and password.
    pub url: String,
    /// The headers of the request; credentials are masked.
    pub headers: Vec<ShownHeader>,
    pub id: EventId,
    /// The body, as it was signed and sent.
    pub body: Vec<u8>,
    pub outcome: PingOutcome,
    /// From the start of the connection to the end of the response body.
    pub duration: Duration,
}

/// A header as it is shown to the operator, without credentials.
#[derive(Debug, Serialize)]
pub struct ShownHeader {
    /// Its name, as it is sent.
    pub name: String,
    pub value: String,
}

#[derive(Debug)]
pub enum PingOutcome {
    Status {
        status: u16,
        /// Its headers, the first 64 and at most 8 KiB of them; bytes that are not UTF-8 are replaced.
        headers: Vec<ShownHeader>,
        omitted_headers: usize,
        /// The beginning of the body.
        body: Vec<u8>,
    },
    None {
        /// Why, as the class that attempts are recorded with.
        class: &'static str,
        detail: String,
    },
}

impl Exchange {
    pub fn is_delivered(&self) -> bool {
        matches!(self.outcome, PingOutcome::Status { status: 200..=299, .. })
    }
}

#[derive(Debug, thiserror::Error)]
pub enum PingError {
    /// Webhooks cannot be sent with these settings on this machine.
    #[error(transparent)]
    Deliverer(#[from] DelivererError),
    #[error(transparent)]
    Random(#[from] random::RandomError),
}

/// Sends a test event to the receiver and waits for the response, at most for the timeout of an attempt.
pub async fn ping(name: &ServiceName, settings: &Arc<WebhookSettings>, clock: &Clock) -> Result<Exchange, PingError> {
    let deliverer = Deliverer::new(name, settings.clone(), clock.clone())?;
    let delivery = event(clock.now())?;
    let Ok(request) = deliverer.request(&delivery) else {
        return Err(DelivererError::Authorization.into());
    };
    let headers = request.headers().iter().map(|(name, value)| display_header(name, value)).collect();
    let started = Instant::now();
    let outcome = exchange(&deliverer, request).await;
    let duration = started.elapsed();
    let (url, id) = (settings.url.to_string(), delivery.id.event());
    Ok(Exchange { url, headers, id, body: delivery.payload, outcome, duration })
}

async fn exchange(deliverer: &Deliverer, request: Request<Full<Bytes>>) -> PingOutcome {
    let deadline = deliverer.deadline();
    let (outcome, headers) = match deliverer.respond(request, deadline).await {
        Ok(response) => {
            let headers = response.headers().clone();
            (answered(response, deadline).await, headers)
        }
        Err(outcome) => (outcome, HeaderMap::new()),
    };
    match outcome {
        RequestOutcome::Answered { status, body, .. } => {
            let shown = first_headers(&headers);
            PingOutcome::Status { status, omitted_headers: headers.len() - shown.len(), headers: shown, body }
        }
        RequestOutcome::Unanswered { class, detail } => PingOutcome::None { class, detail },
    }
}

fn first_headers(headers: &HeaderMap) -> Vec<ShownHeader> {
    let mut bytes = 0;
    let fits = |(name, value): &(&HeaderName, &HeaderValue)| {
        bytes += name.as_str().len() + value.len();
        bytes <= MAX_HEADER_BYTES
    };
    let shown = headers.iter().take(MAX_HEADERS).take_while(fits);
    shown.map(|(name, value)| display_header(name, value)).collect()
}

fn display_header(name: &HeaderName, value: &HeaderValue) -> ShownHeader {
    let value = if value.is_sensitive() { "***".into() } else { String::from_utf8_lossy(value.as_bytes()) };
    ShownHeader { name: title_case(name.as_str()), value: value.into_owned() }
}

fn event(now: Time) -> Result<Claimed, random::RandomError> {
    let id = EventId(random::uuid_v7(now)?);
    // The envelope of every event (docs/reference/webhooks.md 12).
    let payload = format!(r#"{{"id":"{}","type":"{PING}","created_at":"{now}","data":{{}}}}"#, id.wire()).into_bytes();
    let kind = PING.to_owned();
    Ok(Claimed {
        id: id.into(),
        kind,
        payload,
        attempts: 0,
        lease: 0,
        interrupted: false,
        due_at: now,
        subject: None,
        traceparent: None,
    })
}

/// A header's name as it is sent.
fn title_case(name: &str) -> String {
    let words = name.split('-').map(|word| {
        let mut chars = word.chars();
        chars.next().map(|first| format!("{}{}", first.to_ascii_uppercase(), chars.as_str())).unwrap_or_default()
    });
    words.collect::<Vec<_>>().join("-")
}
