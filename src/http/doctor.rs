//! `/auth/doctor/{nonce}`: tells `doorward doctor` what of its request arrived here, and what it answers
//! (docs/reference/protocol.md 15).

use super::api::error::{ApiError, ErrorCode};
use super::client::{self, ClientAddress};
use super::cookies;
use super::error::{self, ResponseFormat};
use super::request_id::Arrival;
use crate::context::App;
use crate::crypto::token_hash::LinkToken;
use crate::domain::doctor_nonce;
use crate::error::Error;
use crate::model::device::Device;
use crate::model::principal::Principal;
use axum::extract::{Path, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, FORWARDED, HOST, HeaderName, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, Method};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use std::net::SocketAddr;
use std::sync::Arc;

/// The size of an access token.
pub const TOKEN_BYTES: usize = 1000;
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// Answers who knows a nonce that is in the database; for all others there is nothing here.
pub async fn show(State(app): State<Arc<App>>, Path(nonce): Path<String>, request: Request) -> Response {
    let stranger = Principal::anonymous(Device::new("", None));
    match doctor_nonce::is_valid(&app.store, &stranger, &nonce).await {
        Ok(true) => match LinkToken::generate() {
            Ok(answer) => seen(&app, &request, &answer),
            Err(error) => error::failed(Error::from(error).into(), ResponseFormat::Json),
        },
        Ok(false) => ApiError::new(ErrorCode::NotFound).into_response(),
        Err(error) => error::failed(error.into(), ResponseFormat::Json),
    }
}

/// What arrived. It sets two cookies, already expired, so that the doctor sees which attributes arrive: one of this host
/// and the login's path, one of the configured domain. The answer to POST is as large as that to a login.
fn seen(app: &App, request: &Request, answer: &LinkToken) -> Response {
    let (headers, server, name) = (request.headers(), &app.settings.server, &app.settings.name);
    let peer = client::peer(request.extensions());
    let port = request.extensions().get::<Arrival>().map_or(0, |arrival| arrival.peer.port());
    let ClientAddress { for_records: client, .. } = client::of(server, headers, request.extensions());
    let cookies = [name.access_cookie(), name.refresh_cookie(), name.csrf_cookie()];
    let arrived: Vec<&str> =
        cookies.into_iter().filter(|name| cookies::values(headers, name).next().is_some()).collect();
    let differing = app.reported_differences.lock().clone();
    let large = if request.method() == Method::POST { TOKEN_BYTES } else { 0 };
    let set: Vec<HeaderValue> = cookies::examined(&app.settings, &"x".repeat(large)).collect();
    let set_texts: Vec<&str> = set.iter().filter_map(|cookie| cookie.to_str().ok()).collect();
    let body = json!({
        // Another one in every answer: from a cache comes an old one.
        "answer": answer.text(),
        "peer": SocketAddr::new(peer, port),
        "peer_trusted": client::is_trusted(server, &peer),
        "forwarded": headers.contains_key(FORWARDED) || headers.contains_key(FORWARDED_FOR),
        "client": client,
        "scheme": text(headers, &FORWARDED_PROTO),
        "host": text(headers, &HOST),
        "cookies": arrived,
        "set_cookies": set_texts,
        "differing_settings": differing,
    });
    let fixed = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")];
    let mut response = (fixed, body.to_string()).into_response();
    response.headers_mut().extend(set.into_iter().map(|cookie| (SET_COOKIE, cookie)));
    response
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}
