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
fn every_language_parses_and_has_nothing_that_english_lacks() {
    let english = source::entries(Locale::ENGLISH.built_in().unwrap());
    assert!(english.len() > 50);
    for locale in Locale::BUILT_IN {
        let text = locale.built_in().unwrap();
        let resource = FluentResource::try_new(text.to_owned());
        assert!(resource.is_ok(), "{locale:?}: {:?}", resource.err().map(|(_, errors)| errors));
        let entries = source::entries(text);
        for (id, variables) in &entries {
            assert_eq!(english.get(id), Some(variables), "{locale:?}: {id}");
        }
        let definitions = text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_alphabetic()));
        assert_eq!(definitions.count(), entries.len(), "{locale:?} defines a message twice");
    }
}

/// Who adds a sentence need not speak every language: what one lacks is in English there.
#[test]
fn every_language_has_nearly_all_messages() {
    let catalog = Catalog::embedded();
    let all = source::entries(Locale::ENGLISH.built_in().unwrap()).len();
    for locale in Locale::BUILT_IN {
        let missing = catalog.missing(locale);
        let allowed = if locale == Locale::ENGLISH { 0 } else { all / 20 };
        assert!(missing.len() <= allowed, "{locale:?} lacks {} of {all}: {missing:?}", missing.len());
    }
}

#[test]
fn counts_have_the_plural_forms_of_each_language() {
    let minutes =
        |locale, count: usize| Catalog::embedded().messages(locale).t("ago-minutes").with("count", count).to_string();
    for (locale, none, one, two) in [
        (Locale::ENGLISH, "0 minutes ago", "1 minute ago", "2 minutes ago"),
        (Locale::GERMAN, "vor 0 Minuten", "vor 1 Minute", "vor 2 Minuten"),
        (Locale::SPANISH, "hace 0 minutos", "hace 1 minuto", "hace 2 minutos"),
        // Zero is singular in French.
        (Locale::FRENCH, "il y a 0 minute", "il y a 1 minute", "il y a 2 minutes"),
    ] {
        assert_eq!([0, 1, 2].map(|count| minutes(locale, count)), [none, one, two], "{locale}");
    }
}

/// French puts a narrow no-break space before these, and a no-break space before a colon, or a line could begin with
/// them.
#[test]
fn french_punctuation_does_not_begin_a_line() {
    let text = Locale::FRENCH.built_in().unwrap();
    let sentences = text.lines().filter(|line| !line.starts_with('#'));
    for line in sentences {
        for breaking in [" ?", " !", " ;", " :", "« ", " »", "'"] {
            assert!(!line.contains(breaking), "{line}");
        }
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
