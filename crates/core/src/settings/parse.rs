//! Parsers that several sections share.

use super::problem::InvalidValue;
use std::fmt::Display;
use std::net::SocketAddr;
use std::str::FromStr;

/// The trimmed items of a comma-separated list. Callers reject empty items.
pub(super) fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim)
}

pub(super) fn list<T, E>(text: &str, parse: impl Fn(&str) -> Result<T, E>) -> Result<Vec<T>, E> {
    items(text).map(parse).collect()
}

/// Whether two of the items are equal.
pub(super) fn has_duplicates<T: PartialEq>(items: &[T]) -> bool {
    items.iter().enumerate().any(|(index, item)| items[..index].contains(item))
}

/// Parses a whole number from 1 to `max`.
pub(super) fn count<N: FromStr + PartialOrd + From<u8> + Display>(
    max: N,
) -> impl FnOnce(&str) -> Result<N, InvalidValue> {
    move |text| {
        let number =
            text.parse().ok().filter(|number| *number >= N::from(1) && *number <= max && !text.starts_with('+'));
        number.ok_or_else(|| format!("a whole number from 1 to {max}").into())
    }
}

pub(super) fn listener(text: &str) -> Result<SocketAddr, InvalidValue> {
    text.parse().map_err(|_| "an IP address and a port, such as 127.0.0.1:8080, 0.0.0.0:8080 or [::]:8080".into())
}

pub(super) fn one_of<T: Copy>(words: &[(&str, T)]) -> impl FnOnce(&str) -> Result<T, InvalidValue> {
    move |text| {
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
        found.ok_or_else(|| words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ").into())
    }
}

/// Whether this is a valid key id.
pub(super) fn is_key_id(id: &str) -> bool {
    (1..=32).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}
