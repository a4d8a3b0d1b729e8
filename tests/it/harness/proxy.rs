//! A TCP proxy between the service and its database that can be disconnected, fall silent, or lead elsewhere.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::io::{AsyncReadExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

/// A proxy; it stops when this is dropped.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    route: watch::Sender<Route>,
    open: watch::Sender<usize>,
    tried: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

#[derive(Clone, Debug)]
struct Route {
    target: String,
    state: State,
    /// How often connections fell silent: those from before the last time stay so.
    silences: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Connected,
    Cut,
    Silent,
}

impl Proxy {
    pub async fn start(target: &str) -> Self {
        Self::start_at(([127, 0, 0, 1], 0).into(), target).await
    }

    pub async fn start_at(address: SocketAddr, target: &str) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let route = watch::Sender::new(Route { target: target.to_owned(), state: State::Connected, silences: 0 });
        let open = watch::Sender::new(0);
        let tried = Arc::<AtomicUsize>::default();
        let task = tokio::spawn(forward(listener, route.subscribe(), open.clone(), tried.clone()));
        Self { address, route, open, tried, task }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// How many connections were made so far, whatever became of them.
    pub fn tried(&self) -> usize {
        self.tried.load(Ordering::SeqCst)
    }

    /// Breaks every connection, and each new one after its first message.
    pub fn cut(&self) {
        self.route.send_modify(|route| route.state = State::Cut);
    }

    /// As [`Proxy::cut`]; returns when every connection is closed.
    pub async fn cut_all(&self) {
        self.cut();
        self.open.subscribe().wait_for(|open| *open == 0).await.unwrap();
    }

    /// Forwards nothing any more and closes nothing, like a host that is lost; new connections are taken, and never
    /// answered. Those that are open stay silent for ever.
    pub fn silence(&self) {
        self.route.send_modify(|route| {
            route.state = State::Silent;
            route.silences += 1;
        });
    }

    pub fn restore(&self) {
        self.route.send_modify(|route| route.state = State::Connected);
    }

    pub fn lead_to(&self, target: &str) {
        self.route.send_modify(|route| target.clone_into(&mut route.target));
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn forward(
    listener: TcpListener,
    route: watch::Receiver<Route>,
    open: watch::Sender<usize>,
    tried: Arc<AtomicUsize>,
) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        let (forwarded, open) = (forward_connection(stream, route.clone()), open.clone());
        tried.fetch_add(1, Ordering::SeqCst);
        open.send_modify(|open| *open += 1);
        connections.spawn(async move {
            forwarded.await;
            open.send_modify(|open| *open -= 1);
        });
    }
}

async fn forward_connection(mut near: TcpStream, mut route: watch::Receiver<Route>) {
    let Route { target, state, silences } = route.borrow().clone();
    if state == State::Cut {
        let _ = near.read(&mut [0; 64]).await;
        return;
    }
    let (forwarded, changed) = (
        async {
            if state == State::Silent {
                return std::future::pending().await;
            }
            let Ok(mut far) = TcpStream::connect(target).await else { return };
            let _ = copy_bidirectional(&mut near, &mut far).await;
        },
        route.wait_for(|now| now.state == State::Cut || now.silences != silences),
    );
    let silent = tokio::select! {
        () = forwarded => false,
        changed = changed => changed.is_ok_and(|now| now.state != State::Cut),
    };
    if silent {
        let _near = near;
        std::future::pending::<()>().await;
    }
}
