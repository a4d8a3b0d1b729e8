//! The text of what was shown, a section for each thing that was asked for, and the differences between two.

use super::shown::Readings;
use std::collections::{BTreeMap, BTreeSet};

pub fn written(shown: &Readings) -> String {
    let sections: Vec<String> = shown.iter().map(|(what, text)| format!("== {what}\n{text}\n")).collect();
    sections.concat()
}

/// The lines that only one has, by section.
pub fn differences(expected: &str, shown: &str) -> String {
    let (expected, shown) = (sections(expected), sections(shown));
    let names: BTreeSet<&str> = expected.keys().chain(shown.keys()).copied().collect();
    let mut lines = Vec::new();
    for name in names.into_iter().filter(|name| expected.get(name) != shown.get(name)) {
        lines.push(format!("== {name}\n"));
        let [before, after] = [&expected, &shown].map(|all| all.get(name).copied().unwrap_or("(nothing)"));
        lines.extend(without(before, after, '-'));
        lines.extend(without(after, before, '+'));
    }
    lines.concat()
}

fn without(lines: &str, others: &str, sign: char) -> Vec<String> {
    let others: BTreeSet<&str> = others.lines().collect();
    lines.lines().filter(|line| !others.contains(line)).map(|line| format!("{sign} {line}\n")).collect()
}

fn sections(text: &str) -> BTreeMap<&str, &str> {
    let sections = text.strip_prefix("== ").unwrap_or_default().split("\n== ");
    sections.filter_map(|section| section.split_once('\n')).collect()
}
