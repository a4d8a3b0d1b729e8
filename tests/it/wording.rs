//! All text of the pages comes from the message catalog.

use crate::samples::{ORDINARY, Sample, Texts, pages};
use doorward::messages::{Catalog, Locale};
use doorward::model::audit::AuditKind;
use std::path::Path;
use std::sync::LazyLock;

single_run![
    pages_contain_only_catalog_messages,
    templates_contain_no_text,
    german_pages_are_in_german,
    every_audit_kind_has_text_in_every_language,
];

/// Attributes whose values are shown or read aloud.
const TEXT_ATTRIBUTES: [&str; 8] =
    ["aria-label", "placeholder", "title", "alt", "data-done", "data-more", "data-one-more", "data-enough"];

/// The texts of a page: between the tags, and in `TEXT_ATTRIBUTES`.
fn page_texts(html: &str) -> (Vec<String>, Vec<String>) {
    let (mut texts, mut attributes) = (Vec::new(), Vec::new());
    for piece in html.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').unwrap();
        let is_code = tag.starts_with("code") || tag.starts_with("!doctype");
        texts.extend((!is_code).then(|| text.to_owned()));
        for attribute in TEXT_ATTRIBUTES {
            let value = tag.split_once(&format!(" {attribute}=\"")).map(|(_, rest)| rest.split('"').next().unwrap());
            attributes.extend(value.map(str::to_owned));
        }
    }
    (texts, attributes)
}

fn outside_brackets(text: &str) -> String {
    let mut depth = 0;
    let mut is_outside = |c: char| {
        depth += i32::from(c == '⟦') - i32::from(c == '⟧');
        depth == 0
    };
    text.chars().filter(|c| is_outside(*c)).collect()
}

/// Renders every message as its key and arguments in brackets.
static MARKED: LazyLock<Catalog> = LazyLock::new(Catalog::marked);

/// Untrusted texts without letters, so that every letter of a page is ours.
const WITHOUT_LETTERS: Texts = Texts {
    csrf: "1",
    return_to: "/2",
    email: "3@4.5",
    username: "6",
    name: "7",
    device: "8",
    error: "9",
    place: "10",
    role: "11",
    code: "12",
    locale: Locale::GERMAN,
    catalog: || &MARKED,
    ..ORDINARY
};

async fn pages_contain_only_catalog_messages() {
    for Sample { name, html, .. } in pages(WITHOUT_LETTERS) {
        let (texts, attributes) = page_texts(&html);
        for text in attributes.into_iter().chain([texts.concat()]) {
            let names = ["Doorward", "Google", "Apple", "Microsoft", "GitHub"];
            let own_text = names.iter().fold(outside_brackets(&text), |text, name| text.replace(name, ""));
            assert!(!own_text.contains(char::is_alphabetic), "{name}: {own_text:?}");
        }
    }
}

async fn templates_contain_no_text() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "html") {
            continue;
        }
        let mut template = std::fs::read_to_string(&path).unwrap();
        for (begin, end) in [("{#", "#}"), ("{{", "}}"), ("{%", "%}")] {
            template = without(&template, begin, end);
        }
        let (texts, attributes) = page_texts(&format!("<>{template}"));
        for text in texts.iter().map(|text| without_attributes(text)).chain(attributes) {
            assert!(!text.contains(char::is_alphabetic), "{}: {text:?}", path.display());
        }
    }
}

/// The text of a macro may be attributes of the tag around its call.
fn without_attributes(text: &str) -> String {
    let unquoted: Vec<&str> = text.split('"').step_by(2).collect();
    let words = unquoted.iter().flat_map(|part| part.split_whitespace());
    words.filter(|word| !word.ends_with('=') && *word != "autofocus").collect()
}

fn without(text: &str, begin: &str, end: &str) -> String {
    text.split(begin)
        .enumerate()
        .map(|(index, part)| if index == 0 { part } else { part.split_once(end).map_or("", |(_, rest)| rest) })
        .collect()
}

async fn german_pages_are_in_german() {
    let pages = pages(Texts { locale: Locale::GERMAN, ..ORDINARY });
    for Sample { name, html, .. } in &pages {
        assert!(html.contains("<html lang=\"de\">"), "{name}");
    }
    let html = |wanted| &pages.iter().find(|page| page.name == wanted).unwrap().html;
    assert!(html("signup").contains("Mindestens 8 Zeichen."));
    assert!(html("error-429").contains("Versuchen Sie es in 2 Minuten erneut."));
    assert!(
        html("login")
            .contains("<a href=\"/auth/language?to=en&amp;return_to=%2Fapp%2Freports%3Fyear%3D2025\" lang=\"en\"")
    );
}

async fn every_audit_kind_has_text_in_every_language() {
    for (locale, kind) in Locale::BUILT_IN.into_iter().flat_map(|locale| AuditKind::ALL.map(|kind| (locale, kind))) {
        let words = Catalog::embedded().messages(locale).t("activity-kind").with("kind", kind.as_str()).to_string();
        assert_ne!(words, kind.as_str(), "{}", locale.tag());
        assert_eq!(AuditKind::parse(kind.as_str()), Some(kind));
    }
}
