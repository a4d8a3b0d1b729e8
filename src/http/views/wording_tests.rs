//! Nothing that people read stands outside the message files.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::samples::{ORDINARY, Texts, all};
use crate::messages::{Catalog, Locale};
use crate::model::audit::AuditKind;
use std::path::Path;
use std::sync::LazyLock;

/// Attributes that are read to people or shown to them.
const READ: [&str; 8] =
    ["aria-label", "placeholder", "title", "alt", "data-done", "data-more", "data-one-more", "data-enough"];

/// The texts of a page: between the tags, and in the attributes that are read.
fn texts(html: &str) -> (Vec<String>, Vec<String>) {
    let (mut shown, mut read) = (Vec::new(), Vec::new());
    for piece in html.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').unwrap();
        let is_code = tag.starts_with("code") || tag.starts_with("!doctype");
        shown.extend((!is_code).then(|| text.to_owned()));
        for attribute in READ {
            let value = tag.split_once(&format!(" {attribute}=\"")).map(|(_, rest)| rest.split('"').next().unwrap());
            read.extend(value.map(str::to_owned));
        }
    }
    (shown, read)
}

/// What stands in no brackets.
fn outside(text: &str) -> String {
    let mut depth = 0;
    let mut keep = |c: char| {
        depth += i32::from(c == '⟦') - i32::from(c == '⟧');
        depth == 0
    };
    text.chars().filter(|c| keep(*c)).collect()
}

/// Every sentence is its name in brackets, with its values.
static MARKED: LazyLock<Catalog> = LazyLock::new(Catalog::marked);

/// Texts from outside without a letter, so that every letter of a page is ours.
const SILENT: Texts = Texts {
    csrf: "1",
    return_to: "/2",
    email: "3@4.5",
    username: "6",
    name: "7",
    device: "8",
    error: "9",
    locale: Locale::De,
    catalog: || &MARKED,
};

#[test]
fn a_page_says_nothing_but_messages() {
    for (name, html) in all(SILENT) {
        let (shown, read) = texts(&html);
        for text in read.into_iter().chain([shown.concat()]) {
            let left = outside(&text).replace("Doorward", "");
            assert!(!left.contains(char::is_alphabetic), "{name}: {left:?}");
        }
    }
}

#[test]
fn a_template_has_no_text_of_its_own() {
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
        let (shown, read) = texts(&format!("<>{template}"));
        for text in shown.iter().map(|text| without_attributes(text)).chain(read) {
            assert!(!text.contains(char::is_alphabetic), "{}: {text:?}", path.display());
        }
    }
}

/// A macro's text may be the attributes of a tag that stands around its call.
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

#[test]
fn a_page_in_german_is_german() {
    let pages = all(Texts { locale: Locale::De, ..ORDINARY });
    for (name, html) in &pages {
        assert!(html.contains("<html lang=\"de\">"), "{name}");
    }
    let html = |wanted| &pages.iter().find(|(name, _)| *name == wanted).unwrap().1;
    assert!(html("signup").contains("Mindestens 8 Zeichen."));
    assert!(html("error-429").contains("Versuchen Sie es in 2 Minuten erneut."));
    assert!(
        html("login")
            .contains("<a href=\"/auth/language?to=en&amp;return_to=%2Fapp%2Freports%3Fyear%3D2025\" lang=\"en\"")
    );
}

#[test]
fn every_kind_of_activity_has_words_in_every_language() {
    for (locale, kind) in Locale::ALL.into_iter().flat_map(|locale| AuditKind::ALL.map(|kind| (locale, kind))) {
        let words = Catalog::embedded().messages(locale).t("activity-kind").with("kind", kind.as_str()).to_string();
        assert_ne!(words, kind.as_str(), "{}", locale.tag());
        assert_eq!(AuditKind::parse(kind.as_str()), Some(kind));
    }
}

#[test]
fn what_stands_out_in_a_sentence_is_escaped() {
    let messages = Catalog::embedded().messages(Locale::En);
    let html =
        super::Markup::new(messages, "invitation-other-why".into()).strong("email", "<i>\u{e001}").with("own", "a&b");
    assert!(
        html.to_string().contains("It is for <strong>&lt;i&gt;\u{e001}</strong>, but you are logged in as a&amp;b.")
    );
}
