use super::*;

fn url(value: &str) -> Option<String> {
    redact(Exposure::Url, value).map(Cow::into_owned)
}

#[test]
fn url_is_redacted() {
    assert_eq!(url("postgres://u:s3cret@db:5432/app").as_deref(), Some("postgres://***@db:5432/app"));
    assert_eq!(url("postgres://db/app?password=s3cret").as_deref(), Some("postgres://db/app?***"));
    assert_eq!(url("https://[::1]:9/hook#s3cret").as_deref(), Some("https://[::1]:9/hook?***"));
    assert_eq!(url("sqlite:data/x.db").as_deref(), Some("sqlite:data/x.db"));
}

#[test]
fn malformed_url_reveals_no_secret() {
    for value in [
        "postgres://u:s3cret/w@db/app",
        "postgres://u:a@s3cret@db/app",
        "postgres://u:s3cret",
        "postgres://u:s3cret/app",
        "u:s3cret",
        "s3cret",
        "u:s3cret://x",
        "https://u:s3cret?x@h/p",
        "https://h]:s3cret",
    ] {
        let shown = url(value).unwrap_or_default();
        assert!(!shown.contains("s3cret"), "{value}: {shown}");
    }
}

#[test]
fn secret_is_not_displayed() {
    assert_eq!(redact(Exposure::Secret, "x"), None);
    assert_eq!(redact(Exposure::Public, "x").as_deref(), Some("x"));
}

#[test]
fn addresses_that_may_hold_a_password_are_hidden() {
    let shown = |value| redact(Exposure::Address, value).is_some();
    for value in [
        "https://auth.example.com:8443",
        "https://a.example, http://b.example:8080,http://[::1]:80",
        "/app?a=b:c",
        "urn:example:issuer",
        "accounts@example.com",
    ] {
        assert!(shown(value), "{value}");
    }
    for value in [
        "https://u:secret@h",
        "https://u@h",
        "u:secret@h",
        "//u:secret@h",
        "https://u:secret",
        "https://a.example,https://u:secret@h",
        "https://a.example, https://u:12,https://secret@h",
    ] {
        assert!(!shown(value), "{value}");
    }
}

#[test]
fn no_setting_with_addresses_is_public() {
    for spec in crate::settings::table::all() {
        let holds_address = ["URL", "origin", "postgres"].iter().any(|word| spec.kind.contains(word));
        assert!(!holds_address || spec.exposure != Exposure::Public, "{}", spec.suffix);
    }
}
