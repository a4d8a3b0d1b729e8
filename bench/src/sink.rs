//! A webhook receiver in its own process, which delays its responses and counts events.

use crate::load::{connect, exchange};
use crate::outcome::Outcome;
use crate::process::Process;
use crate::stats::count;
use axum::Router;
use axum::extract::State;
use axum::http::header::{CONTENT_LENGTH, HOST};
use axum::http::{HeaderMap, Request, StatusCode};
use axum::routing::{get, post};
use axum::serve::ListenerExt;
use http_body_util::Full;
use hyper::body::Bytes;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Command, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::time::{Instant, sleep};

#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub struct Count {
    pub events: usize,
    /// Time of the last one, since the start of the sink.
    last: Duration,
}

impl Count {
    /// Events per second between an earlier count's last event and this one's.
    pub fn per_second_since(self, earlier: Count) -> f64 {
        match count(self.events - earlier.events) {
            0.0 => 0.0,
            events => events / self.last.saturating_sub(earlier.last).as_secs_f64(),
        }
    }
}

/// The first delivery, recorded to be sent repeatedly.
#[derive(Clone, Serialize, Deserialize)]
pub struct Delivery {
    /// Without those that every client sets itself.
    pub headers: Vec<(String, String)>,
    /// The exact bytes.
    pub body: String,
}

pub struct Sink {
    address: SocketAddr,
    _process: Process,
}

impl Sink {
    /// Starts a receiver that answers each event after `delay`.
    pub fn start(delay: Duration) -> Outcome<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["sink", "--delay-ms", &delay.as_millis().to_string()]).stdout(Stdio::piped());
        let mut process = Process::start(&mut command)?;
        let mut address = String::new();
        BufReader::new(process.child().stdout.take().ok_or("no standard output")?).read_line(&mut address)?;
        Ok(Self { address: address.trim().parse()?, _process: process })
    }

    /// The URL that events are sent to.
    pub fn url(&self) -> String {
        format!("http://{}/events", self.address)
    }

    pub async fn count(&self) -> Outcome<Count> {
        self.ask("/count").await
    }

    /// Waits until at least `events` events have arrived.
    pub async fn wait_for(&self, events: usize, at_most: Duration) -> Outcome<()> {
        let end = Instant::now() + at_most;
        while self.count().await?.events < events {
            if Instant::now() > end {
                return Err(format!("{events} events did not arrive within {} s", at_most.as_secs()).into());
            }
            sleep(Duration::from_millis(2)).await;
        }
        Ok(())
    }

    pub async fn per_second(&self, duration: Duration) -> Outcome<f64> {
        let before = self.count().await?;
        sleep(duration).await;
        Ok(self.count().await?.per_second_since(before))
    }

    pub async fn first(&self) -> Outcome<Delivery> {
        self.ask("/first").await
    }

    async fn ask<T: for<'a> Deserialize<'a>>(&self, path: &str) -> Outcome<T> {
        let request = Request::builder().uri(path).header(HOST, "localhost").body(Full::new(Bytes::new()))?;
        let (status, _, body) = exchange(&mut connect(self.address).await?, request).await?;
        if status != 200 {
            return Err(format!("the sink answered {path} with {status}").into());
        }
        Ok(serde_json::from_slice(&body)?)
    }
}

struct SinkState {
    delay: Duration,
    start: Instant,
    count: Mutex<Count>,
    first: OnceLock<Delivery>,
}

/// Entry point of the receiver process: prints its address, and receives.
pub async fn serve(delay: Duration) -> Outcome<()> {
    let received = SinkState { delay, start: Instant::now(), count: Mutex::default(), first: OnceLock::new() };
    let router = Router::new()
        .route("/events", post(receive))
        .route("/count", get(async |State(received): State<Arc<SinkState>>| json(&*received.count.lock())))
        .route("/first", get(async |State(received): State<Arc<SinkState>>| json(&received.first.get())))
        .with_state(Arc::new(received));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    println!("{}", listener.local_addr()?);
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    Ok(axum::serve(listener, router).await?)
}

async fn receive(State(received): State<Arc<SinkState>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    if !received.delay.is_zero() {
        sleep(received.delay).await;
    }
    received.first.get_or_init(|| {
        let kept = headers.iter().filter(|(name, _)| ![HOST, CONTENT_LENGTH].contains(name));
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Delivery {
            headers: kept.map(|(name, value)| (name.to_string(), text(value.as_bytes()))).collect(),
            body: text(&body),
        }
    });
    let mut count = received.count.lock();
    *count = Count { events: count.events + 1, last: received.start.elapsed() };
    StatusCode::OK
}

fn json(value: &impl Serialize) -> Result<Vec<u8>, StatusCode> {
    serde_json::to_vec(value).map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)
}
