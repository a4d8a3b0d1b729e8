//! The examples: each is its framework's starter and a few lines, the quick starts show exactly them, and nothing says that
//! a registry has the libraries.

#[path = "examples/files.rs"]
mod files;

use self::files::{Files, blocks, is_of_commands, pages};
use crate::harness::{clients, product};
use std::collections::HashMap;
use std::process::Command;

single_run![quick_starts_show_the_examples, nothing_installs_from_a_registry];
if_installed![Clients: examples_are_formatted, Clients: examples_add_few_lines_to_their_starters];

/// Lines that an example may have beyond its starter.
const LINES: usize = 9;
/// What brings a package from a registry.
const INSTALLS: [&str; 10] = [
    "npm install",
    "npm i",
    "npm add",
    "yarn add",
    "pnpm add",
    "pip install",
    "pip3 install",
    "uv add",
    "poetry add",
    "go get",
];
/// What the formatters take.
const FORMATTED: [&str; 7] = [".go", ".html", ".js", ".json", ".py", ".ts", ".tsx"];

async fn examples_are_formatted() {
    let clients = clients().expect("the tools");
    let programs = ["bin", "node_modules/.bin", "python/bin"].map(|folder| format!("{clients}/{folder}")).join(":");
    let script = "prettier --check . && black --check --quiet --diff . && gofmt -d . && test -z \"$(gofmt -l .)\"";
    let mut command = Command::new("sh");
    command.args(["-c", script]).current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/examples"));
    let output = command.env("PATH", format!("{programs}:{}", std::env::var("PATH").unwrap())).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// Only formatted files can be counted.
async fn examples_add_few_lines_to_their_starters() {
    for (_, example) in pages() {
        let (own, starter) = (Files::of(example), Files::of(&format!("starters/{example}")));
        let mut lines = Vec::new();
        for (name, text) in own.iter().filter(|(name, _)| FORMATTED.iter().any(|end| name.ends_with(end))) {
            let known = starter.get(name).unwrap_or_default();
            lines.extend(added(known, text).map(|line| format!("{name}: {line}")));
        }
        assert!((1..=LINES).contains(&lines.len()), "{example}: {} lines: {lines:#?}", lines.len());
        for (name, text) in starter.iter() {
            assert!(!text.to_lowercase().contains("doorward"), "{example}: {name} is no starter's");
        }
    }
}

/// The lines of a text that another lacks, but for blank ones and lone brackets.
fn added<'t>(before: &'t str, text: &'t str) -> impl Iterator<Item = &'t str> {
    let mut known: HashMap<&str, usize> = HashMap::new();
    for line in before.lines() {
        *known.entry(line.trim()).or_default() += 1;
    }
    let is_bracket = |c: char| c.is_whitespace() || "()[]{}<>/,;".contains(c);
    text.lines().map(str::trim).filter(move |&line| {
        let count = known.entry(line).or_default();
        let is_known = *count > 0;
        *count = count.saturating_sub(1);
        !is_known && !line.chars().all(is_bracket)
    })
}

/// A file that commands make or that the framework's starter has need not be shown.
async fn quick_starts_show_the_examples() {
    for (page, example) in pages() {
        let (files, starter) = (Files::of(example), Files::of(&format!("starters/{example}")));
        let shown = blocks(page);
        for (name, block) in &shown {
            let text = files.get(name).unwrap_or_else(|| panic!("{example} has no {name}"));
            let start = if block.is_end { starter.get(name).expect("a file to go on with") } else { "" };
            let rest = text.strip_prefix(start).expect("the starter's file");
            assert_eq!(rest.trim_start_matches('\n'), block.text, "{example}: {name}");
        }
        for (name, text) in files.iter().filter(|(name, _)| !is_of_commands(name)) {
            let is_shown = shown.iter().any(|(shown, _)| *shown == name);
            assert!(is_shown || starter.get(name) == Some(text), "{example}: the quick start lacks {name}");
        }
    }
}

/// Until the libraries are published, their names in a registry may be anyone's.
async fn nothing_installs_from_a_registry() {
    let texts = product::texts(&["README.md", "docs", "clients", "examples", "skills"]);
    let mut found = Vec::new();
    for (path, text) in texts.iter().filter(|(path, _)| !path.contains("/node_modules/")) {
        for line in text.lines() {
            let asked = INSTALLS.iter().filter_map(|command| line.split_once(&format!("{command} ")));
            let mut names = asked.flat_map(|(_, rest)| rest.split_whitespace());
            if names.any(|name| name.trim_matches(['`', '"', '\'']).starts_with("doorward")) {
                found.push(format!("{path}: {line}"));
            }
        }
    }
    assert!(found.is_empty(), "these need a registry: {found:#?}");
}
