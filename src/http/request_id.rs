//! Request ids (docs/reference/protocol.md 16.2).

use axum::http::{Extensions, HeaderName, HeaderValue};
use std::hash::{BuildHasher, RandomState};
use std::net::SocketAddr;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// What the server adds to every request, in one piece.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// The remote address of the connection.
    pub peer: SocketAddr,
    pub id: RequestId,
}

/// The id of a request, in `X-Request-Id` and in every log line about it.
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestId(u64);

impl RequestId {
    /// The next id: the number of the request under a keyed hash (`SipHash`), whose key each process draws at random. So
    /// two processes do not give the same ids, and two ids do not tell how many requests came between. Nothing relies on
    /// it that an id cannot be guessed: none grants anything. It never comes from the request: a client could make two
    /// requests look like one in the log.
    pub fn next() -> Self {
        static KEY: LazyLock<RandomState> = LazyLock::new(RandomState::new);
        static COUNT: AtomicU64 = AtomicU64::new(0);
        Self(KEY.hash_one(COUNT.fetch_add(1, Ordering::Relaxed)))
    }

    /// The id that the server gave a request.
    pub fn of(extensions: &Extensions) -> Self {
        extensions.get::<Arrival>().map(|arrival| arrival.id).unwrap_or_default()
    }

    /// The header that tells the client.
    pub fn header(self) -> Option<(HeaderName, HeaderValue)> {
        HeaderValue::try_from(self.to_string()).ok().map(|value| (X_REQUEST_ID, value))
    }
}

impl std::fmt::Display for RequestId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
