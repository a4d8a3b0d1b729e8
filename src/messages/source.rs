//! What a message file's text says of its entries: names, and the gaps of each.

use std::collections::{BTreeMap, BTreeSet};

/// The messages of a file that parses: their names, and the names of the gaps that each has.
pub(super) fn entries(source: &str) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut entries = BTreeMap::new();
    let mut current = None;
    for line in source.lines() {
        if line.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '-' | '#')) {
            current = line.split_once('=').map(|(name, _)| name.trim_end()).filter(|name| !name.starts_with(['-', '#']));
        }
        let Some(name) = current else { continue };
        let gaps: &mut BTreeSet<&str> = entries.entry(name).or_default();
        gaps.extend(line.split('$').skip(1).map(identifier));
    }
    entries
}

fn identifier(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_')).unwrap_or(text.len());
    &text[..end]
}
