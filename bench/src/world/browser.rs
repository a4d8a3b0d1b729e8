//! A browser: stores cookies, sends them, and drops expired ones.

use crate::load::Request;
use crate::outcome::Outcome;
use crate::requests::{CSRF, request};
use axum::http::header::{ACCEPT, CONTENT_TYPE, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, Method};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use doorward::clock::Clock;
use http_body_util::Full;
use hyper::body::Bytes;
use parking_lot::Mutex;
use serde::Deserialize;
use std::fmt::Write as _;

/// The claims of an access token that an application reads.
#[derive(Clone, Deserialize)]
pub struct Claims {
    pub sub: String,
    pub org_id: String,
    /// When it expires, in seconds since the Unix epoch.
    pub exp: i64,
}

/// One browser; its tabs share it.
pub struct Browser(Mutex<Jar>);

#[derive(Clone)]
struct Jar {
    access: Option<(String, Claims)>,
    refresh: Option<String>,
    csrf: String,
}

impl Browser {
    pub fn new() -> Self {
        Self(Mutex::new(Jar { access: None, refresh: None, csrf: CSRF.to_owned() }))
    }

    /// A browser with a session whose access token has expired.
    pub fn with_refresh_token(token: String) -> Self {
        let browser = Self::new();
        browser.0.lock().refresh = Some(token);
        browser
    }

    pub fn keep(&self, headers: &HeaderMap) {
        let mut jar = self.0.lock();
        for cookie in headers.get_all(SET_COOKIE) {
            let Some((name, rest)) = cookie.to_str().ok().and_then(|cookie| cookie.split_once('=')) else { continue };
            let value = rest.split(';').next().unwrap_or_default();
            match name {
                "svc_access" => jar.access = claims(value).map(|claims| (value.to_owned(), claims)),
                "svc_refresh" => jar.refresh = (!value.is_empty()).then(|| value.to_owned()),
                "svc_csrf" => value.clone_into(&mut jar.csrf),
                _ => {}
            }
        }
    }

    pub fn has_session(&self) -> bool {
        self.0.lock().refresh.is_some()
    }

    /// The claims of the access token, if there is one.
    pub fn claims(&self) -> Option<Claims> {
        self.0.lock().access.as_ref().map(|(_, claims)| claims.clone())
    }

    /// The seconds until the access token expires.
    pub fn seconds_left(&self) -> i64 {
        self.claims().map_or(0, |claims| claims.exp - now())
    }

    pub fn cookies(&self) -> Outcome<HeaderValue> {
        let jar = self.0.lock().clone();
        let mut cookies = format!("svc_csrf={}", jar.csrf);
        if let Some((access, claims)) = jar.access
            && claims.exp > now()
        {
            let _ = write!(cookies, "; svc_access={access}");
        }
        if let Some(refresh) = jar.refresh {
            let _ = write!(cookies, "; svc_refresh={refresh}");
        }
        Ok(HeaderValue::try_from(cookies)?)
    }

    pub fn get(&self, path: &str) -> Outcome<Request> {
        request(Method::GET, path, self.cookies()?)
    }

    pub fn post(&self, path: &str, fields: &[(&str, &str)]) -> Outcome<Request> {
        let csrf = self.0.lock().csrf.clone();
        self.post_with_csrf(path, fields, &csrf)
    }

    pub fn post_with_csrf(&self, path: &str, fields: &[(&str, &str)], csrf: &str) -> Outcome<Request> {
        let mut request = request(Method::POST, path, self.cookies()?)?;
        let form = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(fields)
            .append_pair("csrf_token", csrf)
            .finish();
        *request.body_mut() = Full::new(Bytes::from(form));
        let headers = request.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
        headers.insert(ACCEPT, HeaderValue::from_static("text/html"));
        Ok(request)
    }

    /// A script's POST request, with the CSRF token in a header.
    pub fn script(&self, path: &str) -> Outcome<Request> {
        let mut request = request(Method::POST, path, self.cookies()?)?;
        let csrf = HeaderValue::try_from(self.0.lock().csrf.as_str())?;
        request.headers_mut().insert("x-csrf-token", csrf);
        Ok(request)
    }
}

fn now() -> i64 {
    Clock::system().now().as_seconds()
}

/// The claims of a token, without verifying its signature.
fn claims(token: &str) -> Option<Claims> {
    let payload = token.split('.').nth(1)?;
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).ok()?).ok()
}
