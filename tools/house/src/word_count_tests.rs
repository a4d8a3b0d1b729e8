use super::*;

fn lines(word: &str, kind: WordKind, text: &str) -> Vec<usize> {
    let word = Box::leak(word.to_owned().into_boxed_str());
    Lines::of(text).of_word(&Word { word, say: "", kind, places: &[] })
}

#[test]
fn names_match_exactly() {
    let text = "fn meant() {}\n// meant\nlet x = \"meant\";\nis_meant(Meant, meant)";
    assert_eq!(lines("meant", WordKind::Name, text), [1, 4]);
    assert_eq!(lines("meant", WordKind::Both, text), [1, 2, 4]);
}

#[test]
fn type_words_match_definitions_only() {
    assert_eq!(lines("Left", WordKind::Type, "enum Side { Left }\nstruct Left;\nlet x: Left;"), [2]);
}

#[test]
fn macro_words_match_macros_only() {
    assert_eq!(lines("on!", WordKind::Name, "on!(x);\nlet on = 1;\nif on != 2 {}\nmacro_rules! on {}"), [1, 4]);
}

#[test]
fn prose_matches_across_line_end() {
    let text = "/// Whoever waits for a half\n/// log-in.\nlet whoever = \"so long\";\n// So long, so long\n\n// for\n\n// good";
    assert_eq!(lines("whoever", WordKind::Prose, text), [1]);
    assert_eq!(lines("half log-in", WordKind::Prose, text), [1]);
    assert_eq!(lines("so long", WordKind::Prose, text), [4, 4]);
    assert_eq!(lines("for good", WordKind::Prose, text), [] as [usize; 0]);
}

#[test]
fn word_is_searched_only_in_its_places() {
    let text = "fn envelope() {}";
    let repository = Repository::from_texts([("src/http/mod.rs", text), ("src/domain/events.rs", text)]);
    let uses = private_words(&repository);
    assert_eq!(uses.len(), 1);
    assert_eq!(uses[0].places, [Location::new("src/http/mod.rs", 1)]);
}
