//! A cable that can be pulled: a TCP proxy between the service and its database.

use std::net::SocketAddr;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

/// A proxy; it stops when this is dropped.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    connected: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Proxy {
    /// Passes connections on to `target`.
    pub async fn start(target: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let connected = watch::Sender::new(true);
        let task = tokio::spawn(pass(listener, target.to_owned(), connected.subscribe()));
        Self { address, connected, task }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Breaks every connection, and each new one at once.
    pub fn cut(&self) {
        self.connected.send_replace(false);
    }

    /// Lets new connections through again.
    pub fn mend(&self) {
        self.connected.send_replace(true);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn pass(listener: TcpListener, target: String, connected: watch::Receiver<bool>) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        connections.spawn(pass_one(stream, target.clone(), connected.clone()));
    }
}

async fn pass_one(mut near: TcpStream, target: String, mut connected: watch::Receiver<bool>) {
    if !*connected.borrow() {
        return;
    }
    let Ok(mut far) = TcpStream::connect(target).await else { return };
    tokio::select! {
        _ = copy_bidirectional(&mut near, &mut far) => {}
        _ = connected.wait_for(|connected| !connected) => {}
    }
}
