#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::oidc::endpoints::{SecretPlace, SecretPlaces};
use crate::oidc::testing::{REDIRECT, provider};
use crate::outbound::ExternalUrl;
use percent_encoding::percent_decode_str;

fn begin(provider: &Provider, endpoint: &str, login_hint: Option<&str>) -> (String, Vec<(String, String)>) {
    let (state, secrets) = (LinkToken::generate().unwrap(), ReturnSecrets::generate().unwrap());
    let url = |text: &str| ExternalUrl::parse(text).unwrap();
    let endpoints = Endpoints {
        authorization: url(endpoint),
        token: url("https://id.example/token"),
        secret_places: SecretPlaces::One(SecretPlace::Header),
        promises_issuer: false,
    };
    let address = address(provider, &endpoints, REDIRECT, &state, &secrets, login_hint);
    let decoded = |text: &str| percent_decode_str(text).decode_utf8().unwrap().into_owned();
    let (base, query) = address.split_once('?').unwrap();
    let pairs = query.split('&').map(|pair| pair.split_once('=').unwrap());
    let pairs = pairs.map(|(name, value)| (decoded(name), decoded(value)));
    let known = |(name, value): (String, String)| match name.as_str() {
        "state" => (name, if value == state.text() { "STATE".to_owned() } else { value }),
        "nonce" => (name, if value == secrets.nonce() { "NONCE".to_owned() } else { value }),
        "code_challenge" => (name, if value == secrets.challenge() { "CHALLENGE".to_owned() } else { value }),
        _ => (name, value),
    };
    assert!(!address.contains(secrets.verifier()));
    (base.to_owned(), pairs.map(known).collect())
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

const COMMON: [(&str, &str); 3] =
    [("state", "STATE"), ("code_challenge", "CHALLENGE"), ("code_challenge_method", "S256")];

#[test]
fn address_has_what_the_kind_needs() {
    let mut oidc = provider(ProviderKind::Oidc, "https://id.example");
    oidc.client_id = "a client&id=+ä".to_owned();
    let first = |client: &'static str, scope: &'static str| {
        [("response_type", "code"), ("client_id", client), ("redirect_uri", REDIRECT), ("scope", scope)]
    };
    let (base, query) = begin(&oidc, "https://id.example/authorize", Some("ada+x@example.com"));
    assert_eq!(base, "https://id.example/authorize");
    let expected = [&first("a client&id=+ä", "openid email profile")[..], &COMMON, &[("nonce", "NONCE")]].concat();
    assert_eq!(query, pairs(&[&expected[..], &[("login_hint", "ada+x@example.com")]].concat()));

    let apple = provider(ProviderKind::Apple, "https://appleid.apple.com");
    let (_, query) = begin(&apple, "https://appleid.apple.com/auth/authorize", None);
    let expected =
        [&first("client", "openid email name")[..], &COMMON, &[("nonce", "NONCE"), ("response_mode", "form_post")]];
    assert_eq!(query, pairs(&expected.concat()));

    let github = provider(ProviderKind::GitHub, "https://github.com");
    let (_, query) = begin(&github, "https://github.com/login/oauth/authorize", Some("ada"));
    let expected = [&first("client", "read:user user:email")[..], &COMMON, &[("login", "ada")]];
    assert_eq!(query, pairs(&expected.concat()));
}

#[test]
fn query_of_the_endpoint_stays() {
    let oidc = provider(ProviderKind::Oidc, "https://id.example");
    for (endpoint, kept) in [
        ("https://id.example/authorize?policy=a%20b", Some(("policy", "a b"))),
        ("https://id.example/authorize?policy=a%20b&", Some(("policy", "a b"))),
        ("https://id.example/authorize?", None),
    ] {
        let (base, query) = begin(&oidc, endpoint, None);
        assert_eq!(base, "https://id.example/authorize");
        let expected: Vec<_> = kept.into_iter().chain([("response_type", "code")]).collect();
        assert_eq!(query[..expected.len()], pairs(&expected));
    }
}

#[test]
fn long_hint_is_left_out() {
    let oidc = provider(ProviderKind::Oidc, "https://id.example");
    let (_, query) = begin(&oidc, "https://id.example/a", Some(&"a".repeat(321)));
    assert!(query.iter().all(|(name, _)| name != "login_hint"));
}
