#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::Instant;

#[tokio::test(start_paused = true)]
async fn idle_connection_of_a_trusted_proxy_is_kept_longer_than_proxies_keep_theirs() {
    for (proxies, seconds) in [(vec![], 20), (vec!["127.0.0.0/8".parse().unwrap()], 4200)] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Server { proxies, ..Server::with_router(listener, Router::new()) };
        let address = server.local_addr().unwrap();
        tokio::spawn(server.run(std::future::pending()));
        let mut proxy = TcpStream::connect(address).await.unwrap();
        proxy.write_all(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
        let (began, mut answer) = (Instant::now(), Vec::new());
        proxy.read_to_end(&mut answer).await.unwrap();
        assert!(answer.starts_with(b"HTTP/1.1 404"), "{}", String::from_utf8_lossy(&answer));
        assert_eq!(began.elapsed().as_secs(), seconds);
    }
}
