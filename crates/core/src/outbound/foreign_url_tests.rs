use super::*;

#[test]
fn https_and_http_to_this_machine_are_taken() {
    for url in [
        "https://id.example",
        "https://id.example:8443/a?b=c",
        "http://127.0.0.1:9/x",
        "http://localhost/",
        "http://id.localhost:8080/",
        "http://[::1]:80",
    ] {
        assert_eq!(
            ForeignUrl::parse(url).map(|url| url.uri().to_string().trim_end_matches('/').to_owned()),
            Ok(url.trim_end_matches('/').to_owned())
        );
    }
}

#[test]
fn other_addresses_are_refused() {
    for (url, error) in [
        ("http://id.example/", ForeignUrlError::Scheme),
        ("http://127.0.0.1.id.example/", ForeignUrlError::Scheme),
        ("http://localhost.id.example/", ForeignUrlError::Scheme),
        ("http://169.254.169.254/", ForeignUrlError::Scheme),
        ("ftp://id.example/", ForeignUrlError::Scheme),
        ("file:///etc/passwd", ForeignUrlError::Malformed),
        ("/path", ForeignUrlError::Malformed),
        ("id.example", ForeignUrlError::Malformed),
        ("https://ada@id.example/", ForeignUrlError::UserInformation),
        ("https://id.example@10.0.0.1/", ForeignUrlError::UserInformation),
        ("https://id.example/#a", ForeignUrlError::Fragment),
        (&format!("https://id.example/{}", "a".repeat(MAX_BYTES)), ForeignUrlError::Long),
    ] {
        assert_eq!(ForeignUrl::parse(url), Err(error), "{url}");
    }
}
