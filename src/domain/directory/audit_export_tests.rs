#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use serde_json::json;

#[test]
fn cells_are_quoted_where_they_have_to_be() {
    let record = json!({"a": "plain", "b": "one, \"two\"", "c": "two\r\nlines", "d": null, "e": {"k": "v"}, "f": 7});
    let written = csv_line(&["a", "b", "c", "d", "e", "f", "absent"], &record).unwrap();
    assert_eq!(written, "plain,\"one, \"\"two\"\"\",\"two\r\nlines\",,\"{\"\"k\"\":\"\"v\"\"}\",7,\r\n");
    assert_eq!(csv_head(&["a", "b"]), "a,b\r\n");
}

#[test]
fn no_cell_of_text_is_a_formula() {
    for typed in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "=HYPERLINK(\"http://x\",\"y\")"] {
        let written = csv_line(&["a"], &json!({"a": typed})).unwrap();
        assert!(written.trim_start_matches('"').starts_with('\''), "{written:?}");
    }
    for kept in [json!("a=1"), json!("'"), json!(""), json!(-5), json!(1)] {
        let written = csv_line(&["a"], &json!({"a": kept})).unwrap();
        assert_eq!(written.trim_end(), kept.as_str().map_or_else(|| kept.to_string(), str::to_owned));
    }
}
