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
