#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

const NASTY: &str = "Crew\u{61c}\u{202e}\u{9b}2J\u{1b}[31m\u{3164}\u{e0041}";

fn written(json: bool) -> String {
    let mut bytes = Vec::new();
    let (input, err, terminals) = (&mut io::empty(), &mut io::sink(), Terminals::default());
    let mut out = Output::new(Streams { input, out: &mut bytes, err, terminals }, json);
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

#[test]
fn only_yes_on_a_terminal_confirms() {
    for (typed, is_terminal, answer) in [
        ("y\n", true, Some(true)),
        (" YES\r\n", true, Some(true)),
        ("yesterday\n", true, Some(false)),
        ("", true, Some(false)),
        ("y\n", false, None),
    ] {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let terminals = Terminals { input: is_terminal, ..Terminals::default() };
        let streams = Streams { input: &mut typed.as_bytes(), out: &mut out, err: &mut err, terminals };
        assert_eq!(Output::new(streams, false).confirm("Delete it?").unwrap(), answer, "{typed:?}");
        let question: &[u8] = if is_terminal { b"Delete it? [y/N] " } else { b"" };
        assert_eq!((out.as_slice(), err.as_slice()), (&b""[..], question));
    }
}
