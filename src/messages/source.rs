//! What a message file's text says of its entries: names, and the gaps of each.

use std::collections::{BTreeMap, BTreeSet};

/// The names of the gaps of each message.
pub(super) type Gaps<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// The messages of a file that parses: their names, and the names of the gaps that each has, of its own or through other
/// messages that it holds.
pub(super) fn entries(source: &str) -> Gaps<'_> {
    let mut gaps = Gaps::new();
    let mut held = Gaps::new();
    let mut current = None;
    for line in source.lines() {
        if line.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '-' | '#')) {
            current =
                line.split_once('=').map(|(name, _)| name.trim_end()).filter(|name| !name.starts_with(['-', '#']));
        }
        let Some(name) = current else { continue };
        gaps.entry(name).or_default().extend(line.split('$').skip(1).map(identifier));
        let placed = line.split('{').skip(1).map(|rest| identifier(rest.trim_start()));
        held.entry(name).or_default().extend(placed.filter(|name| !name.is_empty()));
    }
    while spread(&mut gaps, &held) {}
    gaps
}

/// Gives each message the gaps of those that it holds; whether that changed anything.
fn spread<'a>(gaps: &mut Gaps<'a>, held: &Gaps<'a>) -> bool {
    let mut changed = false;
    for (name, others) in held {
        let theirs: BTreeSet<&str> = others.iter().filter_map(|other| gaps.get(other)).flatten().copied().collect();
        let own = gaps.entry(name).or_default();
        let before = own.len();
        own.extend(theirs);
        changed |= own.len() > before;
    }
    changed
}

fn identifier(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_')).unwrap_or(text.len());
    &text[..end]
}
