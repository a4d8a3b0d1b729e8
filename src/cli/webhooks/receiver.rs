//! A webhook receiver for development: forwards requests to a channel, and answers with the status from there.

use super::forward::ForwardTarget;
use crate::cli::local_server;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::{Request, Response, StatusCode};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};

/// Far above the size of any event.
const MAX_BODY_BYTES: usize = 1024 * 1024;

/// A request that waits for its response.
pub struct ReceivedRequest {
    /// The path and the query.
    pub path: String,
    /// Header names in lower case, and values.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// What the application answered that it was passed on to, or why it did not.
    pub forwarded: Option<Result<u16, String>>,
    /// The status to answer with, unless an application has answered; 503 if dropped.
    pub answer: oneshot::Sender<u16>,
}

impl ReceivedRequest {
    /// The first value of a header; `name` in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }
}

/// A receiver bound to the loopback address.
pub struct WebhookReceiver {
    listener: TcpListener,
    delay: Duration,
    forward_to: Option<ForwardTarget>,
}

impl WebhookReceiver {
    /// Binds the port; every response is delayed by `delay`, and every request is passed on to `forward_to`.
    pub async fn bind(port: u16, delay: Duration, forward_to: Option<ForwardTarget>) -> io::Result<Self> {
        Ok(Self { listener: TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?, delay, forward_to })
    }

    /// The bound address, with the actual port.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Forwards requests until the receiving end of `arrivals` or this future is dropped.
    pub async fn run(self, arrivals: mpsc::Sender<ReceivedRequest>) -> io::Result<()> {
        let Self { listener, delay, forward_to } = self;
        let arrived = arrivals.clone();
        let answer = move |request| {
            let (arrivals, forward_to) = (arrived.clone(), forward_to.clone());
            async move {
                let response = receive(request, &arrivals, forward_to.as_ref()).await;
                tokio::time::sleep(delay).await;
                response
            }
        };
        tokio::select! {
            ended = local_server::serve(listener, answer) => ended,
            () = arrivals.closed() => Ok(()),
        }
    }
}

async fn receive(
    request: Request<Incoming>,
    arrivals: &mpsc::Sender<ReceivedRequest>,
    forward_to: Option<&ForwardTarget>,
) -> Response<Full<Bytes>> {
    if request.method() != hyper::Method::POST {
        return respond(StatusCode::METHOD_NOT_ALLOWED, "send webhooks with POST\n");
    }
    let (head, body) = request.into_parts();
    let Ok(body) = Limited::new(body, MAX_BODY_BYTES).collect().await else {
        return respond(StatusCode::PAYLOAD_TOO_LARGE, "");
    };
    let body = body.to_bytes();
    let forwarded = match forward_to {
        Some(target) => Some(target.send(&head.headers, body.clone()).await),
        None => None,
    };
    let (answer, answered) = oneshot::channel();
    let text = |value: &hyper::header::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let request = ReceivedRequest {
        path: head.uri.path_and_query().map_or_else(|| "/".to_owned(), ToString::to_string),
        headers: head.headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect(),
        body: body.to_vec(),
        forwarded: forwarded.as_ref().map(|sent| match sent {
            Ok(response) => Ok(response.status().as_u16()),
            Err(error) => Err(error.clone()),
        }),
        answer,
    };
    let status = match arrivals.send(request).await {
        Ok(()) => answered.await.unwrap_or(503),
        Err(_) => 503,
    };
    if let Some(Ok(response)) = forwarded {
        return response;
    }
    respond(StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), "")
}

fn respond(status: StatusCode, text: &'static str) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from_static(text.as_bytes())));
    *response.status_mut() = status;
    response
}
