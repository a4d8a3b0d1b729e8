#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::settings::{Environment, ServiceName, Settings};
use axum::http::HeaderValue;

fn resolved<V: AsRef<[u8]>>(variables: &[(&str, &str)], peer: &str, headers: &[(&'static str, V)]) -> ClientAddress {
    let environment: Environment = variables.iter().copied().filter(|(_, value)| !value.is_empty()).collect();
    let settings = Settings::load(&ServiceName::parse("svc").unwrap(), &environment).unwrap().settings;
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        map.append(*name, HeaderValue::from_bytes(value.as_ref()).unwrap());
    }
    resolve(&settings.server, &map, peer.parse().unwrap())
}

fn client_address(trusted: &str, peer: &str, headers: &[(&'static str, &str)]) -> String {
    resolved(&[("SVC_TRUSTED_PROXIES", trusted)], peer, headers).for_limits.to_string()
}

#[test]
fn headers_of_untrusted_peer_are_ignored() {
    assert_eq!(client_address("", "203.0.113.9", &[("x-forwarded-for", "192.0.2.1")]), "203.0.113.9");
    assert_eq!(client_address("10.0.0.0/8", "203.0.113.9", &[("x-forwarded-for", "192.0.2.1")]), "203.0.113.9");
}

#[test]
fn header_of_trusted_proxy_names_client() {
    assert_eq!(client_address("10.0.0.0/8", "10.1.2.3", &[("x-forwarded-for", "192.0.2.1")]), "192.0.2.1");
    assert_eq!(client_address("10.0.0.0/8", "10.1.2.3", &[("forwarded", "for=192.0.2.1;proto=https")]), "192.0.2.1");
    assert_eq!(client_address("10.0.0.0/8", "10.1.2.3", &[("forwarded", "for=\"[2001:db8::1]:4711\"")]), "2001:db8::1");
    assert_eq!(client_address("10.0.0.0/8", "10.1.2.3", &[]), "10.1.2.3");
}

#[test]
fn hops_before_last_untrusted_address_are_ignored() {
    let chain = "6.6.6.6, 192.0.2.1, 10.9.9.9";
    assert_eq!(client_address("10.0.0.0/8", "10.1.2.3", &[("x-forwarded-for", chain)]), "192.0.2.1");
    let lines = [("x-forwarded-for", "6.6.6.6"), ("x-forwarded-for", "192.0.2.1:99")];
    assert_eq!(client_address("10.0.0.0/8", "10.1.2.3", &lines), "192.0.2.1");
}

#[test]
fn disagreeing_forwarding_headers_leave_client_unknown() {
    let trusted = [("SVC_TRUSTED_PROXIES", "10.0.0.0/8")];
    let both = [("x-forwarded-for", "203.0.113.9"), ("forwarded", "for=8.8.8.8")];
    let client = resolved(&trusted, "10.1.2.3", &both);
    assert_eq!((client.for_limits.to_string().as_str(), client.for_records), ("10.1.2.3", None));
    let same = [("x-forwarded-for", "203.0.113.9"), ("forwarded", "for=203.0.113.9")];
    let client = resolved(&trusted, "10.1.2.3", &same);
    assert_eq!(client.for_records.unwrap().to_string(), "203.0.113.9");
}

#[test]
fn only_the_named_header_is_read() {
    let both = [("x-forwarded-for", "203.0.113.9"), ("forwarded", "for=8.8.8.8")];
    for (header, client) in [("X-Forwarded-For", "203.0.113.9"), ("Forwarded", "8.8.8.8")] {
        let variables = [("SVC_TRUSTED_PROXIES", "10.0.0.0/8"), ("SVC_PROXY_HEADER", header)];
        assert_eq!(resolved(&variables, "10.1.2.3", &both).for_records.unwrap().to_string(), client);
        assert_eq!(resolved(&variables, "192.0.2.7", &both).for_records.unwrap().to_string(), "192.0.2.7");
    }
    let variables = [("SVC_TRUSTED_PROXIES", "10.0.0.0/8"), ("SVC_PROXY_HEADER", "Forwarded")];
    let client = resolved(&variables, "10.1.2.3", &both[..1]);
    assert_eq!(client.for_records.unwrap().to_string(), "10.1.2.3", "the other header is ignored where it is alone");
}

#[test]
fn client_behind_invalid_hop_is_unknown() {
    let trusted = [("SVC_TRUSTED_PROXIES", "10.0.0.0/8")];
    for (chain, counted) in [("192.0.2.1, unknown", "10.1.2.3"), ("unknown, 10.9.9.9", "10.9.9.9"), ("", "10.1.2.3")] {
        let client = resolved(&trusted, "10.1.2.3", &[("x-forwarded-for", chain)]);
        assert_eq!((client.for_limits.to_string().as_str(), client.for_records), (counted, None), "{chain}");
    }
}

#[test]
fn unreadable_hop_does_not_hide_the_one_that_the_proxy_appended() {
    let trusted = [("SVC_TRUSTED_PROXIES", "10.0.0.0/8")];
    let client = resolved(&trusted, "10.1.2.3", &[("x-forwarded-for", b"\xff, 192.0.2.1")]);
    assert_eq!(client.for_records.unwrap().to_string(), "192.0.2.1");
    let client = resolved(&trusted, "10.1.2.3", &[("x-forwarded-for", b"192.0.2.1, \xff")]);
    assert_eq!((client.for_limits.to_string().as_str(), client.for_records), ("10.1.2.3", None));
}
