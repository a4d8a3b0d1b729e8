//! Human-readable times, durations, outcomes and tables.

use crate::model::time::Time;
use std::time::Duration;

/// Formats a duration to about three digits: `740 us`, `12 ms`, `1.25 s`; from a minute on in whole seconds, from an
/// hour on in whole minutes.
pub(super) fn duration(duration: Duration) -> String {
    match duration {
        duration if duration < Duration::from_millis(1) => format!("{} us", duration.as_micros()),
        duration if duration < Duration::from_secs(1) => format!("{} ms", duration.as_millis()),
        duration if duration < Duration::from_mins(1) => {
            format!("{}.{:02} s", duration.as_secs(), duration.subsec_millis() / 10)
        }
        duration => coarse_duration(duration),
    }
}

/// Formats a duration in whole seconds, from an hour on in whole minutes: `42s`, `3m10s`, `5h7m`.
pub(super) fn coarse_duration(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let step = if seconds < 3600 { 1 } else { 60 };
    crate::settings::duration::format(Duration::from_secs(seconds / step * step))
}

/// Formats a time relative to `now`: `3m10s ago`, `in 42s`.
pub(super) fn relative_time(time: Time, now: Time) -> String {
    if time > now {
        format!("in {}", coarse_duration(time.since(now)))
    } else {
        format!("{} ago", coarse_duration(now.since(time)))
    }
}

/// Formats the outcome of an attempt: its status, or why there is none.
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

/// Formats a count: `1 event`, `2 events`.
pub(super) fn count(number: impl Into<u64>, singular: &str) -> String {
    let number = number.into();
    if number == 1 { format!("1 {singular}") } else { format!("{number} {singular}s") }
}

/// Formats rows of cells with aligned columns.
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
#[path = "format_tests.rs"]
mod tests;
