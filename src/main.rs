//! The `doorward` binary: parses the command line and runs the command.

use doorward::cli::{self, args};
use doorward::settings::Environment;
use mimalloc::MiMalloc;
use std::io::{stderr, stdout};
use std::process::ExitCode;

/// glibc's allocator does not return the memory of thousands of concurrent requests after they have ended.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let environment = Environment::of_process();
    let code = match args::parse(std::env::args_os(), &environment) {
        Ok(invocation) => match cli::pass_to_libraries(&invocation.environment, &invocation.name) {
            Ok(()) => cli::run(invocation, &mut stdout(), &mut stderr()),
            Err(error) => report(2, &format!("--env-file: the program cannot be started again: {error}")),
        },
        Err(exit) => report(exit.exit_code(), &exit.to_string()),
    };
    ExitCode::from(code)
}

/// Prints a text that stands in the place of a command's result: help, or an error.
fn report(code: u8, text: &str) -> u8 {
    let json = std::env::args_os().any(|argument| argument == "--json");
    // If the output is closed, there is no place to report the error.
    let _ = if code == 0 {
        cli::print(&mut stdout(), text)
    } else {
        cli::print_error(&mut stderr(), json, "invalid_arguments", text)
    };
    code
}
