//! The program, without its process.

use super::args;
use super::failure::INVALID_USAGE;
use super::output::{Output, Streams};
use super::run::run;
use crate::settings::{Environment, ServiceName};
use std::ffi::OsString;
use std::io;

const INVALID_ARGUMENTS: &str = "invalid_arguments";

/// Runs a command line, which begins with the program's name, and returns the exit code: 0, 1 if the command failed, 2 if
/// the arguments or settings are invalid.
///
/// `pass_to_libraries` may end the process ([`super::pass_to_libraries`]).
pub fn main(
    arguments: Vec<OsString>,
    environment: &Environment,
    streams: Streams<'_>,
    pass_to_libraries: impl FnOnce(&Environment, &ServiceName) -> io::Result<()>,
) -> u8 {
    let asks_for_json = arguments.iter().any(|argument| argument == "--json");
    let parsed = args::parse(arguments, environment);
    let json = parsed.as_ref().map_or(asks_for_json, |invocation| invocation.json);
    let mut out = Output::new(streams, json);
    let invocation = match parsed {
        Ok(invocation) => invocation,
        Err(exit) if exit.exit_code() == 0 => {
            // If the output is closed, there is no place to report the error.
            let _ = out.print(&exit.to_string());
            return 0;
        }
        Err(exit) => {
            out.error(INVALID_ARGUMENTS, &exit.to_string());
            return exit.exit_code();
        }
    };
    if let Err(error) = pass_to_libraries(&invocation.environment, &invocation.name) {
        let file = invocation.environment.local_file().map(|path| path.display().to_string());
        let named = file.as_deref().unwrap_or("--env-file");
        out.error(INVALID_ARGUMENTS, &format!("{named}: the program cannot be started again: {error}"));
        return INVALID_USAGE;
    }
    invocation.warnings.iter().for_each(|line| out.warn(line));
    run(invocation, out)
}
