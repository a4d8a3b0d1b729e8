//! Posts webhooks.

use super::attempt_result::AttemptResult;
use super::classify::RequestOutcome;
use super::policy::DeliveryPolicy;
use super::request::{DelivererError, Requests};
use super::retry;
use crate::clock::Clock;
use crate::outbound::{ConnectionPool, PoolOptions, Unanswered};
use crate::settings::{ServiceName, WebhookSettings};
use crate::store::Claimed;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{InvalidHeaderValue, RETRY_AFTER};
use hyper::{Request, Response};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// The response body is read up to this size, so that the connection can be reused.
const MAX_READ_BYTES: usize = 64 * 1024;
/// The size up to which it is stored for the operator.
const MAX_RESPONSE_BYTES: usize = 1024;
/// Many servers close a connection that was idle for five seconds; ours is closed earlier, so that no event is written
/// to a connection that is just being closed.
const IDLE_TIMEOUT: Duration = Duration::from_secs(4);

/// Sends deliveries over keep-alive connections. Redirects are not followed; the receiver's name is resolved for each
/// new connection.
pub(super) struct Deliverer {
    pool: ConnectionPool,
    requests: Requests,
    settings: Arc<WebhookSettings>,
    clock: Clock,
}

impl Deliverer {
    pub(super) fn new(
        name: &ServiceName,
        settings: Arc<WebhookSettings>,
        clock: Clock,
    ) -> Result<Self, DelivererError> {
        let options =
            PoolOptions { idle: IDLE_TIMEOUT, max_idle: DeliveryPolicy::webhooks(&settings).slots, title_case: true };
        let uses_tls = settings.url.scheme_str() == Some("https");
        Ok(Self {
            pool: ConnectionPool::new(uses_tls, options).map_err(DelivererError::Certificates)?,
            requests: Requests::new(name, &settings)?,
            settings,
            clock,
        })
    }

    pub(super) fn settings(&self) -> &WebhookSettings {
        &self.settings
    }

    pub(super) fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Sends a delivery; takes no longer than the timeout.
    pub(super) async fn deliver(&self, delivery: &Claimed) -> RequestOutcome {
        match self.request(delivery) {
            Ok(request) => self.send(request).await,
            Err(_) => RequestOutcome::internal("the event's kind cannot stand in a header"),
        }
    }

    /// The request of an attempt that starts now.
    pub(super) fn request(&self, delivery: &Claimed) -> Result<Request<Full<Bytes>>, InvalidHeaderValue> {
        self.requests.build(delivery, self.clock.now())
    }

    /// Sends a request; takes no longer than the timeout.
    pub(super) async fn send(&self, request: Request<Full<Bytes>>) -> RequestOutcome {
        let deadline = self.deadline();
        match self.respond(request, deadline).await {
            Ok(response) => answered(response, deadline).await,
            Err(outcome) => outcome,
        }
    }

    /// The deadline of an attempt that starts now.
    pub(super) fn deadline(&self) -> Instant {
        Instant::now() + self.settings.timeout
    }

    /// Sends a request and waits for the head of its response.
    pub(super) async fn respond(
        &self,
        request: Request<Full<Bytes>>,
        deadline: Instant,
    ) -> Result<Response<Incoming>, RequestOutcome> {
        let late = |_| Err(Unanswered::Timeout("no answer within the timeout".to_owned()));
        Ok(timeout_at(deadline, self.pool.send(request)).await.unwrap_or_else(late)?)
    }
}

impl Deliverer {
    pub(super) fn attempt_result(&self, outcome: RequestOutcome, number: i64) -> AttemptResult {
        let next = retry::next(&outcome, number, self.settings(), self.clock().now());
        let (class, status) = (outcome.class(), outcome.status());
        let (response, detail) = match outcome {
            RequestOutcome::Answered { body, .. } => (body, String::new()),
            RequestOutcome::Unanswered { detail, .. } => (Vec::new(), detail),
        };
        AttemptResult { class, status, response, detail, next }
    }
}

/// Reads the body, which does not change the result: for the operator to see, and to free the connection.
pub async fn answered(response: Response<Incoming>, deadline: Instant) -> RequestOutcome {
    let status = response.status().as_u16();
    let retry_after =
        response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()).map(std::borrow::ToOwned::to_owned);
    let mut body = Vec::new();
    // An error does not change the result; a body that is not read to its end closes the connection.
    let _ = timeout_at(deadline, read(response.into_body(), &mut body)).await;
    RequestOutcome::Answered { status, retry_after, body }
}

async fn read(mut incoming: Incoming, head: &mut Vec<u8>) {
    let mut total = 0;
    while let Some(Ok(frame)) = incoming.frame().await {
        let Some(data) = frame.data_ref() else { continue };
        total += data.len();
        head.extend(data.iter().take(MAX_RESPONSE_BYTES - head.len()));
        if total > MAX_READ_BYTES {
            return;
        }
    }
}
