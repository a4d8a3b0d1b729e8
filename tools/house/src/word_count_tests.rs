use super::*;

fn lines(word: &str, kind: WordKind, text: &str) -> Vec<usize> {
    let word = Box::leak(word.to_owned().into_boxed_str());
    Lines::of(text).of_word(&Word { word, say: "", kind, places: &[] })
}

#[test]
fn names_are_exact() {
    let text = "fn meant() {}\n// meant\nlet x = \"meant\";\nis_meant(Meant, meant)";
    assert_eq!(lines("meant", WordKind::Name, text), [1, 4]);
    assert_eq!(lines("meant", WordKind::Both, text), [1, 2, 4]);
}

#[test]
fn types_count_where_they_are_defined() {
    assert_eq!(lines("Left", WordKind::Type, "enum Side { Left }\nstruct Left;\nlet x: Left;"), [2]);
}

#[test]
fn macros_end_with_a_mark() {
    assert_eq!(lines("on!", WordKind::Name, "on!(x);\nlet on = 1;\nif on != 2 {}\nmacro_rules! on {}"), [1, 4]);
}

#[test]
fn prose_may_cross_the_end_of_a_line() {
    let text = "/// Whoever waits for a half\n/// log-in.\nlet whoever = \"so long\";\n// So long, so long\n\n// for\n\n// good";
    assert_eq!(lines("whoever", WordKind::Prose, text), [1]);
    assert_eq!(lines("half log-in", WordKind::Prose, text), [1]);
    assert_eq!(lines("so long", WordKind::Prose, text), [4, 4]);
    assert_eq!(lines("for good", WordKind::Prose, text), [] as [usize; 0]);
}

#[test]
fn a_word_may_be_restricted_to_a_place() {
    let text = "fn envelope() {}";
    let repository = Repository::from_texts([("src/http/mod.rs", text), ("src/domain/events.rs", text)]);
    let uses = private_words(&repository);
    assert_eq!(uses.len(), 1);
    assert_eq!(uses[0].places, [Location::new("src/http/mod.rs", 1)]);
}
