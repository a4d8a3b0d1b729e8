//! `llms.txt` (<https://llmstxt.org>): the index of the documentation, for language models. `DOORWARD_BLESS=1` writes it.

use super::pages::{Page, root};
use super::{INDEX, is_decision};

const INTRODUCTION: &str = "\
# Doorward

> Self-hosted authentication service in one binary, on SQLite or PostgreSQL: pages for signup, login and accounts, sessions
> in cookies, organizations, an API, a gate for proxies, and signed webhooks. An application asks it who is there.

The binary has the pages of Start, Guides and Reference of its own version: `doorward docs` lists them, `doorward docs
PAGE` prints one, `doorward explain DW-NNN` what a code of the log means.

- [Skill for coding agents](skills/doorward/SKILL.md): how to run, ask and test Doorward, with commands that need no terminal
- [README](README.md): what it is, and a tour
- [Documentation](docs/README.md): the same index, by who reads a page
";

pub fn check(pages: &[Page]) {
    let (file, expected) = (root().join("llms.txt"), document(pages));
    if std::env::var_os("DOORWARD_BLESS").is_some() {
        std::fs::write(&file, &expected).unwrap();
    }
    let written = std::fs::read_to_string(file).unwrap_or_default();
    assert_eq!(written, expected, "DOORWARD_BLESS=1 writes llms.txt again");
    let documentation = pages.iter().filter(|page| page.is_documentation());
    let missing: Vec<&str> =
        documentation.map(|page| page.path.as_str()).filter(|path| !written.contains(&format!("]({path})"))).collect();
    assert!(missing.is_empty(), "llms.txt links none of {missing:?}");
}

/// The tables of the index as lists, and the decisions under the heading whose pages may be left out.
fn document(pages: &[Page]) -> String {
    let index = pages.iter().find(|page| page.path == INDEX).expect("the index");
    let parts = index.text.split("\n## ").skip(1).filter_map(|part| part.split_once('\n'));
    let parts = parts.map(|(heading, text)| (heading, text.lines().filter_map(entry).collect()));
    let decisions = pages.iter().filter(|page| is_decision(page)).map(|page| {
        let title = page.text.lines().find_map(|line| line.strip_prefix("# ")).expect("a title");
        format!("- [{title}]({})\n", page.path)
    });
    let parts: Vec<(&str, String)> = parts.chain([("Optional", decisions.collect())]).collect();
    let parts = parts.iter().map(|(heading, entries)| format!("\n## {heading}\n\n{entries}"));
    INTRODUCTION.to_owned() + &parts.collect::<String>()
}

/// A row `| [Title](link) | what it says |` as an entry.
fn entry(row: &str) -> Option<String> {
    let (link, text) = row.strip_prefix("| ")?.strip_suffix(" |")?.split_once(") | ")?;
    let from_root = |text: &str| text.replace("](", "](docs/").replace("](docs/../", "](");
    Some(format!("- {}): {}\n", from_root(link), from_root(text)))
}
