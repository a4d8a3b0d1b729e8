//! Durations as operators write them: `250ms`, `5s`, `2m`, `24h`, `1h30m`.

use std::time::Duration;

/// Units from the largest to the smallest, with their milliseconds.
const UNITS: [(&str, u64); 4] = [("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)];

/// A hundred years, far below what `Time` can represent.
const MAX_MILLIS: u64 = 876_000 * 3_600_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a duration above zero and at most 876000h, in h, m, s and ms, such as 250ms, 5s, 2m, 24h or 1h30m")]
pub struct DurationError;

/// Parses a duration: whole numbers with units, each unit at most once and from the largest to the smallest.
///
/// A bare number, zero and blanks are rejected.
pub fn parse(text: &str) -> Result<Duration, DurationError> {
    let mut rest = text;
    let mut millis: u64 = 0;
    let mut next_unit = 0;
    while !rest.is_empty() {
        let (number, after) = split(rest, |c| c.is_ascii_digit());
        let (unit, after) = split(after, |c| c.is_ascii_alphabetic());
        let index = UNITS.iter().position(|(name, _)| *name == unit).filter(|index| *index >= next_unit);
        let index = index.ok_or(DurationError)?;
        let number: u64 = number.parse().map_err(|_| DurationError)?;
        let part = number.checked_mul(UNITS[index].1).ok_or(DurationError)?;
        millis = millis.checked_add(part).ok_or(DurationError)?;
        next_unit = index + 1;
        rest = after;
    }
    if millis == 0 || millis > MAX_MILLIS {
        return Err(DurationError);
    }
    Ok(Duration::from_millis(millis))
}

/// Formats a duration for [`parse`], truncated to milliseconds.
pub fn format(duration: Duration) -> String {
    let mut millis = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    if millis == 0 {
        return "0s".to_owned();
    }
    let parts = UNITS.map(|(unit, size)| {
        let count = millis / size;
        millis %= size;
        if count == 0 { String::new() } else { format!("{count}{unit}") }
    });
    parts.concat()
}

fn split(text: &str, belongs: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !belongs(c)).unwrap_or(text.len()))
}

#[cfg(test)]
#[path = "duration_tests.rs"]
mod tests;
