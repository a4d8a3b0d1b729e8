//! A server on the loopback address, for what developers and operators run on their own machine.

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::io;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

/// Answers each request by `answer`, until accepting fails or this future is dropped.
pub(super) async fn serve<A>(
    listener: TcpListener,
    answer: impl Fn(Request<Incoming>) -> A + Clone + Send + 'static,
) -> io::Result<()>
where
    A: Future<Output = Response<Full<Bytes>>> + Send + 'static,
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
