//! The text of what was shown, a section for each thing that was asked for.

use super::shown::Readings;
use std::collections::{BTreeMap, BTreeSet};

pub fn written(shown: &Readings) -> String {
    let sections: Vec<String> = shown.iter().map(|(what, text)| format!("== {what}\n{text}\n")).collect();
    sections.concat()
}

/// What a text has otherwise than another: of each section the lines that differ, with their numbers, or the whole one
/// where it has more lines or fewer.
pub fn otherwise(text: &str, other: &str) -> String {
    let (text, other) = (sections(text), sections(other));
    let names: BTreeSet<&str> = text.keys().chain(other.keys()).copied().collect();
    let mut differing = String::new();
    for name in names.into_iter().filter(|name| text.get(name) != other.get(name)) {
        let [own, others] = [&text, &other].map(|all| all.get(name).copied().unwrap_or("(nothing)"));
        let pairs = own.lines().zip(others.lines()).enumerate().filter(|(_, (one, other))| one != other);
        let lines: Vec<String> = pairs.map(|(index, (line, _))| format!("{} {line}", index + 1)).collect();
        let has_as_many = own.lines().count() == others.lines().count();
        let section = if has_as_many { lines.join("\n") } else { own.to_owned() };
        differing.extend([format!("== {name}\n"), section, "\n\n".to_owned()]);
    }
    differing
}

fn sections(text: &str) -> BTreeMap<&str, &str> {
    let sections = text.strip_prefix("== ").unwrap_or_default().split("\n== ");
    sections.filter_map(|section| section.trim_end().split_once('\n')).collect()
}
