//! A webhook receiver: a real server that records requests byte for byte and answers as scripted.

use super::runner::WAIT_TIMEOUT;
use serde_json::Value;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;

#[derive(Clone, Debug)]
pub enum Answer {
    Status(u16),
    /// With these raw bytes, and then closes the connection.
    Raw(Vec<u8>),
    /// With these raw bytes, and closes the connection; adds a permit once the service has closed it too.
    UntilClosed(Vec<u8>, Arc<Semaphore>),
    Close,
    /// Never answers and keeps the connection open.
    Silence,
    /// With the inner answer, after this time.
    After(Duration, Box<Answer>),
    /// With the inner answer, once the test has added a permit for it.
    Held(Arc<Semaphore>, Box<Answer>),
}

#[derive(Clone, Debug)]
pub struct Received {
    pub request_line: String,
    /// Header names in their original case, and values.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// The number of earlier requests on the same connection.
    pub earlier_on_connection: usize,
}

impl Received {
    /// A header's first value; names are case-insensitive.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(given, _)| given.eq_ignore_ascii_case(name));
        values.next().map(|(_, value)| value.as_str())
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("a JSON body")
    }

    pub fn id(&self) -> &str {
        self.header("webhook-id").expect("an id")
    }

    pub fn kind(&self) -> String {
        self.json()["type"].as_str().expect("a type").to_owned()
    }
}

impl std::fmt::Display for Received {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{}", self.request_line)?;
        self.headers.iter().try_for_each(|(name, value)| writeln!(f, "{name}: {value}"))?;
        write!(f, "\n{}", String::from_utf8_lossy(&self.body))
    }
}

/// The receiver; it stops when this is dropped.
#[derive(Debug)]
pub struct Receiver {
    address: std::net::SocketAddr,
    shared: Arc<Shared>,
    server: JoinHandle<()>,
}

#[derive(Debug)]
struct Shared {
    received: watch::Sender<Vec<Received>>,
    /// The next answers, and the default answer.
    script: Mutex<(VecDeque<Answer>, Answer)>,
    by_event: Mutex<HashMap<String, Answer>>,
    concurrent: Mutex<ConcurrentRequests>,
}

#[derive(Debug, Default)]
struct ConcurrentRequests {
    current: usize,
    max: usize,
}

impl Receiver {
    /// Listens and answers every request with 204.
    pub async fn start() -> Self {
        Self::start_at(0).await
    }

    pub async fn start_at(port: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let script = Mutex::new((VecDeque::new(), Answer::Status(204)));
        let shared = Arc::new(Shared {
            received: watch::Sender::new(Vec::new()),
            script,
            by_event: Mutex::default(),
            concurrent: Mutex::default(),
        });
        let server = tokio::spawn(serve(listener, shared.clone()));
        Self { address, shared, server }
    }

    /// The value for `SVC_WEBHOOK_URL`.
    pub fn url(&self) -> String {
        format!("http://{}/hooks", self.address)
    }

    /// Scripts the answers to the next requests, in this order.
    pub fn answer_next(&self, answers: impl IntoIterator<Item = Answer>) {
        self.shared.script.lock().unwrap().0.extend(answers);
    }

    pub fn answer_always(&self, answer: Answer) {
        self.shared.script.lock().unwrap().1 = answer;
    }

    pub fn answer_event(&self, id: &str, answer: Answer) {
        self.shared.by_event.lock().unwrap().insert(id.to_owned(), answer);
    }

    pub fn received(&self) -> Vec<Received> {
        self.shared.received.borrow().clone()
    }

    /// The maximum number of requests that were unanswered at the same time.
    pub fn max_concurrent_requests(&self) -> usize {
        self.shared.concurrent.lock().unwrap().max
    }

    /// Waits until at least `count` requests have arrived and returns all of them.
    pub async fn wait_for(&self, count: usize) -> Vec<Received> {
        let mut received = self.shared.received.subscribe();
        let enough = received.wait_for(|all| all.len() >= count);
        let Ok(all) = tokio::time::timeout(WAIT_TIMEOUT, enough).await else {
            panic!("{count} requests did not come within {WAIT_TIMEOUT:?}, only {:#?}", self.received());
        };
        all.unwrap().clone()
    }
}

