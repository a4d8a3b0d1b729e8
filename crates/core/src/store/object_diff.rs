//! The objects of a database beside those that the schema's steps make.

use super::migrate::STEPS;
use std::collections::BTreeMap;

/// What an object is by: its table and text, or more.
pub(super) type Objects = BTreeMap<String, String>;

/// The texts of the steps that were taken, in their order. Of a later version's steps nothing is known.
pub(super) fn texts_of(
    taken: &[i64],
    pick: impl Fn(&(i64, &str, &'static str, &'static str)) -> &'static str,
) -> Vec<&'static str> {
    STEPS.iter().filter(|step| taken.contains(&step.0)).map(pick).collect()
}

pub(super) fn differences(expected: &Objects, found: &Objects) -> Vec<String> {
    let strange = found.iter().filter_map(|(name, object)| match expected.get(name) {
        None => Some(name.clone()),
        Some(own) if own != object => Some(format!("{name} (changed)")),
        Some(_) => None,
    });
    let missing = expected.keys().filter(|name| !found.contains_key(*name)).map(|name| format!("{name} (missing)"));
    strange.chain(missing).collect()
}
