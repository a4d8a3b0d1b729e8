//! Every page and every state is covered.

use super::pages::PAGES;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

single_run![every_template_is_visited, every_sample_is_visited, every_state_has_a_unique_name];

/// Templates that are only parts of pages.
const PARTIALS: [&str; 14] = [
    "admin",
    "admin_parts",
    "base",
    "card",
    "door",
    "foot",
    "forms",
    "login_ways",
    "mark",
    "organization_parts",
    "parts",
    "provider_marks",
    "viewer",
    "wide",
];

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// The text between the next quotation marks, and what follows.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let (quoted, rest) = text.trim_start().strip_prefix('"')?.split_once('"')?;
    Some((quoted, rest))
}

/// The template and state of each call of `see`.
fn visits() -> Vec<(String, String)> {
    let mut visits = Vec::new();
    for file in files("tests/it/gallery") {
        let text = std::fs::read_to_string(&file).unwrap();
        for call in text.split(".see(").skip(1) {
            let Some((page, rest)) = quoted(call) else { continue };
            let Some((state, _)) = quoted(rest.trim_start_matches(',')) else { continue };
            visits.push((page.to_owned(), state.to_owned()));
        }
    }
    assert!(visits.len() > 100, "too few visits were found");
    visits
}

/// The names of the samples in the unit tests of the views, which list every state of a view.
fn samples() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for file in files("src/http/views/tests/samples") {
        let text = std::fs::read_to_string(file).unwrap();
        names.extend(text.split("render(").skip(1).filter_map(|call| Some(quoted(call)?.0.to_owned())));
        // Errors and link outcomes are in lists.
        let items = text.split("(\"").skip(1).filter_map(|item| item.split_once('"'));
        let items = items.filter(|(_, rest)| rest.starts_with(", Problem::") || rest.starts_with(", LinkOutcome::"));
        names.extend(items.map(|(name, _)| name.to_owned()));
    }
    assert!(names.len() > 100, "too few samples were found");
    names
}

async fn every_template_is_visited() {
    let visited: BTreeSet<String> = visits().into_iter().map(|(page, _)| page).collect();
    let templates = files("templates").into_iter().filter(|file| file.extension().is_some_and(|ext| ext == "html"));
    let templates = templates.map(|file| file.file_stem().unwrap().to_str().unwrap().to_owned());
    let pages: BTreeSet<String> = templates.filter(|name| !PARTIALS.contains(&name.as_str())).collect();
    assert_eq!(visited, pages);
    assert_eq!(pages, PAGES.iter().map(|page| page.name.to_owned()).collect());
}

async fn every_sample_is_visited() {
    let visited: BTreeSet<String> = visits().into_iter().map(|(_, state)| state).collect();
    let missing: Vec<_> = samples().difference(&visited).cloned().collect();
    assert!(missing.is_empty(), "states that no test of the gallery visits: {missing:?}");
}

async fn every_state_has_a_unique_name() {
    let mut seen = BTreeSet::new();
    for (_, state) in visits() {
        assert!(seen.insert(state.clone()), "two states are called {state}");
    }
}
