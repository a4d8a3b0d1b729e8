//! The `doorward` binary: lends its process to [`cli::main`].

use doorward::cli::{self, Streams, Terminals};
use doorward::settings::Environment;
use mimalloc::MiMalloc;
use std::io::{IsTerminal, stderr, stdin, stdout};
use std::process::ExitCode;

/// glibc's allocator does not return the memory of thousands of concurrent requests after they have ended.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let terminals =
        Terminals { input: stdin().is_terminal(), out: stdout().is_terminal(), err: stderr().is_terminal() };
    let streams = Streams { input: &mut stdin().lock(), out: &mut stdout(), err: &mut stderr(), terminals };
    let arguments = std::env::args_os().collect();
    ExitCode::from(cli::main(arguments, &Environment::of_process(), streams, cli::pass_to_libraries))
}
