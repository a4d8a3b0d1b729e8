//! The `doorward` binary: reads the command line and hands it to the library.

use doorward::cli::{self, args};
use doorward::settings::Environment;
use mimalloc::MiMalloc;
use std::io::{stderr, stdout};
use std::process::ExitCode;

/// glibc keeps what thousands of requests had at the same time, also long after they ended.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let environment = Environment::of_process();
    let code = match args::parse(std::env::args_os(), &environment) {
        Ok(invocation) => cli::run(invocation, &environment, &mut stdout(), &mut stderr()),
        Err(stop) => {
            let code = stop.exit_code();
            let text = stop.to_string();
            // Where nobody reads, nothing can be said.
            let _ = if code == 0 { writeln(&mut stdout(), &text) } else { writeln(&mut stderr(), &text) };
            code
        }
    };
    ExitCode::from(code)
}

fn writeln(out: &mut impl std::io::Write, text: &str) -> std::io::Result<()> {
    writeln!(out, "{text}")
}
