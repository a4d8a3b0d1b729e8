//! A TCP proxy between the service and its database that can be disconnected.

use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

/// A proxy; it stops when this is dropped.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    target: watch::Sender<String>,
    connected: watch::Sender<bool>,
    /// The number of open connections.
    open: watch::Sender<usize>,
    task: JoinHandle<()>,
}

impl Proxy {
    /// Forwards connections to `target`.
    pub async fn start(target: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let target = watch::Sender::new(target.to_owned());
        let connected = watch::Sender::new(true);
        let open = watch::Sender::new(0);
        let task = tokio::spawn(forward(listener, target.subscribe(), connected.subscribe(), open.clone()));
        Self { address, target, connected, open, task }
    }

    /// The listening address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Breaks every connection, and each new one after its first message.
    pub fn cut(&self) {
        self.connected.send_replace(false);
    }

    /// As [`Proxy::cut`]; returns when every connection is closed.
    pub async fn cut_all(&self) {
        self.cut();
        self.open.subscribe().wait_for(|open| *open == 0).await.unwrap();
    }

    /// Leads new connections to another server; those that are open stay where they are.
    pub fn lead_to(&self, target: &str) {
        self.target.send_replace(target.to_owned());
    }

    /// Forwards new connections again.
    pub fn restore(&self) {
        self.connected.send_replace(true);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn forward(
    listener: TcpListener,
    target: watch::Receiver<String>,
    connected: watch::Receiver<bool>,
    open: watch::Sender<usize>,
) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        let server = target.borrow().clone();
        let (forwarded, open) = (forward_connection(stream, server, connected.clone()), open.clone());
        open.send_modify(|open| *open += 1);
        connections.spawn(async move {
            forwarded.await;
            open.send_modify(|open| *open -= 1);
        });
    }
}

async fn forward_connection(mut near: TcpStream, target: String, mut connected: watch::Receiver<bool>) {
    if !*connected.borrow() {
        let _ = near.read(&mut [0; 64]).await;
        return;
    }
    let Ok(mut far) = TcpStream::connect(target).await else { return };
    tokio::select! {
        _ = copy_bidirectional(&mut near, &mut far) => {}
        _ = connected.wait_for(|connected| !connected) => {}
    }
}
