//! The load: open connections, each of which sends the next request after the response (a closed loop).

use crate::outcome::Outcome;
use crate::process::cpu_seconds;
use crate::stats::{count, millis, percentile};
use axum::http::HeaderMap;
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

pub type Request = hyper::Request<Full<Bytes>>;

/// Responses before the measurement are not counted: connections open, caches fill.
const WARM_UP: Duration = Duration::from_millis(500);

pub trait Client: Send + 'static {
    fn next(&mut self) -> Outcome<Request>;
    fn status(&self) -> u16 {
        200
    }
    /// Called for a response with the expected status; returns whether it counts.
    fn answered(&mut self, headers: &HeaderMap) -> Outcome<bool>;
}

pub struct Run {
    pub per_second: f64,
    pub p50_ms: f64,
    /// 99th percentile of the latency in milliseconds.
    pub p99_ms: f64,
    /// Processor time of the server per response, in microseconds.
    pub cpu_us: f64,
}

/// Runs the clients for `duration`, and returns them for the next round.
pub async fn measure<C: Client>(
    address: SocketAddr,
    server: u32,
    clients: Vec<C>,
    duration: Duration,
) -> Outcome<(Vec<C>, Run)> {
    let begin = Instant::now() + WARM_UP;
    let end = begin + duration;
    let mut tasks = JoinSet::new();
    for client in clients {
        // Counted by the time of the response: a request sent before is work of this measurement as well. Where
        // requests queue, as logins do, these are a large part of the queue.
        tasks.spawn(drive(address, client, move |answered| {
            if answered >= end {
                Next::End
            } else if answered < begin {
                Next::Skip
            } else {
                Next::Count
            }
        }));
    }
    sleep_until(begin).await;
    let cpu_before = cpu_seconds(server)?;
    sleep_until(end).await;
    let cpu = cpu_seconds(server)? - cpu_before;
    let mut clients = Vec::new();
    let mut latencies = Vec::new();
    while let Some(done) = tasks.join_next().await {
        let (client, mut own) = done??;
        clients.push(client);
        latencies.append(&mut own);
    }
    latencies.sort_unstable();
    let answers = count(latencies.len());
    let run = Run {
        per_second: answers / duration.as_secs_f64(),
        p50_ms: millis(percentile(&latencies, 50)),
        p99_ms: millis(percentile(&latencies, 99)),
        cpu_us: cpu * 1e6 / answers,
    };
    Ok((clients, run))
}

/// Has the clients send `requests` requests in total.
pub async fn send_requests<C: Client>(address: SocketAddr, clients: Vec<C>, requests: usize) -> Outcome<()> {
    let done = Arc::new(AtomicUsize::new(clients.len()));
    let mut tasks = JoinSet::new();
    for client in clients {
        let done = done.clone();
        tasks.spawn(drive(address, client, move |_| {
            if done.fetch_add(1, Ordering::Relaxed) < requests { Next::Skip } else { Next::End }
        }));
    }
    while let Some(ended) = tasks.join_next().await {
        ended??;
    }
    Ok(())
}

/// Sends `per_second` requests at fixed times, spread over the clients, independent of responses (an open loop).
/// Returns the sorted latencies. The latency of a request that could not be sent on time counts from its due time.
pub async fn open_loop<C: Client>(
    address: SocketAddr,
    clients: Vec<C>,
    per_second: f64,
    duration: Duration,
) -> Outcome<Vec<Duration>> {
    let spacing = Duration::from_secs_f64(count(clients.len()) / per_second);
    let begin = Instant::now() + WARM_UP;
    let mut tasks = JoinSet::new();
    for (place, mut client) in clients.into_iter().enumerate() {
        // Spread evenly, so that they do not all send at the same moment.
        let offset = Duration::from_secs_f64(count(place) / per_second);
        tasks.spawn(async move {
            let mut connection = connect(address).await?;
            let mut latencies = Vec::new();
            let mut due = begin + offset;
            while due < begin + duration {
                let is_late = Instant::now() > due;
                sleep_until(due).await;
                // The timer has a resolution of milliseconds; oversleeping is not the server's latency.
                let asked = if is_late { due } else { Instant::now() };
                let (status, headers, _) = exchange(&mut connection, client.next()?).await?;
                if status != client.status() || !client.answered(&headers)? {
                    return Err(format!("the server answered {status}").into());
                }
                latencies.push(asked.elapsed());
                due += spacing;
            }
            Ok::<_, Box<dyn std::error::Error + Send + Sync>>(latencies)
        });
    }
    let mut latencies = Vec::new();
    while let Some(done) = tasks.join_next().await {
        latencies.append(&mut done??);
    }
    latencies.sort_unstable();
    Ok(latencies)
}

enum Next {
    Count,
    Skip,
    End,
}

/// Sends requests one after another, until `classify` ends it; `classify` receives the time of each response.
async fn drive<C: Client>(
    address: SocketAddr,
    mut client: C,
    classify: impl Fn(Instant) -> Next,
) -> Outcome<(C, Vec<Duration>)> {
    let mut connection = connect(address).await?;
    let mut latencies = Vec::new();
    loop {
        let request = client.next()?;
        let asked = Instant::now();
        let (status, headers, body) = exchange(&mut connection, request).await?;
        let answered = Instant::now();
        if status != client.status() {
            return Err(format!("the server answered {status}: {}", String::from_utf8_lossy(&body)).into());
        }
        let counts = client.answered(&headers)?;
        match classify(answered) {
            Next::Count if counts => latencies.push(answered - asked),
            Next::Count | Next::Skip => {}
            Next::End => return Ok((client, latencies)),
        }
    }
}

pub async fn connect(address: SocketAddr) -> Outcome<SendRequest<Full<Bytes>>> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let (sender, connection) = handshake(TokioIo::new(stream)).await?;
    // Its end is reported to the sender of a request.
    tokio::spawn(async move { drop(connection.await) });
    Ok(sender)
}

/// Sends a request, and reads the complete response: status, headers, body.
pub async fn exchange(connection: &mut SendRequest<Full<Bytes>>, request: Request) -> Outcome<(u16, HeaderMap, Bytes)> {
    connection.ready().await?;
    let (parts, body) = connection.send_request(request).await?.into_parts();
    let body = body.collect().await?.to_bytes();
    Ok((parts.status.as_u16(), parts.headers, body))
}
