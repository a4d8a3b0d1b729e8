//! A receiver of webhooks that flaps: it refuses, fails, dawdles, dies and comes back; and it remembers everything.

use super::outlook::Mood;
use crate::outcome::Outcome;
use crate::world::ledger::content;
use crate::world::lock;
use doorward::clock::Clock;
use doorward::crypto::webhook_signature::is_hex_sha256;
use doorward::model::time::Time;
use http_body_util::{BodyExt, Empty};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use std::collections::HashMap;
use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::sleep;

/// What the events are signed with.
pub const SECRET: &str = "a secret of the soak, as long as others";
/// A slow answer; the service waits for longer.
const SLOW: Duration = Duration::from_secs(1);

/// `evt_` and the first twelve digits of a UUID of version 7, in two groups.
const MILLISECONDS: usize = "evt_00000000-0000".len();

/// An event, as it arrived.
pub struct Arrived {
    /// What it says.
    pub content: String,
    /// How often it came.
    pub times: usize,
    /// How often it came after it had been answered with success.
    pub repeated: usize,
    /// How often it was answered with success.
    pub taken: usize,
    /// From its making to its first arrival.
    pub delay: Duration,
    body: Bytes,
}

/// Everything that arrived.
#[derive(Default)]
pub struct Inbox {
    /// By id.
    pub events: HashMap<String, Arrived>,
    /// Deliveries of one id with other bytes than before.
    pub other_bytes: Vec<String>,
    /// Deliveries whose signature or id is not right.
    pub not_genuine: usize,
    /// First deliveries of an event after one that was made later.
    pub overtaken: usize,
    latest: String,
}

/// The receiver.
pub struct Receiver {
    address: SocketAddr,
    mood: watch::Sender<Mood>,
    /// What arrived.
    pub inbox: Arc<Mutex<Inbox>>,
    task: JoinHandle<()>,
}

impl Receiver {
    /// Begins to listen.
    pub async fn start() -> Outcome<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let inbox = Arc::<Mutex<Inbox>>::default();
        let (mood, moods) = watch::channel(Mood::Well);
        let task = tokio::spawn(listen(listener, address, moods, inbox.clone()));
        Ok(Self { address, mood, inbox, task })
    }

    /// Where events are sent to.
    pub fn url(&self) -> String {
        format!("http://{}/events", self.address)
    }

    /// How it answers from now on.
    pub fn be(&self, mood: Mood) {
        self.mood.send_replace(mood);
    }

    /// How it answers now.
    pub fn mood(&self) -> Mood {
        *self.mood.borrow()
    }

    /// Events that were taken, each counted once.
    pub fn taken(&self) -> usize {
        lock(&self.inbox).events.values().filter(|event| event.taken > 0).count()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Accepts while it is not in a mood to refuse; dying, it drops every connection.
async fn listen(
    listener: TcpListener,
    address: SocketAddr,
    mut moods: watch::Receiver<Mood>,
    inbox: Arc<Mutex<Inbox>>,
) {
    let mut listener = Some(listener);
    let mut connections = JoinSet::new();
    loop {
        let mood = *moods.borrow_and_update();
        if matches!(mood, Mood::Refuses | Mood::Dead) {
            listener = None;
        } else if listener.is_none() {
            listener = TcpListener::bind(address).await.ok();
        }
        if mood == Mood::Dead {
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
                        let (moods, inbox) = (moods.clone(), inbox.clone());
                        move |request| receive(request, moods.clone(), inbox.clone())
                    });
                    let serve = http1::Builder::new().serve_connection(TokioIo::new(stream), answer);
                    connections.spawn(async move { drop(serve.await) });
                }
            }
            changed = moods.changed() => if changed.is_err() { return },
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn receive(
    request: Request<Incoming>,
    moods: watch::Receiver<Mood>,
    inbox: Arc<Mutex<Inbox>>,
) -> Result<Response<Empty<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    let header =
        |name: &str| head.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    let (id, signature) = (header("x-svc-delivery"), header("x-svc-signature"));
    let Ok(body) = body.collect().await else { return Ok(answer(StatusCode::BAD_REQUEST)) };
    let body = body.to_bytes();
    let mood = *moods.borrow();
    if !lock(&inbox).arrived(&id, &signature, body) {
        return Ok(answer(StatusCode::UNAUTHORIZED));
    }
    match mood {
        Mood::Fails => return Ok(answer(StatusCode::INTERNAL_SERVER_ERROR)),
        Mood::Overloaded => return Ok(answer(StatusCode::TOO_MANY_REQUESTS)),
        Mood::Slow => sleep(SLOW).await,
        Mood::Silent => sleep(Duration::from_mins(1)).await,
        Mood::Well | Mood::Refuses | Mood::Dead => {}
    }
    if let Some(event) = lock(&inbox).events.get_mut(&id) {
        event.taken += 1;
    }
    Ok(answer(StatusCode::NO_CONTENT))
}

fn answer(status: StatusCode) -> Response<Empty<Bytes>> {
    let mut response = Response::new(Empty::new());
    *response.status_mut() = status;
    response
}

impl Inbox {
    /// Writes a delivery down; whether it is genuine.
    fn arrived(&mut self, id: &str, signature: &str, body: Bytes) -> bool {
        let parsed = serde_json::from_slice::<Value>(&body).unwrap_or_default();
        let content = content(&parsed).filter(|_| parsed["id"].as_str() == Some(id));
        let (Some(content), true) = (content, is_hex_sha256(SECRET.as_bytes(), &body, signature)) else {
            self.not_genuine += 1;
            return false;
        };
        if let Some(event) = self.events.get_mut(id) {
            event.times += 1;
            event.repeated += usize::from(event.taken > 0);
            if event.body != body {
                self.other_bytes.push(id.to_owned());
            }
            return true;
        }
        // Ids of events are in the order in which they were made, to the millisecond.
        let made = id.get(..MILLISECONDS).unwrap_or(id);
        if made < self.latest.as_str() {
            self.overtaken += 1;
        } else {
            made.clone_into(&mut self.latest);
        }
        let delay = age(&parsed).unwrap_or_default();
        self.events.insert(id.to_owned(), Arrived { content, times: 1, repeated: 0, taken: 0, delay, body });
        true
    }
}

fn age(event: &Value) -> Option<Duration> {
    let created_at = event["created_at"].as_str()?.parse::<jiff::Timestamp>().ok()?;
    Some(Clock::system().now().since(Time::from_micros(created_at.as_microsecond())))
}