impl Shared {
    fn answer_to(&self, request: &Received) -> Answer {
        let by_event = request.header("webhook-id").and_then(|id| self.by_event.lock().unwrap().get(id).cloned());
        by_event.unwrap_or_else(|| {
            let mut script = self.script.lock().unwrap();
            script.0.pop_front().unwrap_or_else(|| script.1.clone())
        })
    }

    fn record(&self, request: Received) {
        let mut concurrent = self.concurrent.lock().unwrap();
        concurrent.current += 1;
        concurrent.max = concurrent.max.max(concurrent.current);
        self.received.send_modify(|all| all.push(request));
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    // Dropped with this task, which ends every connection.
    let mut connections = tokio::task::JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        connections.spawn(converse(stream, shared.clone()));
    }
}

async fn converse(mut stream: TcpStream, shared: Arc<Shared>) {
    let mut buffer = Vec::new();
    for earlier_on_connection in 0.. {
        let Some(mut request) = read_request(&mut stream, &mut buffer).await else { return };
        request.earlier_on_connection = earlier_on_connection;
        let answer = shared.answer_to(&request);
        shared.record(request);
        let answer = resolve(answer).await;
        // Before the answer: the service may send the next request as soon as it has read the answer.
        shared.concurrent.lock().unwrap().current -= 1;
        if !send(&mut stream, answer).await {
            return;
        }
    }
}

/// Reads one request with a `Content-Length`; bytes after it stay in the buffer.
async fn read_request(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<Received> {
    let head_end = loop {
        if let Some(position) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            break position + 4;
        }
        fill(stream, buffer).await?;
    };
    let head = String::from_utf8_lossy(&buffer[..head_end]).into_owned();
    let mut lines = head.trim_end().split("\r\n");
    let request_line = lines.next()?.to_owned();
    let pairs = lines.filter_map(|line| line.split_once(':'));
    let headers: Vec<_> = pairs.map(|(name, value)| (name.to_owned(), value.trim().to_owned())).collect();
    let mut request = Received { request_line, headers, body: Vec::new(), earlier_on_connection: 0 };
    let length: usize = request.header("content-length").and_then(|value| value.parse().ok()).unwrap_or(0);
    while buffer.len() < head_end + length {
        fill(stream, buffer).await?;
    }
    let rest = buffer.split_off(head_end + length);
    request.body = std::mem::replace(buffer, rest).split_off(head_end);
    Some(request)
}

async fn fill(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<()> {
    let read = stream.read_buf(buffer).await.ok()?;
    (read > 0).then_some(())
}

/// Waits for delays and permits, and returns the inner answer.
async fn resolve(mut answer: Answer) -> Answer {
    loop {
        answer = match answer {
            Answer::After(delay, then) => {
                tokio::time::sleep(delay).await;
                *then
            }
            Answer::Held(permits, then) => {
                permits.acquire().await.unwrap().forget();
                *then
            }
            Answer::Silence => std::future::pending().await,
            due => return due,
        };
    }
}

/// Sends the answer; returns whether the connection stays open.
async fn send(stream: &mut TcpStream, answer: Answer) -> bool {
    match answer {
        Answer::Status(status) => {
            let length = if status == 204 { "" } else { "Content-Length: 0\r\n" };
            let head = format!("HTTP/1.1 {status} Scripted\r\n{length}\r\n");
            stream.write_all(head.as_bytes()).await.is_ok()
        }
        Answer::Raw(bytes) => {
            // The service may have closed the connection; the test checks for that.
            let _ = stream.write_all(&bytes).await;
            false
        }
        Answer::UntilClosed(bytes, closed) => {
            if stream.write_all(&bytes).await.is_ok() && stream.shutdown().await.is_ok() {
                while stream.read(&mut [0; 64]).await.is_ok_and(|read| read > 0) {}
                closed.add_permits(1);
            }
            false
        }
        Answer::Close | Answer::Silence | Answer::After(..) | Answer::Held(..) => false,
    }
}
