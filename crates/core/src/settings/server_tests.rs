use crate::settings::Origin;
use crate::settings::testing::{problem, refused, settings};

#[test]
fn server_defaults_are_as_documented() {
    let server = settings(&[]).server;
    assert_eq!(server.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(server.base_url.as_str(), "http://localhost:8080");
    assert_eq!(server.default_return_to, "/auth/account");
    assert!(server.rate_limit);
    assert!(server.allowed_origins.is_empty() && server.trusted_proxies.is_empty());
    assert!(server.cookie_domain.is_none() && server.metrics_listen.is_none());
}

#[test]
fn all_server_settings_are_read() {
    let server = settings(&[
        ("LISTEN", " [::]:80 "),
        ("BASE_URL", "HTTPS://Auth.Example.com:443/"),
        ("COOKIE_DOMAIN", ".Example.com"),
        ("ALLOWED_ORIGINS", "https://app.example.com , https://other.example:8443/"),
        ("DEFAULT_RETURN_TO", "https://app.example.com/home?x#y"),
        ("TRUSTED_PROXIES", "10.1.2.3/8, 192.0.2.1,2001:db8::/32"),
        ("METRICS_LISTEN", "127.0.0.1:9090"),
        ("RATE_LIMIT", "off"),
    ])
    .server;
    assert_eq!(server.listen.to_string(), "[::]:80");
    assert_eq!(server.base_url.as_str(), "https://auth.example.com");
    assert_eq!(server.cookie_domain.as_deref(), Some("example.com"));
    let origins: Vec<_> = server.allowed_origins.iter().map(super::Origin::as_str).collect();
    assert_eq!(origins, ["https://app.example.com", "https://other.example:8443"]);
    assert_eq!(server.default_return_to, "https://app.example.com/home?x#y");
    let proxies: Vec<_> = server.trusted_proxies.iter().map(ToString::to_string).collect();
    assert_eq!(proxies, ["10.0.0.0/8", "192.0.2.1/32", "2001:db8::/32"]);
    assert_eq!(server.metrics_listen.map(|address| address.port()), Some(9090));
    assert!(!server.rate_limit);
}

#[test]
fn networks_of_mapped_addresses_are_those_of_ipv4() {
    let text = "::ffff:10.1.2.3/104, ::ffff:192.0.2.1, ::ffff:0:0/96, ::ffff:0:0/95, ::a00:1/104";
    let proxies = settings(&[("TRUSTED_PROXIES", text)]).server.trusted_proxies;
    let proxies: Vec<_> = proxies.iter().map(ToString::to_string).collect();
    assert_eq!(proxies, ["10.0.0.0/8", "192.0.2.1/32", "0.0.0.0/0", "::fffe:0:0/95", "::a00:0/104"]);
}

#[test]
fn invalid_values_are_refused() {
    refused("LISTEN", &["8080", ":8080", "localhost:8080", "127.0.0.1:99999"], "such as 127.0.0.1:8080");
    refused("BASE_URL", &["auth.example.com", "https://a.example/auth", "ftp://a.example"], "no path");
    refused("RETURN_ORIGINS", &["*", "https://a.example/x"], "no path");
    refused("ALLOWED_ORIGINS", &["*", "https://a.example,", "https://a.example/x", ","], "no path");
    refused("TRUSTED_PROXIES", &["proxy.local", "10.0.0.0/33", "10.0.0.0/8,,"], "10.0.0.0/8");
    refused("RATE_LIMIT", &["yes", "OFF", "1"], "on, off");
    refused("COOKIE_DOMAIN", &["example.com", "calhost", "host"], "localhost");
}

#[test]
fn cookie_domain_is_host_or_non_tld_parent() {
    for (base_url, domain, fits) in [
        ("https://auth.example.com", "auth.example.com", true),
        ("https://auth.example.com", "example.com", true),
        ("https://auth.example.com", "com", false),
        ("https://auth.example.com", "ample.com", false),
        ("https://auth.example.com", "x.auth.example.com", false),
        ("https://auth.example.com", ".", false),
        ("https://ada.duckdns.org", "duckdns.org", false),
        ("https://ada.duckdns.org", "ada.duckdns.org", true),
        ("https://login.example.co.uk", "co.uk", false),
        ("https://login.example.co.uk", "example.co.uk", true),
        ("https://duckdns.org", "duckdns.org", true),
        ("http://192.0.2.1", "192.0.2.1", true),
        ("http://192.0.2.1", "2.1", false),
        ("http://localhost", "localhost", true),
    ] {
        let loaded = super::super::testing::load(&[("BASE_URL", base_url), ("COOKIE_DOMAIN", domain)]);
        assert_eq!(loaded.is_ok(), fits, "{domain} for {base_url}");
    }
}

#[test]
fn default_return_to_must_be_path_or_allowed_origin() {
    refused(
        "DEFAULT_RETURN_TO",
        &["home", "//evil.example", "/\\evil.example", "https://evil.example/", "/a\tb", "javascript:alert(1)"],
        "one slash",
    );
    let line = problem(&[("ALLOWED_ORIGINS", "https://app.example,*"), ("DEFAULT_RETURN_TO", "https://app.example/")]);
    assert!(line.starts_with("SVC_ALLOWED_ORIGINS: "), "one mistake, one line: {line}");
}

#[test]
fn default_return_to_may_have_any_origin_to_return_to() {
    for url in ["https://auth.example/x", "https://app.example/x", "https://wiki.example/x"] {
        let server = settings(&[
            ("BASE_URL", "https://auth.example"),
            ("ALLOWED_ORIGINS", "https://app.example"),
            ("RETURN_ORIGINS", "https://wiki.example"),
            ("DEFAULT_RETURN_TO", url),
        ])
        .server;
        assert_eq!(server.default_return_to, url);
    }
}

#[test]
fn default_return_to_follows_application_whose_origin_is_one_to_return_to() {
    for (app, targets) in [
        ("https://auth.example/", 3),
        ("https://app.example/start?from=login", 3),
        ("https://wiki.example", 3),
        ("https://www.example/", 4),
        ("https://app.example:8443/", 4),
    ] {
        let server = settings(&[
            ("BASE_URL", "https://auth.example"),
            ("ALLOWED_ORIGINS", "https://app.example"),
            ("RETURN_ORIGINS", "https://wiki.example"),
            ("APP_URL", app),
        ])
        .server;
        assert_eq!(server.default_return_to, app);
        let permitted: Vec<_> = server.return_targets().cloned().collect();
        let is_permitted = Origin::of_url(app).is_some_and(|origin| permitted.contains(&origin));
        assert!(permitted.len() == targets && is_permitted, "{permitted:?}");
    }
    let given = [("APP_URL", "http://localhost:8080/shop"), ("DEFAULT_RETURN_TO", "/auth/organizations")];
    assert_eq!(settings(&given).server.default_return_to, "/auth/organizations");
    let line = problem(&[("APP_URL", "http://localhost:8080/<shop>")]);
    assert!(line.starts_with("SVC_APP_URL: "), "one mistake, one line: {line}");
}

#[test]
fn origin_that_cannot_receive_the_cookies_is_warned_of() {
    for (base_url, domain, origin, receives) in [
        ("https://auth.example.com", None, "https://auth.example.com:8443", true),
        ("https://auth.example.com", None, "http://auth.example.com", false),
        ("https://auth.example.com", None, "https://wiki.example.com", false),
        ("https://auth.example.com", Some("example.com"), "https://wiki.example.com", true),
        ("https://auth.example.com", Some("example.com"), "https://example.com", true),
        ("https://auth.example.com", Some("example.com"), "https://badexample.com", false),
        ("http://localhost:8080", None, "http://localhost:3000", true),
    ] {
        let mut given = vec![("BASE_URL", base_url), ("RETURN_ORIGINS", origin)];
        given.extend(domain.map(|domain| ("COOKIE_DOMAIN", domain)));
        let warnings = super::super::testing::load(&given)
            .map(|loaded| loaded.warnings.into_iter().map(|found| found.message).collect::<String>());
        let is_warning = |text: &String| text.starts_with("SVC_RETURN_ORIGINS: ") && text.contains(origin);
        assert_eq!(warnings.as_ref().map(String::is_empty).ok(), Some(receives), "{origin} for {base_url}, {domain:?}");
        assert_eq!(warnings.as_ref().map(is_warning).ok(), Some(!receives), "{warnings:?}");
    }
}

#[test]
fn metrics_listener_differs_from_main_listener() {
    refused("METRICS_LISTEN", &["127.0.0.1:8080"], "other than the main");
    let any_port = settings(&[("LISTEN", "127.0.0.1:0"), ("METRICS_LISTEN", "127.0.0.1:0")]);
    assert!(any_port.server.metrics_listen.is_some(), "port 0 is another port each time");
}
