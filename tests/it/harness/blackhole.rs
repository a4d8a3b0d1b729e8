//! A host that never answers, as behind a firewall that drops packets.

use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket, TcpStream};

/// Neither accepts nor refuses connections until it is dropped.
#[derive(Debug)]
pub struct Blackhole {
    address: SocketAddr,
    _listener: TcpListener,
    /// Fills the accept queue; the kernel drops further connection attempts.
    _queue: Vec<TcpStream>,
}

impl Blackhole {
    /// Fills an accept queue of the shortest length.
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
