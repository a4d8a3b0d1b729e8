#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::Metadata;

#[test]
fn text_is_preserved_byte_for_byte() {
    for text in [
        r#"{"z":1,"a":2}"#,
        r#"{ "n" : 12345678901234567890123, "x": 1.10, "e": 1E2 }"#,
        "{\"a\":\n [true, null, {}, \"\\u00e9\\/\", \"\u{e9}\"]}",
    ] {
        let metadata = Metadata::parse(text).unwrap();
        assert_eq!(metadata.as_str(), text);
        assert_eq!(serde_json::to_string(&metadata).unwrap(), text);
        assert_eq!(Metadata::from_stored(text.to_owned()).unwrap().as_str(), text);
    }
    assert_eq!(Metadata::parse(" {\"a\":1}\n").unwrap().as_str(), "{\"a\":1}");
    assert!(Metadata::parse("{}").unwrap().is_none());
    assert_eq!(serde_json::to_string(&Metadata::default()).unwrap(), "{}");
}

#[test]
fn ambiguous_json_is_refused() {
    let of_length = |length: usize| format!(r#"{{"a":"{}"}}"#, "x".repeat(length - 8));
    assert!(Metadata::parse(&of_length(4 * 1024)).is_ok());
    let deep = format!("{}1{}", "{\"a\":".repeat(500), "}".repeat(500));
    for (text, why) in [
        ("[]", "not a JSON object"),
        ("", "not a JSON object"),
        ("\"{}\"", "not a JSON object"),
        ("{} {}", "not a JSON object"),
        ("{\"a\":1,}", "not a JSON object"),
        (r#"{"a":1,"\u0061":2}"#, "the key \"a\" stands twice"),
        (r#"{"b":[{"a":1,"a":2}]}"#, "the key \"a\" stands twice"),
        (r#"{"a":1e999}"#, "number out of range"),
        (r#"{"a":"\ud800"}"#, "not a JSON object"),
        ("{\"a\":\"\u{0}\"}", "control character"),
        (&of_length(4 * 1024 + 1), "larger than 4 KiB"),
        (&deep, "recursion limit"),
    ] {
        let error = Metadata::parse(text).unwrap_err();
        assert!(error.contains(why), "{text}: {error}");
    }
}
