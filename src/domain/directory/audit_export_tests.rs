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

/// What a spreadsheet makes of a line where cells end with `separator`: a quote counts at the beginning of a cell only.
fn cells(line: &str, separator: char) -> Vec<String> {
    let (mut cells, mut is_quoted) = (vec![String::new()], false);
    let mut chars = line.trim_end_matches("\r\n").chars().peekable();
    while let Some(c) = chars.next() {
        let cell = cells.last_mut().unwrap();
        match c {
            '"' if is_quoted && chars.peek() == Some(&'"') => cell.extend(chars.next()),
            '"' if is_quoted => is_quoted = false,
            '"' if cell.is_empty() => is_quoted = true,
            _ if !is_quoted && (c == separator || c == '\r' || c == '\n') => cells.push(String::new()),
            _ => cell.push(c),
        }
    }
    cells
}

#[test]
fn no_cell_is_a_formula_whatever_separates_cells() {
    let typed = [
        "x;=cmd|'/C calc'!A0",
        "x\t=1",
        "x;\"=1",
        "x;\"\"\"=1\"",
        "x;;@SUM(A1)",
        "x;\t+1",
        "x\r\n-1",
        "=1;=1;-1",
        "x;＝1",
        "\"=1",
        "x,=1;+1",
        "x; =1",
        "x;\u{a0}\" =1",
        " =1",
        "x|=cmd|'/C calc'!A0",
        "x: =1|\t@SUM(A1)",
    ];
    for typed in typed {
        let record = json!({"a": "id", "b": typed, "c": {"reason": typed}, "d": "end"});
        let written = csv_line(&["a", "b", "c", "d"], &record).unwrap();
        for separator in [',', ';', '\t', '|', ':'] {
            let cells = cells(&written, separator);
            // Some spreadsheets drop the blanks before a cell.
            let formula = cells.iter().find(|cell| cell.trim_start().starts_with(BEGINS_FORMULA));
            assert_eq!(formula, None, "{typed:?} between {separator:?}: {written:?}");
        }
        assert_eq!(cells(&written, ',').len(), 4, "{written:?}");
    }
    for kept in [
        "Mozilla/5.0 (X11; Linux x86_64) a=b; c-d; \"e\"",
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:144.0) Gecko/20100101 +https://bot.example/?a=-1",
        "https://user@app.example:8443/a|b?c=d",
        "2026-11-28T10:36:05+01:00",
    ] {
        assert_eq!(cells(&csv_line(&["a"], &json!({"a": kept})).unwrap(), ','), [kept]);
    }
}
