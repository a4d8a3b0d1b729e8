#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use serde_json::Value;

#[test]
fn pretty_print_keeps_order_and_spelling() {
    let json = r#"{"b":[1,2.50,{"c" : "a,\"{}:\\"}],"a":{},"n":[ ],"u":"é"}"#;
    let expected = "{\n  \"b\": [\n    1,\n    2.50,\n    {\n      \"c\": \"a,\\\"{}:\\\\\"\n    }\n  ],\n  \"a\": \
                    {},\n  \"n\": [],\n  \"u\": \"é\"\n}";
    assert_eq!(pretty_print(json), expected);
    let parsed = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    assert_eq!(parsed(json), parsed(expected));
    assert_eq!(pretty_print(expected), expected);
}

#[test]
fn pretty_print_terminates_on_invalid_json() {
    assert_eq!(pretty_print("}]\"\\"), "\n}\n]\"\\");
    assert_eq!(pretty_print(""), "");
}
