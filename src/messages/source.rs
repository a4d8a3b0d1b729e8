//! The message ids of a message file, and the variables of each message.

use std::collections::{BTreeMap, BTreeSet};

/// The variables of each message.
pub(super) type Variables<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// The messages of a file that parses: their ids, and the variables of each, directly or through the messages that it
/// references.
pub(super) fn entries(source: &str) -> Variables<'_> {
    let mut variables = Variables::new();
    let mut references = Variables::new();
    let mut current = None;
    for line in source.lines() {
        if line.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '-' | '#')) {
            current = line.split_once('=').map(|(id, _)| id.trim_end()).filter(|id| !id.starts_with(['-', '#']));
        }
        let Some(id) = current else { continue };
        variables.entry(id).or_default().extend(line.split('$').skip(1).map(identifier));
        let found = line.split('{').skip(1).map(|rest| identifier(rest.trim_start()));
        references.entry(id).or_default().extend(found.filter(|id| !id.is_empty()));
    }
    while propagate(&mut variables, &references) {}
    variables
}

/// Adds to each message the variables of those that it references; returns whether that changed anything.
fn propagate<'a>(variables: &mut Variables<'a>, references: &Variables<'a>) -> bool {
    let mut changed = false;
    for (id, others) in references {
        let inherited: BTreeSet<&str> =
            others.iter().filter_map(|other| variables.get(other)).flatten().copied().collect();
        let own = variables.entry(id).or_default();
        let before = own.len();
        own.extend(inherited);
        changed |= own.len() > before;
    }
    changed
}

fn identifier(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_')).unwrap_or(text.len());
    &text[..end]
}
