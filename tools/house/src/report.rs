//! All facts about a repository, formatted for a terminal.

use crate::circles::circles;
use crate::citations::{Citation, citations};
use crate::homonyms::{Homonym, homonyms, public_homonyms};
use crate::imports::imports;
use crate::krate::Crate;
use crate::lengths::{Length, file_lengths, function_lengths, median};
use crate::location::Location;
use crate::order::{Order, order};
use crate::repository::Repository;
use crate::sleeps::fixed_sleeps;
use crate::tuples::tuple_parameters;
use crate::word_count::{WordUse, private_words};
use std::path::Path;
use std::{fmt, io};

/// How many places of each fact `{}` shows.
const SHOWN: usize = 10;

/// All facts about a repository. `{}` shows ten places of each fact, `{:#}` shows all.
pub struct Report {
    /// The imports against the order of the top modules.
    pub order: Order,
    /// The groups of files that import each other.
    pub circles: Vec<Vec<String>>,
    /// The public types that share a name.
    pub public_homonyms: Vec<Homonym>,
    /// All types that share a name.
    pub homonyms: Vec<Homonym>,
    /// The functions outside test code, longest first.
    pub functions: Vec<Length>,
    /// The files of `src` without those of test code only, longest first.
    pub files: Vec<Length>,
    /// The number of files of test code only in `src`.
    pub test_files: usize,
    /// The citations of absent documents.
    pub citations: Vec<Citation>,
    /// The private words in use.
    pub words: Vec<WordUse>,
    /// The tests that sleep for a fixed time.
    pub sleeps: Vec<Location>,
    /// The parameters that are tuples.
    pub tuples: Vec<Location>,
}

/// Collects all facts about the repository at `root`, with the order of its top modules, lowest first.
pub fn report(root: &Path, levels: &[impl AsRef<str>]) -> io::Result<Report> {
    let repository = Repository::read(root)?;
    let krate = Crate::parse(&repository)?;
    let imports = imports(&krate);
    Ok(Report {
        order: order(&krate, &imports, levels),
        circles: circles(&imports),
        public_homonyms: public_homonyms(&krate),
        homonyms: homonyms(&krate),
        functions: function_lengths(&krate),
        files: file_lengths(&krate),
        test_files: krate.sources.iter().filter(|source| source.is_test).count(),
        citations: citations(&repository),
        words: private_words(&repository),
        sleeps: fixed_sleeps(&repository, &krate)?,
        tuples: tuple_parameters(&krate),
    })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.show_structure(f)?;
        self.show_names(f)?;
        self.show_lengths(f)?;
        let sleeps = self.sleeps.iter().map(Location::to_string);
        section(f, &format!("{} fixed sleeps in tests", self.sleeps.len()), sleeps)?;
        let tuples = self.tuples.iter().map(Location::to_string);
        section(f, &format!("{} parameters that are tuples", self.tuples.len()), tuples)
    }
}

impl Report {
    fn show_structure(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Order { upward, unlisted, absent } = &self.order;
        let title = format!("{} upward imports between {} pairs of files", upward.len(), self.order.pairs());
        section(
            f,
            &title,
            upward.iter().map(|import| format!("{} <- {} {}", import.at, import.target, import.symbol)),
        )?;
        section(f, &format!("{} modules missing from the order", unlisted.len()), unlisted.iter().cloned())?;
        section(f, &format!("{} names in the order without a module", absent.len()), absent.iter().cloned())?;
        let circles = self.circles.iter().map(|circle| format!("{}: {}", circle.len(), circle.join(" ")));
        section(f, &format!("{} circles of files", self.circles.len()), circles)
    }

    fn show_names(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        section(f, &counted("public homonyms", &self.public_homonyms), self.public_homonyms.iter().map(definitions))?;
        section(f, &counted("homonyms with the private ones", &self.homonyms), self.homonyms.iter().map(definitions))?;
        let citations = self.citations.iter().map(|citation| format!("{} {}", citation.at, citation.cited));
        section(f, &format!("{} citations of absent documents", self.citations.len()), citations)?;
        let uses: usize = self.words.iter().map(|found| found.places.len()).sum();
        section(f, &format!("{} private words, {uses} uses", self.words.len()), word_lines(&self.words, f.alternate()))
    }

    fn show_lengths(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |length: &Length| format!("{} lines: {} at {}", length.lines, length.name, length.at);
        section(f, &format!("{} functions", self.functions.len()), self.functions.iter().take(SHOWN).map(line))?;
        let (files, median, tests) = (self.files.len(), median(&self.files), self.test_files);
        let title = format!("{files} files in src, median {median} lines; beside these {tests} files of tests");
        section(f, &title, self.files.iter().take(SHOWN).map(|file| format!("{} lines: {}", file.lines, file.name)))
    }
}

/// Writes a title and the places below it.
fn section(f: &mut fmt::Formatter<'_>, title: &str, places: impl Iterator<Item = String>) -> fmt::Result {
    writeln!(f, "{title}")?;
    let shown = if f.alternate() { usize::MAX } else { SHOWN };
    let mut hidden = 0;
    for (index, place) in places.enumerate() {
        if index < shown {
            writeln!(f, "    {place}")?;
        } else {
            hidden += 1;
        }
    }
    if hidden > 0 { writeln!(f, "    and {hidden} more") } else { Ok(()) }
}

fn counted(what: &str, homonyms: &[Homonym]) -> String {
    let definitions: usize = homonyms.iter().map(|homonym| homonym.definitions.len()).sum();
    format!("{} {what}, {definitions} definitions", homonyms.len())
}

fn definitions(homonym: &Homonym) -> String {
    let places: Vec<String> = homonym.definitions.iter().map(|definition| definition.at.to_string()).collect();
    format!("{} x{}: {}", homonym.name, places.len(), places.join(" "))
}

/// A line for each word, most used first, with its first place or all of them.
fn word_lines(words: &[WordUse], all: bool) -> impl Iterator<Item = String> {
    let mut words: Vec<&WordUse> = words.iter().collect();
    words.sort_by_key(|found| std::cmp::Reverse(found.places.len()));
    words.into_iter().map(move |found| {
        let shown = found.places.iter().take(if all { usize::MAX } else { 1 });
        let places: Vec<String> = shown.map(Location::to_string).collect();
        format!("{} x{}, say {}: {}", found.word.word, found.places.len(), found.word.say, places.join(" "))
    })
}

#[cfg(test)]
#[path = "report_tests.rs"]
mod tests;
