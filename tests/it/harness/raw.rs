//! Bytes straight onto the wire, for what no HTTP library would send.

use super::story::PATIENCE;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Sends the bytes and gives what came back until the server closed the connection; fails if it never does.
pub async fn raw_http(address: SocketAddr, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // A server may answer and hang up before it has read everything.
    let _ = stream.write_all(bytes).await;
    let mut answer = Vec::new();
    let end = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await;
    let _ = end.unwrap_or_else(|_| panic!("the server neither answered to the end nor hung up: {answer:?}"));
    String::from_utf8_lossy(&answer).into_owned()
}
