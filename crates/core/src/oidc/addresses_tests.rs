#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::model::provider::Tenant;
use crate::oidc::testing::{TENANT, provider};

#[test]
fn metadata_are_where_the_kind_has_them() {
    let expected = [
        (ProviderKind::Oidc, "https://id.example", "https://id.example/.well-known/openid-configuration"),
        (ProviderKind::Oidc, "https://id.example/", "https://id.example/.well-known/openid-configuration"),
        (
            ProviderKind::Oidc,
            "https://id.example/realms/a",
            "https://id.example/realms/a/.well-known/openid-configuration",
        ),
        (
            ProviderKind::Google,
            "https://accounts.google.com",
            "https://accounts.google.com/.well-known/openid-configuration",
        ),
        (
            ProviderKind::Apple,
            "https://appleid.apple.com",
            "https://appleid.apple.com/.well-known/openid-configuration",
        ),
        (
            ProviderKind::Microsoft,
            "https://login.microsoftonline.com",
            "https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration",
        ),
    ];
    for (kind, issuer, address) in expected {
        assert_eq!(metadata(&provider(kind, issuer)).unwrap().uri().to_string(), address);
    }
    let mut microsoft = provider(ProviderKind::Microsoft, "http://localhost:8/");
    microsoft.tenant = Tenant::parse(TENANT).ok();
    let address = format!("http://localhost:8/{TENANT}/v2.0/.well-known/openid-configuration");
    assert_eq!(metadata(&microsoft).unwrap().uri().to_string(), address);
    for issuer in ["", "id.example", "http://id.example", "https://a@id.example", "https://id.example/?a", "https://i#"]
    {
        assert!(matches!(metadata(&provider(ProviderKind::Oidc, issuer)), Err(ProviderFault::Address(_))), "{issuer}");
    }
}

#[test]
fn github_has_fixed_addresses() {
    let of = |origin| {
        let addresses = GitHubAddresses::of(&provider(ProviderKind::GitHub, origin)).unwrap();
        let GitHubAddresses { endpoints, user, emails } = addresses;
        [endpoints.authorization, endpoints.token, user, emails].map(|url| url.uri().to_string())
    };
    let expected = [
        "https://github.com/login/oauth/authorize",
        "https://github.com/login/oauth/access_token",
        "https://api.github.com/user",
        "https://api.github.com/user/emails?per_page=100",
    ];
    assert_eq!(of("https://github.com"), expected);
    assert_eq!(of("https://github.com/"), expected);
    assert_eq!(
        of("https://git.example:8443")[2..],
        ["https://git.example:8443/api/v3/user", "https://git.example:8443/api/v3/user/emails?per_page=100",]
    );
}

#[test]
fn operator_named_the_host_of_the_issuer_only() {
    let by = |kind, issuer: &str, url: &str| named_by(&provider(kind, issuer), &ExternalUrl::parse(url).unwrap());
    let own = "https://ID.example/realms/a";
    assert_eq!(by(ProviderKind::Oidc, own, "https://id.example:8443/keys"), NamedBy::Operator);
    for url in ["https://keys.id.example/", "https://example/", "https://127.0.0.1/", "http://localhost/"] {
        assert_eq!(by(ProviderKind::Oidc, own, url), NamedBy::Others, "{url}");
    }
    // What Doorward knows was not named by the operator.
    let google = "https://accounts.google.com";
    assert_eq!(by(ProviderKind::Google, google, &format!("{google}/x")), NamedBy::Others);
    assert_eq!(by(ProviderKind::GitHub, "https://git.example", "https://git.example/api/v3/user"), NamedBy::Operator);
}
