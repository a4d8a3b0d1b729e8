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
        Ok(invocation) => cli::run(invocation, &environment, &mut stdout(), &mut stderr()),
        Err(exit) => {
            let code = exit.exit_code();
            let text = exit.to_string();
            let json = std::env::args_os().any(|argument| argument == "--json");
            // If the output is closed, there is no place to report the error.
            let _ = if code == 0 {
                cli::print(&mut stdout(), &text)
            } else {
                cli::print_error(&mut stderr(), json, "invalid_arguments", &text)
            };
            code
        }
    };
    ExitCode::from(code)
}
