use super::*;
use crate::settings::testing::{problem, refused, settings};

#[test]
fn default_wording_is_built_in() {
    assert_eq!(settings(&[]).pages.messages(Locale::ENGLISH).t("log-in-button").to_string(), "Log in");
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
    assert!(brand.colors.is_some() && brand.logo.is_none());
    for color in ["#fff", "#ffe01b", "#635BFF"] {
        assert!(settings(&[("BRAND_COLOR", color)]).pages.brand.colors.is_some(), "{color}");
    }
    refused("BRAND_COLOR", &["blue", "#ffff", "rgb(0,0,0)"], "a color as #rgb or #rrggbb");
    refused("BRAND_NAME", &["a\u{7}b", &"x".repeat(61)], "1 to 60 characters");
    refused("COLOR_SCHEME", &["night"], "auto, light, dark");
    refused("BRAND_SHOW_NAME", &["yes"], "on, off");
    assert_eq!(problem(&[("BRAND_SHOW_NAME", "off")]), "SVC_BRAND_SHOW_NAME: needs SVC_BRAND_LOGO");
    assert!(problem(&[("BRAND_LOGO_DARK", "no/such/file.svg")]).starts_with("SVC_BRAND_LOGO_DARK: the file cannot"));
    assert!(problem(&[("BRAND_LOGO", "no/such/file.svg")]).starts_with("SVC_BRAND_LOGO: the file cannot be read"));
}

#[test]
fn default_of_languages_names_the_built_in_ones() {
    let tags: Vec<String> = Locale::BUILT_IN.iter().map(|locale| locale.tag().to_owned()).collect();
    let expected = format!("all: {}, and those of SVC_MESSAGES", tags.join(", "));
    assert_eq!(LANGUAGES.default_text(&settings(&[]).name), expected);
}

#[test]
fn languages_are_offered_in_their_order() {
    let pages = settings(&[("LANGUAGES", "de, en")]).pages;
    assert_eq!(pages.catalog().languages(), [Locale::GERMAN, Locale::ENGLISH]);
    assert_eq!(pages.messages(Locale::FRENCH).locale(), Locale::GERMAN);
    assert_eq!(settings(&[("LANGUAGES", "DE")]).pages.catalog().languages(), [Locale::GERMAN]);
    refused("LANGUAGES", &["de,,en", "de,de", "deutsch ist schön", "de_AT"], "language tags (BCP 47), each once");
    let line = problem(&[("LANGUAGES", "en,it")]);
    assert_eq!(line, "SVC_LANGUAGES: there are no messages in it; SVC_MESSAGES can add it.ftl");
}
