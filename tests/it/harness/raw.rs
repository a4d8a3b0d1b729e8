//! Raw bytes over TCP, for requests that no HTTP library would send.

use super::runner::WAIT_TIMEOUT;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Sends the bytes and returns the response up to the end of the connection; fails if the server never closes it.
pub async fn raw_http(address: SocketAddr, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // A server may answer and close the connection before it has read everything.
    let _ = stream.write_all(bytes).await;
    let mut answer = Vec::new();
    let end = tokio::time::timeout(WAIT_TIMEOUT, stream.read_to_end(&mut answer)).await;
    let _ = end.unwrap_or_else(|_| panic!("the server neither answered to the end nor hung up: {answer:?}"));
    String::from_utf8_lossy(&answer).into_owned()
}
