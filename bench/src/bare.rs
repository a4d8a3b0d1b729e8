//! The limit: a bare axum route, in its own process, that always returns the same response.

use crate::load::{Request, connect, exchange};
use crate::outcome::Outcome;
use crate::process::Process;
use axum::Router;
use axum::extract::State;
use axum::http::header::{CONTENT_LENGTH, DATE};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::IntoResponse;
use axum::routing::any;
use axum::serve::ListenerExt;
use hyper::body::Bytes;
use serde::{Deserialize, Serialize};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Command, Stdio};
use std::sync::Arc;
use tokio::net::TcpListener;

#[derive(Serialize, Deserialize)]
pub struct Answer {
    path: String,
    headers: Vec<(String, String)>,
    body: String,
}

impl Answer {
    /// Records the service's response to a request.
    pub async fn of(service: SocketAddr, request: Request) -> Outcome<Self> {
        let path = request.uri().path().to_owned();
        let (status, headers, body) = exchange(&mut connect(service).await?, request).await?;
        if status != 200 {
            return Err(format!("{path} answered {status}").into());
        }
        // Every server sets these two itself.
        let kept = headers.iter().filter(|(name, _)| ![DATE, CONTENT_LENGTH].contains(name));
        let headers = kept.map(|(name, value)| Ok((name.to_string(), value.to_str()?.to_owned())));
        Ok(Self { path, headers: headers.collect::<Outcome<_>>()?, body: String::from_utf8(body.to_vec())? })
    }
}

/// A process that serves the bare route.
pub struct Bare {
    pub address: SocketAddr,
    pub process: Process,
}

impl Bare {
    pub fn start(answer: &Answer) -> Outcome<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        let mut process = Process::start(command.arg("bare").stdin(Stdio::piped()).stdout(Stdio::piped()))?;
        let mut stdin = process.child().stdin.take().ok_or("no standard input")?;
        stdin.write_all(&serde_json::to_vec(answer)?)?;
        // Closing it marks the end of the recorded response.
        drop(stdin);
        let mut address = String::new();
        BufReader::new(process.child().stdout.take().ok_or("no standard output")?).read_line(&mut address)?;
        Ok(Self { address: address.trim().parse()?, process })
    }
}

/// Entry point of the process: reads the response, prints its address, and serves.
pub async fn serve() -> Outcome<()> {
    let mut answer = String::new();
    std::io::stdin().read_to_string(&mut answer)?;
    let Answer { path, headers, body } = serde_json::from_str(&answer)?;
    let headers = headers.iter().map(|(name, value)| Ok((HeaderName::try_from(name)?, HeaderValue::try_from(value)?)));
    let mut map = HeaderMap::new();
    for header in headers.collect::<Outcome<Vec<_>>>()? {
        map.append(header.0, header.1);
    }
    let router = Router::new().route(&path, any(respond)).with_state(Arc::new((map, Bytes::from(body))));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    println!("{}", listener.local_addr()?);
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    Ok(axum::serve(listener, router).await?)
}

async fn respond(State(answer): State<Arc<(HeaderMap, Bytes)>>) -> impl IntoResponse {
    (answer.0.clone(), answer.1.clone())
}
