//! The requests of the load, with the cookies that a browser would send.

use crate::instance::Tokens;
use crate::load::{Client, Request};
use crate::outcome::Outcome;
use axum::http::header::{COOKIE, HOST, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, Method};
use http_body_util::Full;
use hyper::body::Bytes;
use std::sync::Arc;

/// Path of the current user.
pub const USER: &str = "/auth/api/v1/user";
/// Path of the gate, with the origin of the service itself, for which it signs assertions.
pub const GATE: &str = "/auth/gate?origin=http://localhost:8080";
/// Path of a refresh.
pub const REFRESH: &str = "/auth/api/v1/sessions/refresh?audience=app";
/// 256 bits, as long as the service's own.
pub const CSRF: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

const REFRESH_COOKIE: &str = "svc_refresh=";

/// A request with an empty body.
pub fn request(method: Method, target: &str, cookies: HeaderValue) -> Outcome<Request> {
    let request = hyper::Request::builder().method(method).uri(target);
    let request = request.header(HOST, "localhost").header(COOKIE, cookies);
    Ok(request.body(Full::new(Bytes::new()))?)
}

/// The cookies of each user's browser.
pub fn user_cookies(tokens: &[Tokens]) -> Outcome<Arc<[HeaderValue]>> {
    let cookies = tokens.iter().map(|Tokens { access, refresh }| {
        HeaderValue::try_from(format!("svc_access={access}; svc_refresh={refresh}; svc_csrf={CSRF}"))
    });
    Ok(cookies.collect::<Result<_, _>>()?)
}

/// The refresh cookie of each user's browser alone, as when the access token has expired.
pub fn refresh_cookies(tokens: &[Tokens]) -> Outcome<Arc<[HeaderValue]>> {
    let cookies = tokens.iter().map(|tokens| HeaderValue::try_from(format!("{REFRESH_COOKIE}{}", tokens.refresh)));
    Ok(cookies.collect::<Result<_, _>>()?)
}

/// Requests one user after another.
pub struct UserRequests {
    target: &'static str,
    cookies: Arc<[HeaderValue]>,
    order: Order,
}

/// In which order a connection asks for things.
pub enum Order {
    /// State of the generator.
    Random(u64),
    /// The next thing, and the number of connections that share the things.
    Sequential(usize, usize),
}

impl Order {
    /// A random order for each connection, the same in every run.
    pub fn random(connections: usize) -> impl Iterator<Item = Self> {
        // Any seed but zero.
        (1..=connections as u64).map(|seed| Self::Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    /// The index of the next of `of` things.
    pub fn choose(&mut self, of: usize) -> usize {
        match self {
            // Marsaglia's xorshift.
            Order::Random(state) => {
                *state ^= *state << 13;
                *state ^= *state >> 7;
                *state ^= *state << 17;
                usize::try_from(*state >> 32).unwrap_or_default() % of
            }
            Order::Sequential(next, step) => {
                let chosen = *next;
                *next += *step;
                chosen % of
            }
        }
    }
}

impl UserRequests {
    /// A client for each connection, which requests users in random order.
    pub fn many(connections: usize, cookies: &Arc<[HeaderValue]>) -> Vec<Self> {
        Order::random(connections).map(|order| Self { target: USER, cookies: cookies.clone(), order }).collect()
    }

    /// A client for each connection; together they request every user once before they start over.
    pub fn sequential(connections: usize, cookies: &Arc<[HeaderValue]>) -> Vec<Self> {
        (0..connections)
            .map(|first| Self { target: USER, cookies: cookies.clone(), order: Order::Sequential(first, connections) })
            .collect()
    }

    /// The same clients, that ask for something else than the user.
    pub fn asking(clients: Vec<Self>, target: &'static str) -> Vec<Self> {
        clients.into_iter().map(|client| Self { target, ..client }).collect()
    }
}

impl Client for UserRequests {
    fn next(&mut self) -> Outcome<Request> {
        let chosen = self.order.choose(self.cookies.len());
        request(Method::GET, self.target, self.cookies[chosen].clone())
    }

    fn answered(&mut self, _: &HeaderMap) -> Outcome<bool> {
        Ok(true)
    }
}

/// Refreshes one session repeatedly, each time with the token of the last response.
pub struct Refresh {
    access: String,
    refresh: String,
}

impl Refresh {
    /// The session of these tokens.
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
        let mut cookies = headers.get_all(SET_COOKIE).into_iter().filter_map(|cookie| cookie.to_str().ok());
        let fresh = cookies.find_map(|cookie| cookie.strip_prefix(REFRESH_COOKIE)?.split(';').next());
        if let Some(fresh) = fresh {
            fresh.clone_into(&mut self.refresh);
        }
        Ok(fresh.is_some())
    }
}
