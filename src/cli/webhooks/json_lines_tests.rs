#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use serde_json::Value;

#[test]
fn order_and_spelling_stay() {
    let json = r#"{"b":[1,2.50,{"c" : "a,\"{}:\\"}],"a":{},"n":[ ],"u":"é"}"#;
    let expected = "{\n  \"b\": [\n    1,\n    2.50,\n    {\n      \"c\": \"a,\\\"{}:\\\\\"\n    }\n  ],\n  \"a\": {},\n  \
                    \"n\": [],\n  \"u\": \"é\"\n}";
    assert_eq!(in_lines(json), expected);
    let same = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    assert_eq!(same(json), same(expected));
    assert_eq!(in_lines(expected), expected);
}

#[test]
fn what_is_no_json_ends_too() {
    assert_eq!(in_lines("}]\"\\"), "\n}\n]\"\\");
    assert_eq!(in_lines(""), "");
}
