//! A receiver of webhooks for development: takes requests, hands them over, and answers as it is told.

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;

/// No event is nearly as large.
const MAX_BODY: usize = 1024 * 1024;

/// A request that waits for its answer.
pub struct Arrival {
    /// The path and the query.
    pub path: String,
    /// Names in lower case, and values.
    pub headers: Vec<(String, String)>,
    /// The body's bytes.
    pub body: Vec<u8>,
    /// The status to answer with. Dropped, it is 503.
    pub answer: oneshot::Sender<u16>,
}

impl Arrival {
    /// The first value of a header; `name` in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }
}

/// A bound receiver, for programs on the same machine.
pub struct WebhookReceiver {
    listener: TcpListener,
    delay: Duration,
}

impl WebhookReceiver {
    /// Binds the port on the loopback address; every answer waits for `delay`.
    pub async fn bind(port: u16, delay: Duration) -> io::Result<Self> {
        Ok(Self { listener: TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?, delay })
    }

    /// The address, with the port that was chosen for 0.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Hands over what comes, until nobody takes it any more or this is dropped.
    pub async fn run(self, arrivals: mpsc::Sender<Arrival>) -> io::Result<()> {
        let mut connections = JoinSet::new();
        loop {
            tokio::select! {
                accepted = self.listener.accept() => {
                    connections.spawn(serve(accepted?.0, arrivals.clone(), self.delay));
                }
                Some(_) = connections.join_next() => {}
                () = arrivals.closed() => return Ok(()),
            }
        }
    }
}

async fn serve(stream: TcpStream, arrivals: mpsc::Sender<Arrival>, delay: Duration) {
    let service = service_fn(move |request| {
        let arrivals = arrivals.clone();
        async move { Ok::<_, Infallible>(receive(request, &arrivals, delay).await) }
    });
    // A sender that hangs up is nothing to a receiver.
    let _ = http1::Builder::new().timer(TokioTimer::new()).serve_connection(TokioIo::new(stream), service).await;
}

async fn receive(
    request: Request<Incoming>,
    arrivals: &mpsc::Sender<Arrival>,
    delay: Duration,
) -> Response<Full<Bytes>> {
    if request.method() != hyper::Method::POST {
        return respond(StatusCode::METHOD_NOT_ALLOWED, "webhooks come by POST\n");
    }
    let (head, body) = request.into_parts();
    let Ok(body) = Limited::new(body, MAX_BODY).collect().await else {
        return respond(StatusCode::PAYLOAD_TOO_LARGE, "");
    };
    let (answer, answered) = oneshot::channel();
    let text = |value: &hyper::header::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let arrival = Arrival {
        path: head.uri.path_and_query().map_or_else(|| "/".to_owned(), ToString::to_string),
        headers: head.headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect(),
        body: body.to_bytes().to_vec(),
        answer,
    };
    let status = match arrivals.send(arrival).await {
        Ok(()) => answered.await.unwrap_or(503),
        Err(_) => 503,
    };
    tokio::time::sleep(delay).await;
    respond(StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), "")
}

fn respond(status: StatusCode, text: &'static str) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from_static(text.as_bytes())));
    *response.status_mut() = status;
    response
}
