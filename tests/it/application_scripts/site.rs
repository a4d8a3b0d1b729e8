//! The login and an application on one host, as the proxies' files make it.

use crate::harness::{Engine, TestApp};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{CONNECTION, CONTENT_TYPE, TRANSFER_ENCODING};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use reqwest::redirect::Policy;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// Hands every navigation on, as a service worker does that keeps an application's own files.
const WORKER: &str = "addEventListener('install', () => skipWaiting());
    addEventListener('activate', (event) => event.waitUntil(clients.claim()));
    addEventListener('fetch', (event) => event.respondWith(fetch(event.request)));";

/// A request for the login that arrived: method, path, mode and destination.
pub type Arrived = (String, String, String, String);

#[derive(Clone, Default)]
struct Shared {
    target: Arc<Mutex<String>>,
    arrived: Arc<Mutex<Vec<Arrived>>>,
}

/// The host; it stops when this is dropped.
pub struct Site {
    pub app: TestApp,
    url: String,
    shared: Shared,
    task: JoinHandle<()>,
}

impl Site {
    /// Starts the login and an application whose every page is empty.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let shared = Shared::default();
        let worker = || async { ([(CONTENT_TYPE, "text/javascript")], WORKER) };
        let routes = Router::new()
            .route("/", get(|| async { Html("<!doctype html><title>Application</title><body>Application") }))
            .route("/worker.js", get(worker))
            .fallback(pass_on)
            .with_state(shared.clone());
        let task = tokio::spawn(async move { axum::serve(listener, routes).await.unwrap() });
        let builder = Engine::Sqlite.prepare().await.set("SVC_BASE_URL", &url).set("SVC_RATE_LIMIT", "off");
        let app = builder.set("SVC_DEFAULT_RETURN_TO", "/auth/account").start().await;
        *shared.target.lock().unwrap() = format!("http://{}", app.address());
        Self { app, url, shared, task }
    }

    pub fn at(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    pub fn arrived(&self) -> Vec<Arrived> {
        self.shared.arrived.lock().unwrap().clone()
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn pass_on(State(shared): State<Shared>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let header = |name: &str| parts.headers.get(name).map_or("-", |value| value.to_str().unwrap()).to_owned();
    let line =
        (parts.method.to_string(), parts.uri.path().to_owned(), header("sec-fetch-mode"), header("sec-fetch-dest"));
    shared.arrived.lock().unwrap().push(line);
    let target = format!("{}{}", shared.target.lock().unwrap(), parts.uri);
    let client = reqwest::Client::builder().redirect(Policy::none()).build().unwrap();
    let body = to_bytes(body, usize::MAX).await.unwrap();
    let answer = client.request(parts.method, target).headers(parts.headers).body(body).send().await.unwrap();
    let (status, mut headers) = (answer.status(), answer.headers().clone());
    headers.remove(TRANSFER_ENCODING);
    headers.remove(CONNECTION);
    let mut response = Body::from(answer.bytes().await.unwrap()).into_response();
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}
