//! Serves pages as they are, with the files that they load.

use super::language::Language;
use super::settings::SETTINGS;
use crate::samples::Sample;
use axum::Router;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERER};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use doorward::http::assets::Assets;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// Stops when it is dropped.
pub struct PageServer {
    origin: String,
    task: JoinHandle<()>,
}

impl PageServer {
    pub async fn start(pages: impl IntoIterator<Item = (Language, Sample)>) -> Self {
        let pages: BTreeMap<String, Sample> =
            pages.into_iter().map(|(language, page)| (path(language, page.name), page)).collect();
        let pages = Arc::new(pages);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        // Passkeys need a host name.
        let origin = format!("http://localhost:{}", listener.local_addr().unwrap().port());
        let answer = |uri: Uri, headers: HeaderMap| async move { answer(&pages, uri.path(), &headers) };
        let router = Router::new().fallback(answer);
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { origin, task }
    }

    pub fn url(&self, language: Language, page: &str) -> String {
        format!("{}{}", self.origin, path(language, page))
    }
}

impl Drop for PageServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn path(language: Language, page: &str) -> String {
    format!("/{}/{page}", language.tag())
}

fn answer(pages: &BTreeMap<String, Sample>, path: &str, headers: &HeaderMap) -> Response {
    let brand = &SETTINGS.pages.brand;
    let mut files = Assets::of(brand.scheme).all().into_iter().chain(brand.assets());
    if let Some(file) = files.find(|file| file.url() == path) {
        let cached = (CACHE_CONTROL, "public, max-age=31536000, immutable");
        return ([(CONTENT_TYPE, file.content_type()), cached], file.shared_body()).into_response();
    }
    match pages.get(path).filter(|_| !headers.contains_key(REFERER)) {
        Some(page) => {
            let policy = [(CONTENT_SECURITY_POLICY, page.policy.clone())];
            (policy, [(CONTENT_TYPE, "text/html; charset=utf-8")], page.html.clone()).into_response()
        }
        // A page that goes on by itself, or asks for itself again, stays.
        None => StatusCode::NO_CONTENT.into_response(),
    }
}
