#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use std::io::ErrorKind;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

async fn pair(timeout: Duration) -> (WriteTimeout, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
    (WriteTimeout::new(listener.accept().await.unwrap().0, timeout), client)
}

#[tokio::test]
async fn write_to_client_that_does_not_read_times_out() {
    let (mut server, client) = pair(Duration::from_millis(50)).await;
    let error = loop {
        if let Err(error) = server.write_all(&vec![0; 65_536]).await {
            break error;
        }
    };
    assert_eq!(error.kind(), ErrorKind::TimedOut);
    drop(client);
}

#[tokio::test]
async fn reading_client_receives_everything() {
    let (mut server, mut client) = pair(Duration::from_secs(20)).await;
    let reading = tokio::spawn(async move {
        let mut read = Vec::new();
        client.read_to_end(&mut read).await.unwrap();
        read.len()
    });
    server.write_all(&vec![0; 8_000_000]).await.unwrap();
    server.shutdown().await.unwrap();
    assert_eq!(reading.await.unwrap(), 8_000_000);
}
