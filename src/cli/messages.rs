//! `doorward messages …`: the words of pages and emails, to change or translate them.

use super::args::{CheckMessages, ExportMessages, MessagesCommand};
use super::failure::Failure;
use super::format::table;
use super::output::Output;
use crate::messages::{Catalog, Locale};
use crate::settings::{Environment, ServiceName, Variable};
use serde::Serialize;
use serde_json::json;
use std::path::PathBuf;

/// How many of the messages that a language lacks are shown.
const MAX_SHOWN: usize = 20;

#[derive(Serialize)]
struct Coverage {
    language: String,
    missing: Vec<&'static str>,
}

/// Runs a `doorward messages` command, which needs neither settings nor a database.
pub fn run(
    name: &ServiceName,
    environment: &Environment,
    command: MessagesCommand,
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    match command {
        MessagesCommand::Export(arguments) => export(&arguments, out),
        MessagesCommand::Check(arguments) => check(name, environment, arguments, out),
    }
}

/// Prints the embedded file of a language; for one that there is not, the English one, to translate it.
fn export(arguments: &ExportMessages, out: &mut Output<'_>) -> Result<(), Failure> {
    let language = arguments.language;
    let text = language.built_in().or(Locale::ENGLISH.built_in()).unwrap_or_default();
    out.embedded(&json!({ "language": language.tag(), "messages": text }), text.trim_end())
}

fn check(
    name: &ServiceName,
    environment: &Environment,
    arguments: CheckMessages,
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    let variable = name.variable("MESSAGES");
    let folder = arguments.folder.or_else(|| match environment.get(&variable) {
        Variable::Text(text) => Some(PathBuf::from(text.trim())),
        Variable::Unset | Variable::NotUnicode => None,
    });
    let catalog = match &folder {
        Some(folder) => Catalog::with_folder(folder).map_err(Failure::Refused)?,
        None => Catalog::built_in(),
    };
    let coverage = |language: &Locale| Coverage { language: language.to_string(), missing: catalog.missing(*language) };
    let coverage: Vec<Coverage> = catalog.languages().iter().map(coverage).collect();
    let rows = coverage.iter().map(|of| [of.language.clone(), of.missing.len().to_string()]);
    let lists: String = coverage.iter().map(missing).collect();
    out.result(&coverage, &format!("{}{lists}", table(["language", "missing"], rows)))
}

/// The messages that a language lacks, one a line.
fn missing(of: &Coverage) -> String {
    if of.missing.is_empty() {
        return String::new();
    }
    let shown: Vec<&str> = of.missing.iter().take(MAX_SHOWN).copied().collect();
    let more = match of.missing.len().saturating_sub(MAX_SHOWN) {
        0 => String::new(),
        more => format!("\n  … and {more} more: --json has all"),
    };
    format!("\n\nMissing in {}, and said in English:\n  {}{more}", of.language, shown.join("\n  "))
}
