//! A proxy before the service, with the mistakes that operators make.

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{COOKIE, HOST, TRANSFER_ENCODING};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use reqwest::redirect::Policy;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// The address that it names as the client's.
pub const CLIENT: &str = "203.0.113.9";

/// What it does wrong.
#[derive(Clone, Copy)]
pub struct Mistakes {
    /// The scheme that it names.
    pub scheme: &'static str,
    /// Whether it removes the cookies of requests.
    pub strips_cookies: bool,
    /// Whether it passes on requests to the gate.
    pub opens_gate: bool,
    /// Whether it sends a host of its own.
    pub changes_host: bool,
    /// The client that it names, if any.
    pub client: Option<&'static str>,
    /// Where it connects from.
    pub address: &'static str,
}

impl Mistakes {
    /// None.
    pub const NONE: Self = Self {
        scheme: "http",
        strips_cookies: false,
        opens_gate: false,
        changes_host: false,
        client: Some(CLIENT),
        address: "127.0.0.1",
    };
}

/// The proxy; it stops when this is dropped.
pub struct Front {
    url: String,
    shared: Arc<Mutex<(String, Mistakes)>>,
    task: JoinHandle<()>,
}

impl Front {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let shared = Arc::new(Mutex::new((String::new(), Mistakes::NONE)));
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

async fn pass_on(State(shared): State<Arc<Mutex<(String, Mistakes)>>>, request: Request) -> Response {
    let (target, mistakes) = shared.lock().unwrap().clone();
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
    let answer = client.get(format!("{target}{}", request.uri())).headers(headers).send().await.unwrap();
    let (status, mut headers) = (answer.status(), answer.headers().clone());
    headers.remove(TRANSFER_ENCODING);
    let mut response = Response::new(Body::from(answer.bytes().await.unwrap()));
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}
