//! Times and durations as people read them.

use crate::model::time::Time;
use crate::settings::duration;
use std::time::Duration;

/// A duration to three digits or so: `740 us`, `12 ms`, `1.25 s`; from a minute on in whole seconds, from an hour on in
/// whole minutes.
pub(super) fn length(length: Duration) -> String {
    match length {
        length if length < Duration::from_millis(1) => format!("{} us", length.as_micros()),
        length if length < Duration::from_secs(1) => format!("{} ms", length.as_millis()),
        length if length < Duration::from_mins(1) => {
            format!("{}.{:02} s", length.as_secs(), length.subsec_millis() / 10)
        }
        length => rough(length),
    }
}

/// A duration in whole seconds, from an hour on in whole minutes: `42s`, `3m10s`, `5h7m`.
pub(super) fn rough(length: Duration) -> String {
    let seconds = length.as_secs();
    let step = if seconds < 3600 { 1 } else { 60 };
    duration::format(Duration::from_secs(seconds / step * step))
}

/// A moment as seen from another: `3m10s ago`, `in 42s`.
pub(super) fn moment(time: Time, now: Time) -> String {
    if time > now { format!("in {}", rough(time.since(now))) } else { format!("{} ago", rough(now.since(time))) }
}

/// What came of an attempt: its status, or why there is none.
pub(super) fn outcome(class: &str, status: Option<i64>) -> String {
    match (class, status) {
        ("refused", Some(status)) => format!("{status}, refused"),
        ("deferred", Some(status)) => format!("{status}, later"),
        ("session", Some(status)) => format!("{status}, refused to talk"),
        ("login", Some(status)) => format!("{status}, log-in refused"),
        ("sender", Some(status)) => format!("{status}, sender refused"),
        (_, Some(status)) => status.to_string(),
        ("name", None) => "name not resolved".to_owned(),
        ("connect", None) => "no connection".to_owned(),
        ("tls", None) => "TLS error".to_owned(),
        ("timeout", None) => "timeout".to_owned(),
        ("closed", None) => "connection closed".to_owned(),
        ("interrupted", None) => "process ended".to_owned(),
        ("disabled", None) => "kind not enabled".to_owned(),
        ("starttls", None) => "no STARTTLS".to_owned(),
        ("login", None) => "no log-in offered".to_owned(),
        ("lost_after_data", None) => "lost after the mail: it may have arrived".to_owned(),
        ("unsendable", None) => "cannot be sent".to_owned(),
        ("expired", None) => "its time was over".to_owned(),
        ("withdrawn", None) => "withdrawn".to_owned(),
        ("internal", None) => "internal error".to_owned(),
        (other, None) => super::printable::line(other),
    }
}

/// `1 event`, `2 events`.
pub(super) fn count(number: impl Into<u64>, one: &str) -> String {
    let number = number.into();
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}

/// Lines of cells, each column as wide as its widest cell.
pub(super) fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
