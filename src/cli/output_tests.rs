#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

const NASTY: &str = "Crew\u{61c}\u{202e}\u{9b}2J\u{1b}[31m\u{3164}\u{e0041}";

fn written(json: bool) -> String {
    let mut bytes = Vec::new();
    let mut out = Output::new(&mut bytes, json);
    out.result(&serde_json::json!({ "name": NASTY }), &format!("It is called {NASTY}")).unwrap();
    out.item(&serde_json::json!({ "name": NASTY }), NASTY).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn text_is_escaped() {
    let text = written(false);
    assert!(text.is_ascii() && !text.contains('\u{1b}'), "{text:?}");
    assert!(text.starts_with("It is called Crew\\u{61c}\\u{202e}\\u{9b}2J\\u{1b}[31m"), "{text}");
}

#[test]
fn json_is_ascii_where_it_could_control_the_terminal_and_means_the_same() {
    let text = written(true);
    assert!(text.is_ascii() && !text.contains('\u{1b}'), "{text:?}");
    let (document, line) = text.trim_end().rsplit_once('\n').unwrap();
    for json in [document, line] {
        assert_eq!(serde_json::from_str::<serde_json::Value>(json).unwrap()["name"], NASTY);
    }
}
