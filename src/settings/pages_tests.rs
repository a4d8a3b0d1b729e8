use super::*;
use crate::settings::testing::{problem, refused, settings};

#[test]
fn default_wording_is_built_in() {
    assert_eq!(settings(&[]).pages.messages(Locale::En).t("log-in-title").to_string(), "Log in");
}

#[test]
fn unreadable_messages_folder_is_reported() {
    let line = problem(&[("MESSAGES", "no/such/folder")]);
    assert!(line.starts_with("SVC_MESSAGES: the folder cannot be read: "), "{line}");
}

#[test]
fn brand_is_read_and_invalid_values_are_refused() {
    let brand = settings(&[("BRAND_NAME", "Acme & Söhne"), ("BRAND_COLOR", "#1a3d8f")]).pages.brand;
    assert_eq!(brand.name, "Acme & Söhne");
    assert!(brand.colours.is_some() && brand.logo.is_none());
    let line = problem(&[("BRAND_COLOR", "#ffdd00")]);
    assert!(line.starts_with("SVC_BRAND_COLOR: \"#ffdd00\" cannot be used; allowed: a darker colour"), "{line}");
    assert!(line.contains("1.23:1"), "{line}");
    refused("BRAND_COLOR", &["blue", "#fff", "rgb(0,0,0)"], "#rrggbb");
    refused("BRAND_NAME", &["a\u{7}b", &"x".repeat(61)], "1 to 60 characters");
    assert!(problem(&[("BRAND_LOGO", "no/such/file.svg")]).starts_with("SVC_BRAND_LOGO: the file cannot be read"));
}
