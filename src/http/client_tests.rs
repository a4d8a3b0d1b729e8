#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::settings::{Environment, ServiceName, Settings};

fn client_address(trusted: &str, peer: &str, headers: &[(&'static str, &str)]) -> String {
    let variables = [("SVC_TRUSTED_PROXIES", trusted)];
    let environment: Environment = variables.into_iter().filter(|(_, value)| !value.is_empty()).collect();
    let settings = Settings::load(&ServiceName::parse("svc").unwrap(), &environment).unwrap().settings;
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        map.append(*name, value.parse().unwrap());
    }
    address(&settings.server, &map, Peer(format!("{peer}:1234").parse().unwrap())).to_string()
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
fn disagreeing_forwarding_headers_are_ignored() {
    let both = [("x-forwarded-for", "203.0.113.9"), ("forwarded", "for=8.8.8.8")];
    assert_eq!(client_address("10.0.0.0/8", "10.1.2.3", &both), "10.1.2.3");
    let same = [("x-forwarded-for", "203.0.113.9"), ("forwarded", "for=203.0.113.9")];
    assert_eq!(client_address("10.0.0.0/8", "10.1.2.3", &same), "203.0.113.9");
}

#[test]
fn invalid_hop_ends_the_chain() {
    assert_eq!(client_address("10.0.0.0/8", "10.1.2.3", &[("x-forwarded-for", "192.0.2.1, unknown")]), "10.1.2.3");
}
