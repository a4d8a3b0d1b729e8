//! `GET /auth/doctor/{nonce}`: tells `doorward doctor` what of its request arrived here (docs/reference/protocol.md
//! 15).

use super::api::error::{ApiError, ErrorCode};
use super::client::{self, ClientAddress, Peer};
use super::cookies;
use super::error::{self, ResponseFormat};
use crate::context::App;
use crate::domain::doctor_nonce;
use crate::model::device::Device;
use crate::model::principal::Principal;
use axum::extract::{Path, Request, State};
use axum::http::HeaderMap;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, FORWARDED, HOST, HeaderName, SET_COOKIE};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use std::net::SocketAddr;
use std::sync::Arc;

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// Answers who knows a nonce that is in the database; for all others there is nothing here.
pub async fn show(State(app): State<Arc<App>>, Path(nonce): Path<String>, request: Request) -> Response {
    let stranger = Principal::anonymous(Device::new("", None));
    match doctor_nonce::is_valid(&app.store, &stranger, &nonce).await {
        Ok(true) => seen(&app, &request),
        Ok(false) => ApiError::new(ErrorCode::NotFound).into_response(),
        Err(error) => error::failed(error.into(), ResponseFormat::Json),
    }
}

/// What arrived. It sets one of the login's cookies, already expired, so that the doctor sees which attributes arrive.
fn seen(app: &App, request: &Request) -> Response {
    let (headers, server, name) = (request.headers(), &app.settings.server, &app.settings.name);
    let peer = client::peer(request.extensions());
    let port = request.extensions().get::<Peer>().map_or(0, |peer| peer.0.port());
    let ClientAddress { for_records: client, .. } = client::of(server, headers, request.extensions());
    let cookies = [name.access_cookie(), name.refresh_cookie(), name.csrf_cookie()];
    let arrived: Vec<&str> =
        cookies.into_iter().filter(|name| cookies::values(headers, name).next().is_some()).collect();
    let differing = app.reported_differences.lock().clone();
    let body = json!({
        "peer": SocketAddr::new(peer, port),
        "peer_trusted": client::is_trusted(server, &peer),
        "forwarded": headers.contains_key(FORWARDED) || headers.contains_key(FORWARDED_FOR),
        "client": client,
        "scheme": text(headers, &FORWARDED_PROTO),
        "host": text(headers, &HOST),
        "cookies": arrived,
        "differing_settings": differing,
    });
    let fixed = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")];
    let mut response = (fixed, body.to_string()).into_response();
    response.headers_mut().extend(cookies::clear_pending_login(&app.settings).map(|cookie| (SET_COOKIE, cookie)));
    response
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}
