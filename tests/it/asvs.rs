//! Keeps `docs/concepts/asvs.md` up to date: every requirement has a row, and the tests and files cited in the rows
//! exist.

use crate::harness::product;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

single_run![every_requirement_has_a_row, every_row_says_how_it_is_met_or_why_not, cited_tests_exist, cited_files_exist];

/// The number of requirements in each section of OWASP ASVS 5.0.0, by chapter.
const SECTIONS: [(u32, &[u32]); 9] = [
    (3, &[1, 3, 5, 8, 8, 1, 5]),
    (6, &[3, 12, 8, 6, 8, 4, 2, 4]),
    (7, &[3, 4, 2, 5, 3, 2]),
    (8, &[4, 4, 3, 2]),
    (9, &[3, 4]),
    (11, &[4, 5, 5, 4, 2, 2, 2]),
    (13, &[4, 6, 4, 7]),
    (14, &[2, 8, 3]),
    (16, &[1, 5, 4, 3, 4]),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn document() -> String {
    std::fs::read_to_string(root().join("docs/concepts/asvs.md")).unwrap()
}

/// The cells of every requirement's row: its id or section first, how it is met and its tests last.
fn rows(document: &str) -> Vec<Vec<&str>> {
    let rows = document.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix('|'));
    let rows = rows.map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
    rows.filter(|cells| cells[0].starts_with(|c: char| c.is_ascii_digit())).collect()
}

/// The text between backticks.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

async fn every_requirement_has_a_row() {
    let document = document();
    let rows = rows(&document);
    let mut ids: Vec<&str> = rows.iter().filter(|cells| cells.len() == 5).map(|cells| cells[0]).collect();
    let mut expected = Vec::new();
    for (chapter, sections) in SECTIONS {
        for (section, count) in sections.iter().enumerate() {
            expected.extend((1..=*count).map(|number| format!("{chapter}.{}.{number}", section + 1)));
        }
    }
    ids.retain(|id| id.matches('.').count() == 2);
    assert_eq!(ids, expected);
}

async fn every_row_says_how_it_is_met_or_why_not() {
    let document = document();
    for cells in rows(&document) {
        let [.., how, shown] = cells[..] else { panic!("{cells:?}") };
        let is_open = how.starts_with("**Not met") || how.starts_with("Does not apply");
        assert!(!how.is_empty(), "{cells:?}");
        assert!(is_open || shown == "Reading" || code(shown).next().is_some(), "no test shows {cells:?}");
        if cells.len() == 5 {
            assert!(["1", "2", "3"].contains(&cells[1]), "{cells:?}");
        }
    }
}

async fn cited_tests_exist() {
    let document = document();
    let mut missing = Vec::new();
    for cells in rows(&document) {
        let named = code(cells[cells.len() - 1]).filter(|name| !exists(name));
        missing.extend(named.map(|name| format!("{}: {name}", cells[0])));
    }
    assert!(missing.is_empty(), "there are no such tests: {missing:#?}");
}

/// Whether there is a unit test or an integration test of this name.
fn exists(name: &str) -> bool {
    let path: Vec<&str> = name.split("::").collect();
    let [module @ .., test] = &path[..] else { return false };
    match module {
        [unit @ .., "tests"] => {
            let place = unit.join("/");
            let folders = product::folders().into_iter();
            let mut files = folders.flat_map(|src| ["_tests.rs", "/tests.rs"].map(|end| format!("{src}/{place}{end}")));
            files.any(|file| is_test(&text(&file), test))
        }
        _ => is_integration_test(&text(&format!("tests/it/{}.rs", module.join("/"))), test),
    }
}

/// Whether a function of this name is marked as a test.
fn is_test(source: &str, name: &str) -> bool {
    let Some((before, _)) = source.split_once(&format!("fn {name}(")) else { return false };
    let before = before.trim_end().trim_end_matches("async").trim_end();
    let mut marks = before.lines().rev().map(str::trim).take_while(|line| line.starts_with("#["));
    marks.any(|mark| mark == "#[test]" || mark == "#[tokio::test]")
}

fn is_integration_test(text: &str, name: &str) -> bool {
    let lists = ["both_engines![", "one_engine![", "single_run![", "browser![", "once_on_postgres!["];
    let lists = lists.iter().flat_map(|list| text.split(list).skip(1)).filter_map(|rest| rest.split(']').next());
    lists.flat_map(|list| list.split(',')).any(|test| test.trim() == name)
}

fn text(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap_or_default()
}

async fn cited_files_exist() {
    let document = document();
    let folders = ["src/", "crates/", "docs/", "tests/", "scripts/"];
    let files = code(&document).filter(|text| folders.iter().any(|folder| text.starts_with(folder)));
    let files: BTreeMap<&str, PathBuf> = files.map(|file| (file, root().join(file))).collect();
    assert!(files.len() > 5, "{files:?}");
    let missing: Vec<_> = files.iter().filter(|(_, path)| !path.exists()).map(|(file, _)| file).collect();
    assert!(missing.is_empty(), "there are no such files: {missing:?}");
}
