//! A webhook receiver that flaps (refuses, fails, delays, dies, recovers) and records every delivery.

use super::schedule::Mode;
use crate::outcome::Outcome;
use crate::world::ledger::content;
use doorward::clock::Clock;
use doorward::crypto::webhook_signature::is_hex_sha256;
use doorward::model::time::Time;
use http_body_util::{BodyExt, Empty};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use parking_lot::Mutex;
use serde_json::Value;
use std::collections::HashMap;
use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::sleep;

pub const SECRET: &str = "a secret of the soak, as long as others";
/// Delay of a slow response, below the service's timeout.
const SLOW_DELAY: Duration = Duration::from_secs(1);

/// The length of `evt_` and the timestamp of a UUID version 7: twelve digits in two groups.
const TIMESTAMP_LENGTH: usize = "evt_00000000-0000".len();

pub struct ReceivedEvent {
    /// Its content, see [`content`].
    pub content: String,
    pub times: usize,
    /// The number of deliveries after a successful response.
    pub repeated: usize,
    pub accepted: usize,
    /// From its creation to its first delivery.
    pub delay: Duration,
    body: Bytes,
}

#[derive(Default)]
pub struct Inbox {
    pub events: HashMap<String, ReceivedEvent>,
    /// Ids of deliveries whose bytes differ from the first one.
    pub other_bytes: Vec<String>,
    /// Deliveries with an invalid signature or id.
    pub invalid: usize,
    /// Events that arrived after one that was created later.
    pub overtaken: usize,
    latest: String,
}

pub struct Receiver {
    address: SocketAddr,
    mode: watch::Sender<Mode>,
    pub inbox: Arc<Mutex<Inbox>>,
    task: JoinHandle<()>,
}

impl Receiver {
    pub async fn start() -> Outcome<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let inbox = Arc::<Mutex<Inbox>>::default();
        let (mode, modes) = watch::channel(Mode::Healthy);
        let task = tokio::spawn(listen(listener, address, modes, inbox.clone()));
        Ok(Self { address, mode, inbox, task })
    }

    pub fn url(&self) -> String {
        format!("http://{}/events", self.address)
    }

    pub fn set_mode(&self, mode: Mode) {
        self.mode.send_replace(mode);
    }

    pub fn mode(&self) -> Mode {
        *self.mode.borrow()
    }

    /// The number of distinct events that got a successful response.
    pub fn accepted(&self) -> usize {
        self.inbox.lock().events.values().filter(|event| event.accepted > 0).count()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Accepts connections unless the mode refuses them; drops all of them when it dies.
async fn listen(
    listener: TcpListener,
    address: SocketAddr,
    mut modes: watch::Receiver<Mode>,
    inbox: Arc<Mutex<Inbox>>,
) {
    let mut listener = Some(listener);
    let mut connections = JoinSet::new();
    loop {
        let mode = *modes.borrow_and_update();
        if matches!(mode, Mode::RefusesConnections | Mode::Down) {
            listener = None;
        } else if listener.is_none() {
            listener = TcpListener::bind(address).await.ok();
        }
        if mode == Mode::Down {
            connections.shutdown().await;
        }
        let accept = async {
            if let Some(listener) = &listener {
                return listener.accept().await.ok();
            }
            sleep(Duration::from_millis(50)).await;
            None
        };
        tokio::select! {
            accepted = accept => {
                if let Some((stream, _)) = accepted {
                    let answer = service_fn({
                        let (modes, inbox) = (modes.clone(), inbox.clone());
                        move |request| receive(request, modes.clone(), inbox.clone())
                    });
                    let serve = http1::Builder::new().serve_connection(TokioIo::new(stream), answer);
                    connections.spawn(async move { drop(serve.await) });
                }
            }
            changed = modes.changed() => if changed.is_err() { return },
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn receive(
    request: Request<Incoming>,
    modes: watch::Receiver<Mode>,
    inbox: Arc<Mutex<Inbox>>,
) -> Result<Response<Empty<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    let header =
        |name: &str| head.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    let (id, signature) = (header("x-svc-delivery"), header("x-svc-signature"));
    let Ok(body) = body.collect().await else { return Ok(answer(StatusCode::BAD_REQUEST)) };
    let body = body.to_bytes();
    let mode = *modes.borrow();
    if !inbox.lock().record(&id, &signature, body) {
        return Ok(answer(StatusCode::UNAUTHORIZED));
    }
    match mode {
        Mode::ServerError => return Ok(answer(StatusCode::INTERNAL_SERVER_ERROR)),
        Mode::Overloaded => return Ok(answer(StatusCode::TOO_MANY_REQUESTS)),
        Mode::Slow => sleep(SLOW_DELAY).await,
        Mode::Hangs => sleep(Duration::from_mins(1)).await,
        Mode::Healthy | Mode::RefusesConnections | Mode::Down => {}
    }
    if let Some(event) = inbox.lock().events.get_mut(&id) {
        event.accepted += 1;
    }
    Ok(answer(StatusCode::NO_CONTENT))
}

fn answer(status: StatusCode) -> Response<Empty<Bytes>> {
    let mut response = Response::new(Empty::new());
    *response.status_mut() = status;
    response
}

impl Inbox {
    /// Records a delivery; returns whether it is valid.
    fn record(&mut self, id: &str, signature: &str, body: Bytes) -> bool {
        let parsed = serde_json::from_slice::<Value>(&body).unwrap_or_default();
        let content = content(&parsed).filter(|_| parsed["id"].as_str() == Some(id));
        let (Some(content), true) = (content, is_hex_sha256(SECRET.as_bytes(), &body, signature)) else {
            self.invalid += 1;
            return false;
        };
        if let Some(event) = self.events.get_mut(id) {
            event.times += 1;
            event.repeated += usize::from(event.accepted > 0);
            if event.body != body {
                self.other_bytes.push(id.to_owned());
            }
            return true;
        }
        // Event ids are ordered by creation, to the millisecond.
        let created = id.get(..TIMESTAMP_LENGTH).unwrap_or(id);
        if created < self.latest.as_str() {
            self.overtaken += 1;
        } else {
            created.clone_into(&mut self.latest);
        }
        let delay = age(&parsed).unwrap_or_default();
        self.events.insert(id.to_owned(), ReceivedEvent { content, times: 1, repeated: 0, accepted: 0, delay, body });
        true
    }
}

fn age(event: &Value) -> Option<Duration> {
    let created_at = event["created_at"].as_str()?.parse::<jiff::Timestamp>().ok()?;
    Some(Clock::system().now().since(Time::from_micros(created_at.as_microsecond())))
}
