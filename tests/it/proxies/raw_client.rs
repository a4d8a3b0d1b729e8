//! A connection that stays open for many requests, with every byte as the test has it.

use crate::harness::WAIT_TIMEOUT;
use std::net::SocketAddr;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

#[derive(Debug)]
pub struct RawReply {
    pub status: u16,
    pub body: String,
}

pub struct RawClient {
    address: SocketAddr,
    stream: Option<BufReader<TcpStream>>,
}

impl RawClient {
    /// It is made when the first request is sent, and again after a server has closed it.
    pub fn new(address: SocketAddr) -> Self {
        Self { address, stream: None }
    }

    /// Sends a request. `lines` are its headers but for `Host`, each with its line end.
    pub async fn send(&mut self, start: &str, lines: &str, body: &str) -> RawReply {
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => BufReader::new(TcpStream::connect(self.address).await.unwrap()),
        };
        let request = format!("{start} HTTP/1.1\r\nHost: {}\r\n{lines}\r\n{body}", self.address);
        stream.write_all(request.as_bytes()).await.unwrap();
        let head = read_past(&mut stream, "\r\n\r\n").await;
        let field = |name: &str| {
            let lines = head.lines().filter_map(|line| line.split_once(':'));
            let mut values = lines.filter(|(given, _)| given.eq_ignore_ascii_case(name));
            values.next().map(|(_, value)| value.trim().to_owned())
        };
        let length = field("content-length").map_or(0, |length| length.parse().unwrap());
        assert_eq!(field("transfer-encoding"), None, "{head}");
        let mut body = vec![0; length];
        stream.read_exact(&mut body).await.unwrap();
        if field("connection").is_none_or(|value| value != "close") {
            self.stream = Some(stream);
        }
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.unwrap_or_else(|| panic!("no answer to {request}: {head}"));
        RawReply { status, body: String::from_utf8(body).unwrap() }
    }
}

/// Reads up to the end of the first `mark`, and no byte after it; or to the end of the stream.
pub async fn read_past(stream: &mut (impl AsyncRead + Unpin), mark: &str) -> String {
    let mut read = Vec::new();
    let reading = async {
        while !read.ends_with(mark.as_bytes()) {
            match stream.read_u8().await {
                Ok(byte) => read.push(byte),
                Err(_) => break,
            }
        }
    };
    let in_time = tokio::time::timeout(WAIT_TIMEOUT, reading).await.is_ok();
    assert!(in_time, "waited in vain for {mark:?} after {}", String::from_utf8_lossy(&read));
    String::from_utf8_lossy(&read).into_owned()
}
