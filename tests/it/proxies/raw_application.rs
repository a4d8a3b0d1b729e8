//! An application that takes `WebSockets`, tells events one by one, and keeps every byte that it gets.

use super::raw_client::read_past;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, JoinSet};

/// The example of RFC 6455, 1.3.
const SWITCHED: &str = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                        Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
const EVENTS: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";

/// The application; it stops when this is dropped.
pub struct RawApplication {
    pub address: SocketAddr,
    /// Each event waits for a permit.
    pub events: Arc<Semaphore>,
    seen: Arc<Mutex<String>>,
    server: JoinHandle<()>,
}

impl RawApplication {
    pub async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (events, seen) = (Arc::new(Semaphore::new(0)), Arc::default());
        let server = tokio::spawn(serve(listener, events.clone(), Arc::clone(&seen)));
        Self { address, events, seen, server }
    }

    /// All bytes so far, in lower case.
    pub fn seen(&self) -> String {
        self.seen.lock().unwrap().to_lowercase()
    }
}

impl Drop for RawApplication {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn serve(listener: TcpListener, events: Arc<Semaphore>, seen: Arc<Mutex<String>>) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        let (events, seen) = (events.clone(), seen.clone());
        connections.spawn(async move { converse(BufReader::new(stream), &events, &seen).await });
    }
}

async fn converse(mut stream: BufReader<TcpStream>, events: &Semaphore, seen: &Mutex<String>) -> Option<()> {
    loop {
        let head = read_past(&mut stream, "\r\n\r\n").await;
        seen.lock().unwrap().push_str(&head);
        let lower = head.to_lowercase();
        if head.is_empty() {
            return None;
        }
        if lower.contains("\r\nupgrade: websocket\r\n") && lower.contains("\r\nconnection: upgrade\r\n") {
            stream.write_all(SWITCHED.as_bytes()).await.ok()?;
            echo(&mut stream).await?;
        } else if head.starts_with("GET /events ") {
            stream.write_all(EVENTS.as_bytes()).await.ok()?;
            for number in 1..=3 {
                events.acquire().await.ok()?.forget();
                stream.write_all(format!("data: {number}\n\n").as_bytes()).await.ok()?;
            }
            return None;
        }
        let body = read_body(&mut stream, &lower).await?;
        seen.lock().unwrap().push_str(&body);
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await.ok()?;
    }
}

async fn echo(stream: &mut BufReader<TcpStream>) -> Option<()> {
    let mut buffer = [0; 1024];
    loop {
        let length = stream.read(&mut buffer).await.ok().filter(|length| *length > 0)?;
        stream.write_all(&buffer[..length]).await.ok()?;
    }
}

/// A body with what follows it.
async fn read_body(stream: &mut BufReader<TcpStream>, head: &str) -> Option<String> {
    if head.contains("\r\ntransfer-encoding: chunked\r\n") {
        let body = read_past(stream, "0\r\n").await;
        return Some(body + &read_trailers(stream).await);
    }
    let length = head.split("\r\ncontent-length: ").nth(1).and_then(|rest| rest.split("\r\n").next());
    let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
    stream.read_exact(&mut body).await.ok()?;
    Some(String::from_utf8_lossy(&body).into_owned())
}

/// Lines up to an empty one.
async fn read_trailers(stream: &mut BufReader<TcpStream>) -> String {
    let mut lines = String::new();
    loop {
        let line = read_past(stream, "\r\n").await;
        let is_last = line.len() <= 2;
        lines += &line;
        if is_last {
            return lines;
        }
    }
}
