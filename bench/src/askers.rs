//! Connections that ask for one thing after another of a list, as browsers and backends do.

use crate::load::{Client, Request};
use crate::outcome::Outcome;
use axum::http::header::{COOKIE, HOST};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use http_body_util::Full;
use hyper::body::Bytes;
use std::sync::Arc;

/// A GET request: its target, and its credential.
#[derive(Clone)]
pub struct GetRequest {
    pub target: String,
    pub name: HeaderName,
    pub value: HeaderValue,
}

impl GetRequest {
    /// The same target for each of these browsers.
    pub fn by_cookies(target: &str, cookies: &[HeaderValue]) -> Arc<[Self]> {
        let asked = |value: &HeaderValue| Self { target: target.to_owned(), name: COOKIE, value: value.clone() };
        cookies.iter().map(asked).collect()
    }

    pub fn request(&self) -> Outcome<Request> {
        let request = hyper::Request::get(&self.target).header(HOST, "localhost").header(&self.name, &self.value);
        Ok(request.body(Full::new(Bytes::new()))?)
    }
}

/// A connection that asks for one thing after another.
pub struct Asker {
    asked: Arc<[GetRequest]>,
    order: Order,
}

/// In which order a connection asks for things.
enum Order {
    Random(u64),
    /// The next thing, and the number of connections that share the things.
    Sequential(usize, usize),
}

impl Order {
    /// The index of the next of `of` things.
    fn choose(&mut self, of: usize) -> usize {
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

impl Asker {
    /// A client for each connection, which asks in random order, the same in every run.
    pub fn many(connections: usize, asked: &Arc<[GetRequest]>) -> Vec<Self> {
        // Any seed but zero.
        let seeds = (1..=connections as u64).map(|seed| seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        seeds.map(|seed| Self { asked: asked.clone(), order: Order::Random(seed) }).collect()
    }

    /// A client for each connection; together they ask for everything once before they start over.
    pub fn sequential(connections: usize, asked: &Arc<[GetRequest]>) -> Vec<Self> {
        (0..connections)
            .map(|first| Self { asked: asked.clone(), order: Order::Sequential(first, connections) })
            .collect()
    }
}

impl Client for Asker {
    fn next(&mut self) -> Outcome<Request> {
        self.asked[self.order.choose(self.asked.len())].request()
    }

    fn answered(&mut self, _: &HeaderMap) -> Outcome<bool> {
        Ok(true)
    }
}
