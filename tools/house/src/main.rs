//! Prints the facts about a repository: `house [ROOT] [--order a,b,c] [--all]`.
//!
//! ROOT is the current folder by default. The order of the top modules is read from `tests/it/architecture.rs`;
//! `--order` is for a checkout without that file. Shows ten places of each fact; `--all` shows every place.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Debug, Default, PartialEq, Eq)]
struct Arguments {
    root: PathBuf,
    order: Option<Vec<String>>,
    all: bool,
}

fn main() -> ExitCode {
    let outcome = parse(std::env::args().skip(1)).and_then(|arguments| run(&arguments));
    // Findings are not a failure; only an error while collecting them is printed.
    if let Err(error) = outcome
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        let _ = writeln!(io::stderr(), "house: {error}");
    }
    ExitCode::SUCCESS
}

fn parse(arguments: impl Iterator<Item = String>) -> io::Result<Arguments> {
    let mut parsed = Arguments { root: PathBuf::from("."), ..Arguments::default() };
    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--all" => parsed.all = true,
            "--order" => {
                let order = arguments.next().ok_or_else(|| invalid("--order needs a list"))?;
                parsed.order = Some(order.split(',').map(str::to_owned).collect());
            }
            option if option.starts_with('-') => return Err(invalid("usage: house [ROOT] [--order a,b,c] [--all]")),
            root => parsed.root = PathBuf::from(root),
        }
    }
    Ok(parsed)
}

fn invalid(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}

fn run(arguments: &Arguments) -> io::Result<()> {
    let order = house::read_order(&arguments.root)?.or_else(|| arguments.order.clone()).unwrap_or_default();
    let report = house::report(&arguments.root, &order)?;
    let mut out = io::stdout().lock();
    if arguments.all { write!(out, "{report:#}") } else { write!(out, "{report}") }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

    use super::*;

    #[test]
    fn arguments_are_accepted_in_any_order() {
        let parsed = parse(["--order", "a,b", "there", "--all"].map(str::to_owned).into_iter()).unwrap();
        let order = Some(vec!["a".to_owned(), "b".to_owned()]);
        assert_eq!(parsed, Arguments { root: "there".into(), order, all: true });
        assert!(parse(["--what".to_owned()].into_iter()).is_err());
    }
}
