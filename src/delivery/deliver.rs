//! One POST, and what came of it.

use super::classify::{Fault, Outcome};
use super::policy::Policy;
use super::request::{DelivererError, Requests};
use super::retry;
use super::verdict::Verdict;
use crate::clock::Clock;
use crate::settings::{ServiceName, Webhooks};
use crate::store::Claimed;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{InvalidHeaderValue, RETRY_AFTER};
use hyper::{Request, Response};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{Builder, Client};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// So much of an answer's body is read, so that the connection can be used again.
const READ: usize = 64 * 1024;
/// So much of it is kept for the operator.
const KEPT: usize = 1024;
/// Many servers close a connection that was idle for five seconds; ours is given up earlier, so that an event is not
/// written to a connection that is just being closed.
const IDLE: Duration = Duration::from_secs(4);

/// Sends deliveries over connections that are kept alive. Redirects are not followed; the receiver's name is resolved
/// anew for each connection.
pub(super) struct Deliverer {
    client: HttpClient,
    requests: Requests,
    settings: Arc<Webhooks>,
    clock: Clock,
}

enum HttpClient {
    Plain(Client<HttpConnector, Full<Bytes>>),
    Tls(Client<HttpsConnector<HttpConnector>, Full<Bytes>>),
}

impl Deliverer {
    pub(super) fn new(name: &ServiceName, settings: Arc<Webhooks>, clock: Clock) -> Result<Self, DelivererError> {
        let mut tcp = HttpConnector::new();
        tcp.set_nodelay(true);
        tcp.enforce_http(false);
        let mut builder = Client::builder(TokioExecutor::new());
        builder
            .http1_title_case_headers(true)
            .pool_idle_timeout(IDLE)
            .pool_timer(TokioTimer::new())
            .pool_max_idle_per_host(Policy::webhooks(&settings).slots);
        Ok(Self {
            client: HttpClient::new(&builder, tcp, &settings)?,
            requests: Requests::new(name, &settings)?,
            settings,
            clock,
        })
    }

    pub(super) fn settings(&self) -> &Webhooks {
        &self.settings
    }

    pub(super) fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Makes one attempt, which takes no longer than the timeout.
    pub(super) async fn deliver(&self, delivery: &Claimed) -> Outcome {
        match self.request(delivery) {
            Ok(request) => self.send(request).await,
            Err(_) => Outcome::unanswered(Fault::Internal, "the event's kind cannot stand in a header"),
        }
    }

    /// The request of an attempt that is made now.
    pub(super) fn request(&self, delivery: &Claimed) -> Result<Request<Full<Bytes>>, InvalidHeaderValue> {
        self.requests.of(delivery, self.clock.now())
    }

    /// Sends a request; takes no longer than the timeout.
    pub(super) async fn send(&self, request: Request<Full<Bytes>>) -> Outcome {
        let deadline = self.deadline();
        match self.respond(request, deadline).await {
            Ok(response) => answered(response, deadline).await,
            Err(outcome) => outcome,
        }
    }

    /// When an attempt that begins now must be over.
    pub(super) fn deadline(&self) -> Instant {
        Instant::now() + self.settings.timeout
    }

    /// Sends a request and waits for the head of its answer.
    pub(super) async fn respond(
        &self,
        request: Request<Full<Bytes>>,
        deadline: Instant,
    ) -> Result<Response<Incoming>, Outcome> {
        let (answer, uses_tls) = match &self.client {
            HttpClient::Plain(client) => (timeout_at(deadline, client.request(request)).await, false),
            HttpClient::Tls(client) => (timeout_at(deadline, client.request(request)).await, true),
        };
        match answer {
            Err(_) => Err(Outcome::unanswered(Fault::Timeout, "no answer within the timeout")),
            Ok(answer) => answer.map_err(|error| Outcome::from_error(&error, uses_tls)),
        }
    }
}

impl Deliverer {
    /// What becomes of the delivery after an attempt with this outcome.
    pub(super) fn verdict(&self, outcome: Outcome, number: i64) -> Verdict {
        let next = retry::next(&outcome, number, self.settings(), self.clock().now());
        let (class, status) = (outcome.class(), outcome.status());
        let (response, detail) = match outcome {
            Outcome::Answered { body, .. } => (body, String::new()),
            Outcome::Unanswered { detail, .. } => (Vec::new(), detail),
        };
        Verdict { class, status, response, detail, next }
    }
}

impl HttpClient {
    fn new(builder: &Builder, tcp: HttpConnector, settings: &Webhooks) -> Result<Self, DelivererError> {
        if settings.url.scheme_str() != Some("https") {
            return Ok(HttpClient::Plain(builder.build(tcp)));
        }
        let tls = HttpsConnectorBuilder::new()
            .with_native_roots()
            .map_err(DelivererError::Certificates)?
            .https_only()
            .enable_http1()
            .wrap_connector(tcp);
        Ok(HttpClient::Tls(builder.build(tls)))
    }
}

/// The status has decided; the body is read for what the operator may want to see, and to free the connection.
pub(super) async fn answered(response: Response<Incoming>, deadline: Instant) -> Outcome {
    let status = response.status().as_u16();
    let retry_after =
        response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()).map(std::borrow::ToOwned::to_owned);
    let mut body = Vec::new();
    // Whatever becomes of the rest changes nothing; a body that is not read to its end ends the connection.
    let _ = timeout_at(deadline, read(response.into_body(), &mut body)).await;
    Outcome::Answered { status, retry_after, body }
}

async fn read(mut incoming: Incoming, kept: &mut Vec<u8>) {
    let mut total = 0;
    while let Some(Ok(frame)) = incoming.frame().await {
        let Some(data) = frame.data_ref() else { continue };
        total += data.len();
        kept.extend(data.iter().take(KEPT - kept.len()));
        if total > READ {
            return;
        }
    }
}
