#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use axum::body::Body;

fn accepts(version: Version, target: &str, hosts: &[&str]) -> bool {
    let mut request = Request::builder().version(version).uri(target);
    for host in hosts {
        request = request.header(HOST, *host);
    }
    is_valid(&request.body(Body::empty()).unwrap())
}

#[test]
fn one_host_is_required_by_http_1_1_only() {
    assert!(accepts(Version::HTTP_11, "/", &["auth.example:8080"]));
    assert!(!accepts(Version::HTTP_11, "/", &[]));
    assert!(accepts(Version::HTTP_10, "/", &[]));
    for version in [Version::HTTP_10, Version::HTTP_11] {
        assert!(!accepts(version, "/", &["auth.example", "auth.example"]));
    }
}

#[test]
fn lists_and_other_values_are_no_host() {
    for host in
        ["a.example,b.example", "a.example, b.example", "user@a.example", "a.example/path", "a b", "", "münchen"]
    {
        assert!(!accepts(Version::HTTP_11, "/", &[host]), "{host}");
    }
    for host in ["localhost", "[2001:db8::1]:443", "xn--mnchen-3ya.example", "192.0.2.1"] {
        assert!(accepts(Version::HTTP_11, "/", &[host]), "{host}");
    }
}

#[test]
fn absolute_target_may_have_empty_host() {
    assert!(accepts(Version::HTTP_11, "http://auth.example/auth/health", &[""]));
    assert!(!accepts(Version::HTTP_11, "http://auth.example/auth/health", &[]), "the header is still required");
}
