#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use crate::settings::testing::{problem, refused, settings};

#[test]
fn links_are_read() {
    let links = settings(&[
        ("APP_URL", "https://app.example.com/start?from=login"),
        ("TERMS_URL", "http://localhost:3000/terms"),
        ("SUPPORT_URL", "mailto:help@example.com?subject=Log%20in"),
    ])
    .pages
    .brand
    .links;
    assert_eq!(links.app.unwrap(), "https://app.example.com/start?from=login");
    assert_eq!(links.terms.unwrap(), "http://localhost:3000/terms");
    assert_eq!(links.support.unwrap(), "mailto:help@example.com?subject=Log%20in");
    assert_eq!(links.privacy, None);
}

#[test]
fn links_that_could_run_script_or_tell_a_password_are_refused() {
    let never =
        ["javascript:alert(1)", "data:text/html,x", "//example.com", "/terms", "https://", "https://a b/", "ftp://a/"];
    for suffix in ["APP_URL", "TERMS_URL", "PRIVACY_URL", "SUPPORT_URL"] {
        refused(suffix, &never, "such as https://www.example.com/");
        refused(suffix, &["https://a.example/\"onclick=x", "https://a.example/<b>"], "such as https://");
        let line = problem(&[(suffix, "https://ada:s3cret@example.com/")]);
        assert!(line.contains("the value (not shown)") && !line.contains("s3cret"), "{line}");
    }
    refused("APP_URL", &["mailto:help@example.com"], "http or https URL");
    refused("SUPPORT_URL", &["mailto:", "mailto:nobody", "mailto:@", "mailto:a@b c"], "mailto:help@example.com");
}
