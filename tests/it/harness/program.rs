//! Commands that run to their end: in the process of the test, as the program runs them, or as a process.

use super::process::{command, released_program};
use doorward::cli::{self, Streams, Terminals};
use doorward::settings::Environment;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitStatus, Output, Stdio};

type Variables = BTreeMap<String, String>;

/// Commands that run until they are stopped. They take the signals of their process, and `serve` its log and its limit of
/// open files, too: even to be refused, they have a process of their own.
pub const UNTIL_STOPPED: [&str; 4] = ["serve", "webhooks listen", "dev echo", "dev provider"];
/// The beginnings of variables that the loader and libraries read from their process.
const OF_LIBRARIES: [&str; 4] = ["LD_", "OTEL_", "PG", "SSL_"];

fn needs_process(arguments: &[&str], variables: &Variables) -> bool {
    let line = arguments.join(" ");
    let is_of_library = |name: &String| OF_LIBRARIES.iter().any(|begin| name.starts_with(begin));
    released_program().is_some()
        || UNTIL_STOPPED.iter().any(|command| line.contains(command))
        || variables.keys().any(is_of_library)
}

/// Runs a command with exactly these arguments and environment variables.
pub async fn run_program(arguments: &[&str], variables: &Variables) -> Output {
    run_program_with_input(arguments, variables, "").await
}

/// As [`run_program`], with a text as its standard input. No stream is a terminal.
pub async fn run_program_with_input(arguments: &[&str], variables: &Variables, input: &str) -> Output {
    if needs_process(arguments, variables) {
        return run_process(arguments, variables, input).await;
    }
    let arguments = ["doorward"].iter().chain(arguments).map(OsString::from).collect();
    let (environment, input): (Environment, _) = (variables.iter().collect(), input.to_owned());
    let run = move || {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let (input, terminals) = (&mut input.as_bytes(), Terminals::default());
        let streams = Streams { input, out: &mut stdout, err: &mut stderr, terminals };
        let code = cli::main(arguments, &environment, streams, |_, _| Ok(()));
        Output { status: ExitStatus::from_raw(i32::from(code) << 8), stdout, stderr }
    };
    tokio::task::spawn_blocking(run).await.unwrap()
}

/// As [`run_program_with_input`], always as a process: for behavior that only a process has.
pub async fn run_process(arguments: &[&str], variables: &Variables, input: &str) -> Output {
    let mut command = command(arguments, variables);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let input = input.to_owned();
    let run = move || {
        let mut child = command.spawn().unwrap();
        // A program that reads none of it may have ended already.
        let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
        child.wait_with_output().unwrap()
    };
    tokio::task::spawn_blocking(run).await.unwrap()
}
