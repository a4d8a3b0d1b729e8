//! The requests of the load, with the cookies that a browser would send.

use crate::instance::Tokens;
use crate::load::{Client, Request};
use crate::mass::PASSWORD;
use crate::outcome::Outcome;
use axum::http::header::{CONTENT_TYPE, COOKIE, HOST, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, Method};
use http_body_util::Full;
use hyper::body::Bytes;

pub const USER: &str = "/auth/api/v1/user";
/// It does nothing: what it costs beyond the bare route, every request pays.
pub const HEALTH: &str = "/auth/health";
/// Path of the gate, with the origin of the service itself, for which it signs assertions.
pub const GATE: &str = "/auth/gate?origin=http://localhost:8080";
pub const SESSION: &str = "/auth/api/v2/session";
/// Path of the users, below which each has its id.
pub const USERS: &str = "/auth/api/v2/users";
pub const REFRESH: &str = "/auth/api/v1/sessions/refresh?audience=app";
/// 256 bits, as long as the service's own.
pub const CSRF: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

const REFRESH_COOKIE: &str = "svc_refresh=";

pub fn request(method: Method, target: &str, cookies: HeaderValue) -> Outcome<Request> {
    let request = hyper::Request::builder().method(method).uri(target);
    let request = request.header(HOST, "localhost").header(COOKIE, cookies);
    Ok(request.body(Full::new(Bytes::new()))?)
}

/// A form of a browser without a session.
pub fn form(target: &str, fields: &[(&str, &str)]) -> Outcome<Request> {
    let mut request = request(Method::POST, target, HeaderValue::try_from(format!("svc_csrf={CSRF}"))?)?;
    let form =
        form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).append_pair("csrf_token", CSRF).finish();
    *request.body_mut() = Full::new(Bytes::from(form));
    request.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
    Ok(request)
}

pub fn log_in(email: &str) -> Outcome<Request> {
    form("/auth/login", &[("email", email), ("password", PASSWORD)])
}

/// The email address of a person who signs up.
pub fn newcomer_email(number: usize) -> String {
    format!("person{number:07}@example.org")
}

pub fn sign_up(number: usize) -> Outcome<Request> {
    let username = format!("person{number:07}");
    form("/auth/signup", &[("email", &newcomer_email(number)), ("username", &username), ("password", PASSWORD)])
}

pub fn user_cookies(tokens: &[Tokens]) -> Outcome<Vec<HeaderValue>> {
    let cookies = tokens.iter().map(|Tokens { access, refresh, .. }| {
        HeaderValue::try_from(format!("svc_access={access}; svc_refresh={refresh}; svc_csrf={CSRF}"))
    });
    Ok(cookies.collect::<Result<_, _>>()?)
}

/// The refresh cookie of each user's browser alone, as when the access token has expired.
pub fn refresh_cookies(tokens: &[Tokens]) -> Outcome<Vec<HeaderValue>> {
    let cookies = tokens.iter().map(|tokens| HeaderValue::try_from(format!("{REFRESH_COOKIE}{}", tokens.refresh)));
    Ok(cookies.collect::<Result<_, _>>()?)
}

/// The refresh token that a response sets.
pub fn refresh_token(headers: &HeaderMap) -> Option<&str> {
    let mut cookies = headers.get_all(SET_COOKIE).into_iter().filter_map(|cookie| cookie.to_str().ok());
    cookies.find_map(|cookie| cookie.strip_prefix(REFRESH_COOKIE)?.split(';').next())
}

/// Refreshes one session repeatedly, each time with the token of the last response.
pub struct Refresh {
    access: String,
    refresh: String,
}

impl Refresh {
    pub fn new(tokens: &Tokens) -> Self {
        Self { access: tokens.access.clone(), refresh: tokens.refresh.clone() }
    }
}

impl Client for Refresh {
    fn next(&mut self) -> Outcome<Request> {
        let Self { access, refresh } = self;
        let cookies = format!("svc_access={access}; svc_refresh={refresh}; svc_csrf={CSRF}");
        let mut request = request(Method::POST, REFRESH, HeaderValue::try_from(cookies)?)?;
        request.headers_mut().insert("x-csrf-token", HeaderValue::from_static(CSRF));
        Ok(request)
    }

    /// Within the grace period, here a millisecond, the service accepts the token but does not replace it.
    fn answered(&mut self, headers: &HeaderMap) -> Outcome<bool> {
        let fresh = refresh_token(headers);
        if let Some(fresh) = fresh {
            fresh.clone_into(&mut self.refresh);
        }
        Ok(fresh.is_some())
    }
}
