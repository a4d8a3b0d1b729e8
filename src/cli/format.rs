//! Human-readable times, durations, outcomes and tables.

use super::printable::line;
use crate::device_name::display_name;
use crate::messages::{Catalog, Locale};
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

/// Formats a time to the second: `2026-07-01T08:30:00Z`.
pub(super) fn seconds(time: Time) -> String {
    let text = time.to_string();
    text.split_once('.').map_or(text.clone(), |(whole, _)| format!("{whole}Z"))
}

/// Formats a `User-Agent` as pages do: `Firefox on Linux`. Nothing stands for none.
pub(super) fn device(user_agent: &str) -> String {
    if user_agent.is_empty() {
        return String::new();
    }
    display_name(Catalog::embedded().messages(Locale::ENGLISH), user_agent)
}

/// Formats a time relative to `now`: `3m10s ago`, `in 42s`.
pub(super) fn relative_time(time: Time, now: Time) -> String {
    if time > now {
        format!("in {}", coarse_duration(time.since(now)))
    } else {
        format!("{} ago", coarse_duration(now.since(time)))
    }
}

/// Formats when a delivery is due, or was finished, relative to `now`.
pub(super) fn due_or_finished(due_at: Time, finished_at: Option<Time>, now: Time) -> String {
    match finished_at {
        Some(finished_at) => relative_time(finished_at, now),
        None => format!("due {}", relative_time(due_at, now)),
    }
}

/// Formats the outcome of an attempt: its status, or why there is none.
pub(super) fn outcome(class: &str, status: Option<i64>) -> String {
    match (class, status) {
        ("refused", Some(status)) => format!("{status}, refused"),
        ("deferred", Some(status)) => format!("{status}, later"),
        ("session", Some(status)) => format!("{status}, refused to talk"),
        ("login", Some(status)) => format!("{status}, login refused"),
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
        ("login", None) => "no login offered".to_owned(),
        ("lost_after_data", None) => "lost after the email: it may have arrived".to_owned(),
        ("unsendable", None) => "cannot be sent".to_owned(),
        ("expired", None) => "its time was over".to_owned(),
        ("withdrawn", None) => "withdrawn".to_owned(),
        ("internal", None) => "internal error".to_owned(),
        (other, None) => line(other),
    }
}

/// Formats rows under the names of their columns, aligned, each on one line.
pub(super) fn table<const N: usize>(columns: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let head = columns.map(str::to_uppercase);
    let rows: Vec<[String; N]> = [head].into_iter().chain(rows).map(|row| row.map(|cell| line(&cell))).collect();
    let widths: [usize; N] =
        std::array::from_fn(|column| rows.iter().map(|row| width(&row[column])).max().unwrap_or(0));
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Formats values behind their names, aligned, each on one line.
pub(super) fn fields(fields: &[(&str, String)]) -> String {
    let names = fields.iter().map(|(name, _)| width(name)).max().unwrap_or(0);
    let field = |(name, value): &(&str, String)| format!("{name:names$}  {}", line(value)).trim_end().to_owned();
    fields.iter().map(field).collect::<Vec<_>>().join("\n")
}

fn width(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
#[path = "format_tests.rs"]
mod tests;
