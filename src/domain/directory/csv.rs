//! Lines of comma-separated values (RFC 4180), which spreadsheets open without running what is in them.

use serde::Serialize;
use serde_json::value::RawValue;
use std::collections::HashMap;

/// What begins a formula in a spreadsheet, or hides one (OWASP, CSV Injection).
const BEGINS_FORMULA: [char; 7] = ['=', '+', '-', '@', '\t', '\r', '\n'];

/// A line with the members of a record, in this order; null and what is absent is empty, an object is its JSON.
pub(super) fn line<const N: usize>(members: &[&str; N], record: &impl Serialize) -> serde_json::Result<String> {
    let json = serde_json::to_string(record)?;
    let values: HashMap<String, &RawValue> = serde_json::from_str(&json)?;
    let cells = members.map(|member| values.get(member).map_or(Ok(String::new()), |value| cell(value)));
    let cells: Vec<String> = cells.into_iter().collect::<serde_json::Result<_>>()?;
    Ok(format!("{}\r\n", cells.join(",")))
}

pub(super) fn head(members: &[&str]) -> String {
    format!("{}\r\n", members.join(","))
}

fn cell(value: &RawValue) -> serde_json::Result<String> {
    let json = value.get();
    match json.chars().next() {
        Some('n') => Ok(String::new()),
        Some('"') => Ok(text(&serde_json::from_str::<String>(json)?)),
        // Numbers and truth values stay as they are: they are none of what people typed.
        Some('-' | '0'..='9' | 't' | 'f') => Ok(json.to_owned()),
        _ => Ok(quoted(json)),
    }
}

fn text(text: &str) -> String {
    if text.starts_with(BEGINS_FORMULA) { quoted(&format!("'{text}")) } else { quoted(text) }
}

fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\r', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

#[cfg(test)]
#[path = "csv_tests.rs"]
mod tests;
