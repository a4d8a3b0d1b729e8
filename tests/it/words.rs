//! One word for one idea (docs/reference/glossary.md), in documents, in the help of commands, and in what people read.

use crate::docs::pages::{pages, root};
use std::path::{Path, PathBuf};

single_run![documents_use_one_vocabulary, help_uses_one_vocabulary, messages_use_one_vocabulary];

/// Words that have a plainer one, or another name for what has one already.
const AVOIDED: [(&str, &str); 17] = [
    ("whoever", "anyone who, the person who"),
    ("somebody", "someone"),
    ("anew", "again"),
    ("at hand", "leave it out"),
    ("e-mail", "email"),
    ("a mail", "an email"),
    ("tells of", "reports"),
    ("for good", "permanently"),
    ("gives way", "say what happens"),
    ("the present one", "the current one"),
    ("your present", "your current"),
    ("user name", "username"),
    ("log-in", "login"),
    ("sign-up", "signup"),
    ("sign-in", "login"),
    ("colour", "color"),
    ("colours", "colors"),
];
/// What `a mail` may go on with.
const OF_MAIL: [&str; 6] = ["server", "program", "scanner", "client", "host", "sink"];

/// The avoided words in a line of prose.
fn avoided(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let line = line.to_lowercase();
    for (word, instead) in AVOIDED {
        for (start, _) in line.match_indices(word) {
            let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '-');
            let (before, after) = (&line[..start], &line[start + word.len()..]);
            let follows = after.split_whitespace().next().unwrap_or_default();
            let is_other = word == "a mail" && OF_MAIL.iter().any(|one| follows.starts_with(one));
            if !is_part(before.chars().next_back()) && !is_part(after.chars().next()) && !is_other {
                found.push(format!("“{word}” (instead: {instead})"));
            }
        }
    }
    found
}

/// A document's text without blocks and spans of code, targets of links, and comments; line by line.
fn prose(text: &str) -> Vec<String> {
    let mut in_code = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        let words: String = line.split('`').step_by(2).collect::<Vec<_>>().join("…");
        let words: Vec<&str> = words.split_whitespace().filter(|word| !word.contains("](")).collect();
        lines.push(if in_code { String::new() } else { words.join(" ") });
    }
    lines
}

fn report(found: &[String]) {
    assert!(found.is_empty(), "{} words to replace:\n{}", found.len(), found.join("\n"));
}

async fn documents_use_one_vocabulary() {
    let mut found = Vec::new();
    for page in pages() {
        for (number, line) in prose(&page.text).iter().enumerate() {
            found.extend(avoided(line).into_iter().map(|word| format!("{}:{}: {word}", page.path, number + 1)));
        }
    }
    report(&found);
}

/// The comments of arguments are their help.
async fn help_uses_one_vocabulary() {
    let folders = ["src/cli", "src/cli/mail", "src/cli/webhooks"];
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(root().join(folder)).unwrap());
    let files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).filter(|path| is_args(path)).collect();
    assert!(files.len() >= 4, "too few files of arguments were found: {files:?}");
    let mut found = Vec::new();
    for path in files {
        for line in std::fs::read_to_string(&path).unwrap().lines() {
            found.extend(avoided(line).into_iter().map(|word| format!("{}: {word}: {}", path.display(), line.trim())));
        }
    }
    report(&found);
}

fn is_args(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.ends_with("args.rs"))
}

async fn messages_use_one_vocabulary() {
    let mut found = Vec::new();
    for line in sentences() {
        found.extend(avoided(&line).into_iter().map(|word| format!("en.ftl: {word}: {line}")));
    }
    report(&found);
}

/// The lines of the English messages without comments and names.
fn sentences() -> Vec<String> {
    let text = std::fs::read_to_string(root().join("crates/core/messages/en.ftl")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let sentences: Vec<String> =
        lines.map(|line| line.split_once(" = ").map_or(line, |(_, said)| said).into()).collect();
    assert!(sentences.len() > 500, "too few messages were found");
    sentences
}
