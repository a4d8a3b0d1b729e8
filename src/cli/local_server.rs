//! A server on the loopback address, for what developers and operators run on their own machine.

use super::failure::Failure;
use hyper::body::{Body, Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::io;
use std::net::Ipv4Addr;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::JoinSet;

/// Listens on a port of the loopback address; 0 is a free one.
pub(super) async fn bind(port: u16) -> Result<TcpListener, Failure> {
    let bound = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
    bound.map_err(|error| Failure::Operator(format!("cannot listen on port {port}: {error}")))
}

/// What ends a command that runs until it is stopped. Made before the first line is printed: who reads that may stop it.
pub(super) struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
}

impl StopSignals {
    /// Takes Ctrl-C and `SIGTERM` from now on.
    pub(super) fn new() -> Result<Self, Failure> {
        let taken = |kind| signal(kind).map_err(Failure::Output);
        Ok(Self { interrupt: taken(SignalKind::interrupt())?, terminate: taken(SignalKind::terminate())? })
    }

    pub(super) async fn stopped(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

/// Answers each request by `answer`, until accepting fails or this future is dropped.
pub(super) async fn serve<A, B>(
    listener: TcpListener,
    answer: impl Fn(Request<Incoming>) -> A + Clone + Send + 'static,
) -> io::Result<()>
where
    A: Future<Output = Response<B>> + Send + 'static,
    B: Body<Data = Bytes, Error = Infallible> + Send + 'static,
{
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let (stream, answer) = (accepted?.0, answer.clone());
                connections.spawn(async move {
                    let service = service_fn(move |request| {
                        let answered = answer(request);
                        async { Ok::<_, Infallible>(answered.await) }
                    });
                    // A client that hangs up is not an error.
                    let mut server = http1::Builder::new();
                    let server = server.timer(TokioTimer::new());
                    let _ = server.serve_connection(TokioIo::new(stream), service).await;
                });
            }
            Some(_) = connections.join_next() => {}
        }
    }
}
