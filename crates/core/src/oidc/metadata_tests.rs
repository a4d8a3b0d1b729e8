#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::oidc::testing::{TENANT, metadata_json, provider};
use proptest::prelude::*;
use serde_json::{Value, json};

const ISSUER: &str = "https://id.example";

fn parse(value: &Value, provider: &Provider) -> Result<OpenIdMetadata, MetadataFault> {
    OpenIdMetadata::parse(value.to_string().as_bytes(), provider)
}

fn with(name: &str, to: Value) -> Value {
    let mut metadata = metadata_json(ISSUER);
    metadata[name] = to;
    metadata
}

#[test]
fn right_metadata_are_read() {
    let metadata = parse(&metadata_json(ISSUER), &provider(ProviderKind::Oidc, ISSUER)).unwrap();
    let Endpoints { authorization, token, secret_places, promises_issuer } = metadata.endpoints;
    let addresses = [authorization, token, metadata.keys, metadata.userinfo.unwrap()].map(|url| url.uri().to_string());
    assert_eq!(addresses, ["authorize", "token", "keys", "userinfo"].map(|path| format!("{ISSUER}/{path}")));
    assert_eq!((secret_places, promises_issuer), (SecretPlaces::One(SecretPlace::Header), false));
    let none = parse(&with("userinfo_endpoint", Value::Null), &provider(ProviderKind::Oidc, ISSUER));
    assert_eq!(none.unwrap().userinfo, None);
}

#[test]
fn issuer_is_compared_letter_by_letter() {
    for issuer in ["https://id.example/", "https://ID.example", "http://id.example", "https://id.example:443", ""] {
        let fault = parse(&with("issuer", json!(issuer)), &provider(ProviderKind::Oidc, ISSUER)).unwrap_err();
        assert_eq!(fault, MetadataFault::Issuer { found: issuer.to_owned(), expected: ISSUER.to_owned() });
    }
    let slash = provider(ProviderKind::Oidc, "https://id.example/");
    assert!(parse(&with("issuer", json!("https://id.example/")), &slash).is_ok());
    assert!(parse(&with("issuer", json!("https://id.example")), &slash).is_err());
    let long = parse(&with("issuer", json!("x".repeat(100_000))), &slash).unwrap_err();
    assert!(long.to_string().len() < 400);
}

#[test]
fn microsoft_has_a_template_or_the_tenant() {
    let of = |tenant: &str, issuer: &str| {
        let mut microsoft = provider(ProviderKind::Microsoft, ISSUER);
        microsoft.tenant = Tenant::parse(tenant).ok();
        parse(&with("issuer", json!(format!("{ISSUER}/{issuer}/v2.0"))), &microsoft).is_ok()
    };
    for tenant in ["common", "organizations"] {
        assert!(of(tenant, "{tenantid}") && !of(tenant, TENANT) && !of(tenant, CONSUMERS), "{tenant}");
    }
    assert!(of("consumers", CONSUMERS) && !of("consumers", TENANT));
    assert!(of(TENANT, TENANT) && !of(TENANT, CONSUMERS) && !of(TENANT, "common"));
    // For all others the braces are letters.
    let oidc = provider(ProviderKind::Oidc, &format!("{ISSUER}/{{tenantid}}/v2.0"));
    assert!(parse(&with("issuer", json!(format!("{ISSUER}/{TENANT}/v2.0"))), &oidc).is_err());
}

#[test]
fn addresses_that_lead_elsewhere_are_refused() {
    let refused = [
        "javascript:alert(1)",
        "data:text/html,x",
        "http://id.example/token",
        "https://user@id.example/",
        "https://user:pass@id.example/",
        "https://id.example/#fragment",
        "//id.example/token",
        "/token",
        "",
        "https://",
        &format!("https://id.example/{}", "a".repeat(2048)),
    ];
    for field in ["authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"] {
        for url in refused {
            let fault = parse(&with(field, json!(url)), &provider(ProviderKind::Oidc, ISSUER)).unwrap_err();
            assert!(matches!(fault, MetadataFault::Address { field: found, .. } if found == field), "{field}: {url}");
        }
        assert!(parse(&with(field, json!("http://127.0.0.1:8/x")), &provider(ProviderKind::Oidc, ISSUER)).is_ok());
    }
}

#[test]
fn what_is_no_metadata_is_refused() {
    let provider = provider(ProviderKind::Oidc, ISSUER);
    let malformed = ["", "[]", "null", "{}", "<!doctype html>", "{\"issuer\":1}", "\u{0}", "{", "\"x\""];
    for text in malformed {
        assert_eq!(OpenIdMetadata::parse(text.as_bytes(), &provider), Err(MetadataFault::Malformed), "{text}");
    }
    assert_eq!(OpenIdMetadata::parse(&[0xff, 0xfe], &provider), Err(MetadataFault::Malformed));
    for field in ["issuer", "authorization_endpoint", "token_endpoint", "jwks_uri"] {
        for value in [Value::Null, json!(7), json!([])] {
            assert_eq!(parse(&with(field, value), &provider), Err(MetadataFault::Malformed), "{field}");
        }
    }
    let twice = metadata_json(ISSUER).to_string().replacen('{', "{\"issuer\":\"https://other.example\",", 1);
    assert_eq!(OpenIdMetadata::parse(twice.as_bytes(), &provider), Err(MetadataFault::Malformed));
    let deep = "[".repeat(100_000);
    assert_eq!(OpenIdMetadata::parse(deep.as_bytes(), &provider), Err(MetadataFault::Malformed));
}

#[test]
fn secret_stands_where_the_metadata_say() {
    let places = |kind, methods: Value| {
        let metadata = parse(&with("token_endpoint_auth_methods_supported", methods), &provider(kind, ISSUER));
        metadata.unwrap().endpoints.secret_places
    };
    let oidc = ProviderKind::Oidc;
    let (header, form) = (SecretPlaces::One(SecretPlace::Header), SecretPlaces::One(SecretPlace::Form));
    let cases = [
        (oidc, json!(["client_secret_post"]), form),
        (oidc, json!(["private_key_jwt", "client_secret_post"]), form),
        (oidc, json!(["client_secret_post", "client_secret_basic"]), SecretPlaces::Both),
        (oidc, json!(["client_secret_basic"]), header),
        (oidc, json!([]), header),
        (oidc, json!(["private_key_jwt"]), header),
        (oidc, Value::Null, header),
        (ProviderKind::Apple, Value::Null, form),
        (ProviderKind::Apple, json!(["client_secret_basic"]), form),
    ];
    for (kind, methods, expected) in cases {
        assert_eq!(places(kind, methods.clone()), expected, "{methods}");
    }
    let promise = with("authorization_response_iss_parameter_supported", json!(true));
    assert!(parse(&promise, &provider(oidc, ISSUER)).unwrap().endpoints.promises_issuer);
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..256)) {
        prop_assert!(OpenIdMetadata::parse(&bytes, &provider(ProviderKind::Oidc, ISSUER)).is_err());
    }

    /// Whatever a field is, what is read has the issuer and addresses that are permitted.
    #[test]
    fn any_text_in_a_field_is_read_or_refused(field in 0_usize..5, text in any::<String>()) {
        let names = ["issuer", "authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"];
        let read = parse(&with(names[field], json!(text)), &provider(ProviderKind::Oidc, ISSUER));
        prop_assert!(read.is_err() || text == ISSUER || ExternalUrl::parse(&text).is_ok());
    }
}
