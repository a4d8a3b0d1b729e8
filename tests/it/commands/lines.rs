//! The lines of the files, and how each is run.

use crate::harness::{run_process, run_program_with_input, text_of_command};
use crate::migrate::commands;
use crate::snapshots::files;
use doorward::cli::args::described;
use doorward::settings::ServiceName;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The file without a run on SQLite.
const POSTGRES_ONLY: &str = "backup_postgres";

/// How a line runs: as text or as JSON in the process of the test, or as text in a process of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Text,
    Json,
    Process,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/commands")
}

/// The text of a file.
pub fn lines_of(file: &str) -> String {
    std::fs::read_to_string(folder().join(format!("{file}.txt"))).unwrap()
}

/// The names of all commands.
pub fn all_commands() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    commands(&described(&ServiceName::parse("svc").unwrap()), "", &mut all);
    all
}

/// The place of the first line of each command, in the files that run on SQLite: file and number.
pub fn first_lines() -> BTreeMap<String, (String, usize)> {
    let texts = files(&folder()).into_iter().filter(|file| file.extension().is_some_and(|end| end == "txt"));
    let names: BTreeSet<String> = texts.map(|file| file.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    let (all, mut places) = (all_commands(), BTreeMap::new());
    for name in names.into_iter().filter(|name| name != POSTGRES_ONLY) {
        for (number, line) in lines_of(&name).lines().enumerate() {
            let found = all.iter().filter(|command| format!(" {line} ").contains(&format!(" {command} ")));
            if let Some(command) = found.max_by_key(|command| command.len()) {
                places.entry(command.clone()).or_insert_with(|| (name.clone(), number));
            }
        }
    }
    places
}

/// Runs a line with these variables and its own, and returns what it printed.
pub async fn run(variables: &BTreeMap<String, String>, line: &str, way: Way) -> String {
    let (line, input) = line.split_once(" < ").unwrap_or((line, ""));
    let typed = if input.is_empty() { String::new() } else { format!(" < {input}") };
    let is_variable = |word: &&str| word.split_once('=').is_some_and(|(name, _)| name.chars().all(is_of_variable));
    let words: Vec<&str> = line.split(' ').collect();
    let (given, arguments) = words.split_at(words.iter().take_while(|word| is_variable(word)).count());
    let pairs = given.iter().map(|pair| pair.split_once('=').unwrap());
    let mut variables = variables.clone();
    variables.extend(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())));
    let arguments = [arguments, if way == Way::Json { &["--json"] } else { &[] }].concat();
    let output = match way {
        Way::Process => run_process(&arguments, &variables, input).await,
        Way::Text | Way::Json => run_program_with_input(&arguments, &variables, input).await,
    };
    text_of_command(&([given, &["doorward"], &arguments].concat().join(" ") + &typed), &output)
}

fn is_of_variable(letter: char) -> bool {
    letter.is_ascii_uppercase() || letter == '_'
}
