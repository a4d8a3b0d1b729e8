//! A host that answers nobody, as behind a firewall that drops packets.

use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket, TcpStream};

/// Connections to it are neither accepted nor refused, until it is dropped.
#[derive(Debug)]
pub struct Blackhole {
    address: SocketAddr,
    _listener: TcpListener,
    /// They fill the queue of connections that nobody accepts; the system drops what comes beyond.
    _queue: Vec<TcpStream>,
}

impl Blackhole {
    /// Fills a queue of the shortest length.
    pub async fn start() -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
        let listener = socket.listen(1).unwrap();
        let address = listener.local_addr().unwrap();
        let mut queue = Vec::new();
        while let Ok(Ok(stream)) = tokio::time::timeout(Duration::from_millis(200), TcpStream::connect(address)).await {
            queue.push(stream);
        }
        Self { address, _listener: listener, _queue: queue }
    }

    /// Its address, as the start of a URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}
