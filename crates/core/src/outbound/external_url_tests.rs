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
            ExternalUrl::parse(url).map(|url| url.uri().to_string().trim_end_matches('/').to_owned()),
            Ok(url.trim_end_matches('/').to_owned())
        );
    }
}

#[test]
fn other_addresses_are_refused() {
    for (url, error) in [
        ("http://id.example/", ExternalUrlError::Scheme),
        ("http://127.0.0.1.id.example/", ExternalUrlError::Scheme),
        ("http://localhost.id.example/", ExternalUrlError::Scheme),
        ("http://169.254.169.254/", ExternalUrlError::Scheme),
        ("ftp://id.example/", ExternalUrlError::Scheme),
        ("file:///etc/passwd", ExternalUrlError::Malformed),
        ("/path", ExternalUrlError::Malformed),
        ("id.example", ExternalUrlError::Malformed),
        ("https://ada@id.example/", ExternalUrlError::UserInformation),
        ("https://id.example@10.0.0.1/", ExternalUrlError::UserInformation),
        ("https://id.example/#a", ExternalUrlError::Fragment),
        (&format!("https://id.example/{}", "a".repeat(MAX_BYTES)), ExternalUrlError::Long),
    ] {
        assert_eq!(ExternalUrl::parse(url), Err(error), "{url}");
    }
}
