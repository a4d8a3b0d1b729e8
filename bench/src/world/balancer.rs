//! A load balancer: round robin over the processes, failover if one is unreachable, and retries of idempotent requests
//! only.

use crate::load::{Request, connect};
use axum::http::{HeaderMap, Method};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::SendRequest;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::time::{Instant, timeout};

/// Longer than the service's own request timeout.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(35);
/// Shorter than the service's timeout for idle connections, as in every balancer.
const IDLE_TIMEOUT: Duration = Duration::from_secs(10);

pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

pub enum Reply {
    Answered(Answer),
    /// It was sent, but its effect is unknown; a balancer would respond 502.
    Lost(&'static str),
    /// No process accepted it.
    Unreachable,
}

type IdleConnection = (SendRequest<Full<Bytes>>, Instant);

struct Backend {
    address: SocketAddr,
    /// The most recently used is last.
    idle: Mutex<VecDeque<IdleConnection>>,
}

pub struct Balancer {
    backends: Vec<Backend>,
    next_backend: AtomicUsize,
}

/// The result of sending to one process.
enum SendOutcome {
    Answered(Answer),
    Unsent,
    Lost(&'static str),
}

impl Balancer {
    pub fn new(addresses: impl IntoIterator<Item = SocketAddr>) -> Self {
        let backends = addresses.into_iter().map(|address| Backend { address, idle: Mutex::default() });
        Self { backends: backends.collect(), next_backend: AtomicUsize::new(0) }
    }

    pub fn len(&self) -> usize {
        self.backends.len()
    }

    /// Sends to one process, or to the others if it is unreachable.
    pub async fn ask(&self, request: &Request) -> Reply {
        let first = self.next_backend.fetch_add(1, Ordering::Relaxed);
        let may_be_repeated = request.method() == Method::GET;
        let mut reply = Reply::Unreachable;
        for index in 0..self.backends.len() {
            let backend = &self.backends[(first + index) % self.backends.len()];
            match backend.ask(request.clone()).await {
                SendOutcome::Answered(answer) => return Reply::Answered(answer),
                SendOutcome::Unsent => {}
                SendOutcome::Lost(why) if may_be_repeated => reply = Reply::Lost(why),
                SendOutcome::Lost(why) => return Reply::Lost(why),
            }
        }
        reply
    }

    pub async fn ask_one(&self, index: usize, request: &Request) -> Reply {
        match self.backends[index].ask(request.clone()).await {
            SendOutcome::Answered(answer) => Reply::Answered(answer),
            SendOutcome::Unsent => Reply::Unreachable,
            SendOutcome::Lost(why) => Reply::Lost(why),
        }
    }
}

impl Backend {
    async fn ask(&self, mut request: Request) -> SendOutcome {
        loop {
            let (mut connection, is_kept) = match self.take() {
                Some(connection) => (connection, true),
                None => match connect(self.address).await {
                    Ok(connection) => (connection, false),
                    Err(_) => return SendOutcome::Unsent,
                },
            };
            if connection.ready().await.is_err() {
                if is_kept {
                    continue;
                }
                return SendOutcome::Unsent;
            }
            let Ok(sent) = timeout(REQUEST_TIMEOUT, connection.try_send_request(request)).await else {
                return SendOutcome::Lost("no answer within the balancer's time");
            };
            match sent {
                Ok(response) => return self.read(connection, response).await,
                Err(mut error) => match error.take_message() {
                    Some(unsent) if is_kept => request = unsent,
                    Some(_) => return SendOutcome::Unsent,
                    None => return SendOutcome::Lost("the connection died before the answer"),
                },
            }
        }
    }

    async fn read(
        &self,
        connection: SendRequest<Full<Bytes>>,
        response: hyper::Response<hyper::body::Incoming>,
    ) -> SendOutcome {
        let (parts, body) = response.into_parts();
        match timeout(REQUEST_TIMEOUT, body.collect()).await {
            Ok(Ok(body)) => {
                self.keep(connection);
                let (status, headers) = (parts.status.as_u16(), parts.headers);
                SendOutcome::Answered(Answer { status, headers, body: body.to_bytes() })
            }
            _ => SendOutcome::Lost("the connection died within the answer"),
        }
    }

    /// Returns a connection to the pool, and closes those that have been idle for too long.
    fn keep(&self, connection: SendRequest<Full<Bytes>>) {
        let mut idle = self.idle.lock();
        idle.push_back((connection, Instant::now()));
        while idle.front().is_some_and(|(_, since)| since.elapsed() >= IDLE_TIMEOUT) {
            idle.pop_front();
        }
    }

    fn take(&self) -> Option<SendRequest<Full<Bytes>>> {
        let mut idle = self.idle.lock();
        while let Some((connection, since)) = idle.pop_back() {
            if since.elapsed() < IDLE_TIMEOUT && !connection.is_closed() {
                return Some(connection);
            }
        }
        None
    }
}
