#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use fluent_bundle::FluentResource;
use std::collections::BTreeSet;
use std::path::Path;

fn english() -> Messages<'static> {
    Catalog::embedded().messages(Locale::ENGLISH)
}

#[test]
fn message_is_resolved_in_its_language_with_values() {
    let german = Catalog::embedded().messages(Locale::GERMAN);
    assert_eq!(english().t("password-too-short").with("min", 8_usize).to_string(), "Use at least 8 characters.");
    assert_eq!(german.t("password-too-short").with("min", 8_usize).to_string(), "Verwenden Sie mindestens 8 Zeichen.");
}

#[test]
fn message_of_use_case_carries_its_values() {
    let message = Message::new("username-length").number("min", 2).number("max", 64);
    assert_eq!(message.english(), "Use 2 to 64 characters.");
    let message = Message::new("account-last-owner").text("organizations", "Acme, <b>");
    assert!(english().resolve(&message).to_string().contains("owner of Acme, <b>."));
}

#[test]
fn missing_message_shows_its_id() {
    assert_eq!(english().t("no-such-sentence").to_string(), "no-such-sentence");
    assert!(english().t("password-too-short").to_string().contains("min"));
}

#[test]
fn every_language_parses_and_has_all_messages_and_variables() {
    let english = source::entries(Locale::ENGLISH.built_in().unwrap());
    assert!(english.len() > 50);
    for locale in Locale::BUILT_IN {
        let resource = FluentResource::try_new(locale.built_in().unwrap().to_owned());
        assert!(resource.is_ok(), "{locale:?}: {:?}", resource.err().map(|(_, errors)| errors));
        assert_eq!(source::entries(locale.built_in().unwrap()), english, "{locale:?}");
        let entries = source::entries(locale.built_in().unwrap()).len();
        let definitions =
            locale.built_in().unwrap().lines().filter(|line| line.starts_with(|c: char| c.is_ascii_alphabetic()));
        assert_eq!(definitions.count(), entries, "{locale:?} defines a message twice");
    }
}

/// The source text before a message id.
const LOOKUPS: [&str; 5] = [".t(\"", ".html(\"", "Message::new(\"", "Key(\"", " key = \""];

#[test]
fn every_used_message_exists_and_none_is_unused() {
    let known = source::entries(Locale::ENGLISH.built_in().unwrap());
    let mut used = BTreeSet::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for file in ["src", "crates", "templates"].iter().flat_map(|folder| files(&root.join(folder))) {
        let name = file.to_str().unwrap();
        if name.ends_with("tests.rs") || ![".rs", ".html", ".txt"].iter().any(|end| name.ends_with(end)) {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        for lookup in LOOKUPS {
            for name in text.split(lookup).skip(1).map(|rest| rest.split('"').next().unwrap()) {
                assert!(known.contains_key(name), "{}: {name:?} is in no message file", file.display());
            }
        }
        used.extend(text.split('"').filter_map(|literal| known.get_key_value(literal)).map(|(name, _)| *name));
    }
    let unused: Vec<_> = known.keys().filter(|name| !used.contains(*name)).collect();
    assert!(unused.is_empty(), "unused: {unused:?}");
}

fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}
