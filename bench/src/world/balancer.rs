//! What a load balancer does: takes the processes in turn, goes to the other one where one is not there, and repeats
//! only what may be repeated.

use super::lock;
use crate::load::{Request, connect};
use axum::http::{HeaderMap, Method};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::SendRequest;
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::time::{Instant, timeout};

/// Longer than the service's own limit of a request.
const TIMEOUT: Duration = Duration::from_secs(35);
/// Shorter than the service keeps an idle connection, as every balancer should.
const IDLE: Duration = Duration::from_secs(10);

/// An answer.
pub struct Answer {
    /// Its status.
    pub status: u16,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its whole body.
    pub body: Bytes,
}

impl Answer {
    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// What came of a request.
pub enum Reply {
    /// An answer.
    Answered(Answer),
    /// It was sent, and nobody knows what became of it: what the balancer would answer 502.
    Lost(&'static str),
    /// No process took it.
    Unreachable,
}

type Kept = (SendRequest<Full<Bytes>>, Instant);

struct Backend {
    address: SocketAddr,
    /// Those used last are last.
    idle: Mutex<VecDeque<Kept>>,
}

/// The processes behind one address.
pub struct Balancer {
    backends: Vec<Backend>,
    turn: AtomicUsize,
}

/// What came of one process.
enum Tried {
    Answered(Answer),
    Unsent,
    Lost(&'static str),
}

impl Balancer {
    /// In front of these.
    pub fn new(addresses: impl IntoIterator<Item = SocketAddr>) -> Self {
        let backends = addresses.into_iter().map(|address| Backend { address, idle: Mutex::default() });
        Self { backends: backends.collect(), turn: AtomicUsize::new(0) }
    }

    /// How many processes there are.
    pub fn len(&self) -> usize {
        self.backends.len()
    }

    /// Asks one process, and the others where it is not there.
    pub async fn ask(&self, request: &Request) -> Reply {
        let first = self.turn.fetch_add(1, Ordering::Relaxed);
        let may_be_repeated = request.method() == Method::GET;
        let mut reply = Reply::Unreachable;
        for place in 0..self.backends.len() {
            let backend = &self.backends[(first + place) % self.backends.len()];
            match backend.ask(request.clone()).await {
                Tried::Answered(answer) => return Reply::Answered(answer),
                Tried::Unsent => {}
                Tried::Lost(why) if may_be_repeated => reply = Reply::Lost(why),
                Tried::Lost(why) => return Reply::Lost(why),
            }
        }
        reply
    }

    /// Asks this process and no other.
    pub async fn ask_one(&self, place: usize, request: &Request) -> Reply {
        match self.backends[place].ask(request.clone()).await {
            Tried::Answered(answer) => Reply::Answered(answer),
            Tried::Unsent => Reply::Unreachable,
            Tried::Lost(why) => Reply::Lost(why),
        }
    }
}

impl Backend {
    async fn ask(&self, mut request: Request) -> Tried {
        loop {
            let (mut connection, is_kept) = match self.take() {
                Some(connection) => (connection, true),
                None => match connect(self.address).await {
                    Ok(connection) => (connection, false),
                    Err(_) => return Tried::Unsent,
                },
            };
            if connection.ready().await.is_err() {
                if is_kept {
                    continue;
                }
                return Tried::Unsent;
            }
            let Ok(sent) = timeout(TIMEOUT, connection.try_send_request(request)).await else {
                return Tried::Lost("no answer within the balancer's time");
            };
            match sent {
                Ok(response) => return self.read(connection, response).await,
                Err(mut error) => match error.take_message() {
                    Some(unsent) if is_kept => request = unsent,
                    Some(_) => return Tried::Unsent,
                    None => return Tried::Lost("the connection died before the answer"),
                },
            }
        }
    }

    async fn read(
        &self,
        connection: SendRequest<Full<Bytes>>,
        response: hyper::Response<hyper::body::Incoming>,
    ) -> Tried {
        let (parts, body) = response.into_parts();
        match timeout(TIMEOUT, body.collect()).await {
            Ok(Ok(body)) => {
                self.keep(connection);
                let (status, headers) = (parts.status.as_u16(), parts.headers);
                Tried::Answered(Answer { status, headers, body: body.to_bytes() })
            }
            _ => Tried::Lost("the connection died within the answer"),
        }
    }

    /// For the next one. What was not needed for long is closed, as after a time with thousands at once.
    fn keep(&self, connection: SendRequest<Full<Bytes>>) {
        let mut idle = lock(&self.idle);
        idle.push_back((connection, Instant::now()));
        while idle.front().is_some_and(|(_, since)| since.elapsed() >= IDLE) {
            idle.pop_front();
        }
    }

    fn take(&self) -> Option<SendRequest<Full<Bytes>>> {
        let mut idle = lock(&self.idle);
        while let Some((connection, since)) = idle.pop_back() {
            if since.elapsed() < IDLE && !connection.is_closed() {
                return Some(connection);
            }
        }
        None
    }
}
