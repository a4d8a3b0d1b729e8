//! A proxy before the service, with the mistakes that operators make.

use crate::harness::{TempDir, acceptor};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::{COOKIE, HOST, SET_COOKIE, TRANSFER_ENCODING};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use reqwest::redirect::Policy;
use std::collections::HashMap;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// The address that it names as the client's.
pub const CLIENT: &str = "203.0.113.9";

#[derive(Clone)]
pub struct Mistakes {
    pub scheme: &'static str,
    /// Whether it removes the cookies of requests.
    pub strips_cookies: bool,
    /// Whether it passes on requests to the gate.
    pub opens_gate: bool,
    /// Whether it sends a host of its own.
    pub changes_host: bool,
    /// What it replaces in `Set-Cookie`, and with what.
    pub rewrites: (&'static str, &'static str),
    /// The method that it answers from a cache, whatever answers say of that.
    pub caches: Option<Method>,
    pub refuses: Option<Method>,
    /// The bytes of all headers of a request that it takes.
    pub max_request: usize,
    /// The bytes of all headers of an answer that it takes.
    pub max_answer: usize,
    /// The client that it names, if any.
    pub client: Option<&'static str>,
    pub address: &'static str,
}

impl Mistakes {
    pub const NONE: Self = Self {
        scheme: "http",
        strips_cookies: false,
        opens_gate: false,
        changes_host: false,
        rewrites: ("", ""),
        caches: None,
        refuses: None,
        max_request: usize::MAX,
        max_answer: usize::MAX,
        client: Some(CLIENT),
        address: "127.0.0.1",
    };
}

/// Where it leads, what it does wrong, and its cache.
type SharedState = Arc<Mutex<(String, Mistakes, HashMap<String, Passed>)>>;
type Passed = (StatusCode, HeaderMap, Bytes);

/// The proxy; it stops when this is dropped.
pub struct Front {
    url: String,
    shared: SharedState,
    task: JoinHandle<()>,
}

impl Front {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let shared = Arc::new(Mutex::new((String::new(), Mistakes::NONE, HashMap::new())));
        let routes = Router::new().fallback(pass_on).with_state(shared.clone());
        let task = tokio::spawn(async move { axum::serve(listener, routes).await.unwrap() });
        Self { url, shared, task }
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    /// Leads to the service at this address.
    pub fn lead_to(&self, address: &str) {
        self.shared.lock().unwrap().0 = format!("http://{address}");
    }

    pub fn make(&self, mistakes: Mistakes) {
        self.shared.lock().unwrap().1 = mistakes;
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn pass_on(State(shared): State<SharedState>, request: Request) -> Response {
    let (target, mistakes, cache) = shared.lock().unwrap().clone();
    let (method, uri) = (request.method().clone(), request.uri().to_string());
    if mistakes.refuses.as_ref() == Some(&method) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    if size(request.headers()) > mistakes.max_request {
        return StatusCode::BAD_REQUEST.into_response();
    }
    if let Some(kept) = cache.get(&uri).filter(|_| mistakes.caches.as_ref() == Some(&method)) {
        return response(kept.clone());
    }
    if request.uri().path() == "/auth/gate" && !mistakes.opens_gate {
        return StatusCode::NOT_FOUND.into_response();
    }
    let mut headers = request.headers().clone();
    if mistakes.strips_cookies {
        headers.remove(COOKIE);
    }
    if mistakes.changes_host {
        headers.insert(HOST, HeaderValue::from_static("upstream.internal"));
    }
    if let Some(client) = mistakes.client {
        headers.insert("x-forwarded-for", HeaderValue::from_static(client));
    }
    headers.insert("x-forwarded-proto", HeaderValue::from_static(mistakes.scheme));
    let address: IpAddr = mistakes.address.parse().unwrap();
    let client = reqwest::Client::builder().local_address(address).redirect(Policy::none()).build().unwrap();
    let sent = client.request(method, format!("{target}{uri}")).headers(headers);
    let body = axum::body::to_bytes(request.into_body(), 1 << 20).await.unwrap();
    let answer = sent.body(body).send().await.unwrap();
    let (status, mut headers) = (answer.status(), answer.headers().clone());
    headers.remove(TRANSFER_ENCODING);
    if size(&headers) > mistakes.max_answer {
        return StatusCode::BAD_GATEWAY.into_response();
    }
    let cookies: Vec<_> = headers.get_all(SET_COOKIE).iter().map(|value| value.to_str().unwrap().to_owned()).collect();
    headers.remove(SET_COOKIE);
    for cookie in cookies {
        let (from, to) = mistakes.rewrites;
        let cookie = if from.is_empty() { cookie } else { cookie.replace(from, to) };
        headers.append(SET_COOKIE, cookie.parse().unwrap());
    }
    let kept = (status, headers, answer.bytes().await.unwrap());
    shared.lock().unwrap().2.insert(uri, kept.clone());
    response(kept)
}

fn size(headers: &HeaderMap) -> usize {
    headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum()
}

fn response((status, headers, body): Passed) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

/// TLS before the proxy, with a certificate of its own.
pub struct TlsFront {
    url: String,
    folder: TempDir,
    task: JoinHandle<()>,
}

impl TlsFront {
    /// Leads to the server at this URL; the certificate is valid for this number of days.
    pub async fn start(to: &str, days: u32) -> Self {
        let folder = TempDir::new("tls");
        let acceptor = acceptor(folder.path(), days);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("https://localhost:{}", listener.local_addr().unwrap().port());
        let to = to.strip_prefix("http://").unwrap().to_owned();
        let task = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let (acceptor, to) = (acceptor.clone(), to.clone());
                tokio::spawn(async move {
                    // Who does not trust the certificate hangs up.
                    let Ok(mut stream) = acceptor.accept(stream).await else { return };
                    let mut server = TcpStream::connect(to).await.unwrap();
                    let _ = copy_bidirectional(&mut stream, &mut server).await;
                });
            }
        });
        Self { url, folder, task }
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    pub fn certificate(&self) -> PathBuf {
        self.folder.path().join("cert.pem")
    }
}

impl Drop for TlsFront {
    fn drop(&mut self) {
        self.task.abort();
    }
}
