//! One request over a connection of its own.

use super::certificate::certificate_end;
use super::connect::{Stream, connect};
use super::unanswered::Unanswered;
use crate::model::time::Time;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::header::{HOST, HeaderMap, HeaderValue};
use hyper::{Request, StatusCode, Uri};
use hyper_util::client::legacy::connect::{Connection, HttpInfo};
use std::error::Error;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::time::timeout;

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub connect: Duration,
    /// From the beginning to the end of the answer.
    pub total: Duration,
    /// The bytes of the answer's body; an answer with more is none.
    pub body: usize,
}

#[derive(Debug)]
pub struct ServerAnswer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
    /// This end of the connection.
    pub local: Option<SocketAddr>,
    /// The end of the server's certificate, if there is one.
    pub certificate_end: Option<Time>,
}

/// Sends a request to a server that the operator named, and reads its answer. The request has an absolute address;
/// `Host` comes from it.
pub async fn exchange(request: Request<Full<Bytes>>, limits: Limits) -> Result<ServerAnswer, Unanswered> {
    timeout(limits.total, over_new_connection(request, limits))
        .await
        .unwrap_or_else(|_| Err(Unanswered::within(limits.total)))
}

async fn over_new_connection(mut request: Request<Full<Bytes>>, limits: Limits) -> Result<ServerAnswer, Unanswered> {
    let stream = connect(request.uri(), limits.connect).await?;
    let mut extensions = hyper::http::Extensions::new();
    let certificate_end = certificate_end(&stream);
    stream.connected().get_extras(&mut extensions);
    let local = extensions.get::<HttpInfo>().map(HttpInfo::local_addr);
    let sent = async {
        address(&mut request)?;
        send(stream, request, limits.body).await
    };
    let (head, body) = sent.await.map_err(|error| Unanswered::Closed(error.to_string()))?;
    Ok(ServerAnswer { status: head.status, headers: head.headers, body, local, certificate_end })
}

/// An absolute address becomes `Host` and a path (RFC 9112, 3.2.1).
fn address(request: &mut Request<Full<Bytes>>) -> Result<(), Box<dyn Error + Send + Sync>> {
    let authority = request.uri().authority().map_or("", |authority| authority.as_str());
    let host = HeaderValue::from_str(authority.rsplit('@').next().unwrap_or(authority))?;
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    let path: Uri = path.parse()?;
    request.headers_mut().insert(HOST, host);
    *request.uri_mut() = path;
    Ok(())
}

async fn send(
    stream: Stream,
    request: Request<Full<Bytes>>,
    limit: usize,
) -> Result<(hyper::http::response::Parts, Bytes), Box<dyn Error + Send + Sync>> {
    let (mut sender, connection) = http1::handshake(stream).await?;
    let exchange = async move {
        let (head, body) = sender.send_request(request).await?.into_parts();
        let body = Limited::new(body, limit).collect().await?.to_bytes();
        // The end of this block drops the sender, which ends the connection's loop.
        Ok::<_, Box<dyn Error + Send + Sync>>((head, body))
    };
    tokio::join!(exchange, connection).0
}
