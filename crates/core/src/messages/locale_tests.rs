#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

fn locale(tag: &str) -> Locale {
    Locale::parse(tag).unwrap()
}

#[test]
fn tags_are_written_canonically() {
    for (text, tag) in [("DE", "de"), ("pt-br", "pt-BR"), ("ZH-hant-tw", "zh-Hant-TW"), ("es-419", "es-419")] {
        assert_eq!(locale(text).tag(), tag);
    }
    assert_eq!(locale("de"), Locale::GERMAN);
}

#[test]
fn other_texts_are_no_language() {
    for text in
        ["", "-", "e", "de_AT", "de-", "../de", "de-AT-1996", "und", "x-klingon", "de-u-co-phonebk", "deutsch ist"]
    {
        assert_eq!(Locale::parse(text), None, "{text}");
    }
}

#[test]
fn best_language_is_exact_then_general_then_related() {
    let offered = ["pt-BR", "en", "de", "de-AT"].map(locale);
    for (wanted, best) in [("de-AT", "de-AT"), ("de-CH", "de"), ("pt-PT", "pt-BR"), ("en-US", "en")] {
        assert_eq!(locale(wanted).best_of(&offered), Some(locale(best)), "{wanted}");
    }
    assert_eq!(locale("fr").best_of(&offered), None);
}

#[test]
fn languages_know_their_direction() {
    assert!(locale("he").is_right_to_left() && locale("ar-EG").is_right_to_left());
    assert!(!Locale::GERMAN.is_right_to_left());
}
