//! The names to say where none is right.

use strsim::jaro_winkler;

/// The three known names that resemble one most, the best first.
pub(super) fn closest<'a>(wanted: &str, known: impl Iterator<Item = &'a str>) -> String {
    let mut rated: Vec<_> = known.map(|name| (resemblance(wanted, name), name)).collect();
    rated.sort_by(|one, other| other.0.total_cmp(&one.0));
    rated.into_iter().take(3).map(|(_, name)| name).collect::<Vec<_>>().join(", ")
}

/// With the name, or with its last part, whichever is more like it.
fn resemblance(wanted: &str, name: &str) -> f64 {
    let last = name.rsplit('/').next().unwrap_or(name);
    jaro_winkler(wanted, name).max(jaro_winkler(wanted, last))
}
