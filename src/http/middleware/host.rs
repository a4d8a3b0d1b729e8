//! Refuses requests that do not say for which host they are (RFC 9112, 3.2).

use crate::http::error::{self, ResponseFormat};
use crate::http::views::Problem;
use axum::extract::Request;
use axum::http::Version;
use axum::http::header::HOST;
use axum::response::Response;

/// Two parts of a chain that understand a request's host differently can be played against each other.
pub fn refuse(request: &Request, format: ResponseFormat) -> Option<Response> {
    let message = "The request needs one Host header with one host.";
    (!is_valid(request)).then(|| error::refuse(format, Problem::BadRequest, message))
}

/// HTTP/1.0 has no such header. A target in absolute form says the host itself, and `Host` is ignored.
fn is_valid(request: &Request) -> bool {
    let mut hosts = request.headers().get_all(HOST).into_iter();
    match (hosts.next(), hosts.next()) {
        (None, _) => request.version() < Version::HTTP_11,
        (Some(host), None) if host.is_empty() => request.uri().authority().is_some(),
        (Some(host), None) => host.as_bytes().iter().copied().all(is_host_byte),
        (Some(_), Some(_)) => false,
    }
}

/// The characters of a host and its port (RFC 3986, 3.2.2 and 3.2.3), without the comma: a list of hosts is not one.
fn is_host_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~%!$&'()*+;=:[]".contains(&byte)
}

#[cfg(test)]
#[path = "host_tests.rs"]
mod tests;
