#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::args::{Args, What};
use crate::report::Report;
use clap::Parser;
use std::collections::BTreeSet;
use std::path::Path;

static RATIO: Aim = Aim::ratio("ratio", [0.8, 0.4]);
static TIMES: Aim = Aim::times("times", [3.0, 3.0]);
static MEGABYTES: Aim = Aim::megabytes("megabytes", [18.0, 16.0]);
static MILLIS: Aim = Aim::millis("milliseconds", [100.0, 200.0]);

#[test]
fn figure_beyond_its_bound_is_broken() {
    for (check, passes) in [
        (RATIO.check(Engine::Sqlite, 0.61), true),
        (RATIO.check(Engine::Sqlite, 0.59), false),
        (RATIO.check(Engine::Postgres, 0.31), true),
        (TIMES.check(Engine::Sqlite, 5.9), true),
        (TIMES.check(Engine::Sqlite, 6.1), false),
        (MEGABYTES.check(Engine::Sqlite, 21.5), true),
        (MEGABYTES.check(Engine::Sqlite, 21.7), false),
        (MILLIS.check(Engine::Postgres, 599.0), true),
        (MILLIS.check(Engine::Postgres, 601.0), false),
    ] {
        assert_eq!(check.passes(), passes, "{}", check.line());
    }
}

#[test]
fn line_names_row_engine_and_bound() {
    let check = MILLIS.check_one(Engine::Postgres, "8 workers".to_owned(), 250.0);
    assert_eq!(check.line(), "ok     milliseconds, PostgreSQL, 8 workers: 250.00 (aim 200.00, at most 600.00)");
}

type Rows = BTreeSet<(String, String, &'static str)>;

/// The rows of the page's table of aims, each for both engines.
fn rows_of_page(text: &str) -> Rows {
    let table = text.lines().skip_while(|line| !line.starts_with("| Work |")).take_while(|line| line.starts_with('|'));
    let rows = table.skip(2).flat_map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [row, _, _, aim] = <[&str; 4]>::try_from(cells).unwrap();
        Engine::ALL.map(|engine| (row.to_owned(), aim.to_owned(), engine.name()))
    });
    rows.collect()
}

/// The page, in whichever folder below `docs` it is.
fn page(folder: &Path) -> Option<String> {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).find_map(|path| {
        if path.is_dir() {
            return page(&path);
        }
        path.ends_with("performance.md").then(|| std::fs::read_to_string(&path).unwrap())
    })
}

#[test]
fn check_guards_the_aims_of_the_page_and_no_others() {
    let page = page(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")).unwrap();
    let of_page = rows_of_page(&page);
    let checks = Report::sample().checks();
    let checked: Rows =
        checks.iter().map(|check| (check.aim.row.to_owned(), check.aim.cell(), check.engine.name())).collect();
    assert!(!checked.is_empty());
    let unguarded: Vec<_> = of_page.difference(&checked).collect();
    let unprinted: Vec<_> = checked.difference(&of_page).collect();
    assert!(
        unguarded.is_empty() && unprinted.is_empty(),
        "on the page without a check: {unguarded:#?}\nchecked, and not on the page: {unprinted:#?}"
    );
}

#[test]
fn check_measures_every_part_but_compare() {
    for what in ["check", "all"] {
        let args = Args::parse_from(["doorward-bench", what]);
        let parts = [What::User, What::Refresh, What::Start, What::Memory, What::Login, What::Webhooks, What::Api];
        assert!(parts.iter().all(|part| args.measures(*part)), "{what}");
        assert!(!args.measures(What::Compare), "{what}");
    }
}
