//! `--env-file` and `./doorward.env`: read before all other arguments, as the file may have what they depend on.

use crate::settings::{EnvFileError, Environment, LOCAL_ENV_FILE, ServiceName};
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

const OPTION: &str = "--env-file";
/// The test double is the same in every working directory.
const EPHEMERAL: &str = "--ephemeral";
/// Tells a program that was started again from one that may have to be.
const STARTED_AGAIN: &str = "DOORWARD_ENV_FILE_READ";

/// Adds the variables of the files that the arguments name, or else those of the working directory's file.
pub(super) fn read_all(arguments: &[OsString], environment: &Environment) -> Result<Environment, EnvFileError> {
    let mut files = option_values(arguments, OPTION).map(Path::new).peekable();
    let mut options = arguments.iter().take_while(|argument| *argument != "--");
    if files.peek().is_none() && !options.any(|argument| argument == EPHEMERAL) {
        return environment.clone().with_local_file(Path::new(LOCAL_ENV_FILE));
    }
    files.try_fold(environment.clone(), Environment::with_file)
}

/// The values of an option, in either form. Options end at `--`.
pub(super) fn option_values<'a>(arguments: &'a [OsString], option: &'a str) -> impl Iterator<Item = &'a OsStr> {
    let mut options = arguments.iter().take_while(|argument| *argument != "--").map(OsString::as_os_str);
    std::iter::from_fn(move || {
        loop {
            let argument = options.next()?;
            if argument == option {
                return options.next();
            }
            let value = argument.as_bytes().strip_prefix(option.as_bytes()).and_then(|rest| rest.strip_prefix(b"="));
            if let Some(value) = value {
                return Some(OsStr::from_bytes(value));
            }
        }
    })
}

/// What libraries may take from a file that nobody named. It may have come with a repository: `LD_PRELOAD` would run what
/// it brings along.
const FROM_LOCAL_FILE: [&str; 2] = ["OTEL_", "SSL_CERT_"];

/// Starts the program again, with the variables of the files that are not the service's own and that the process lacks:
/// libraries read them from the process (`OTEL_…`, `PG…`, `SSL_CERT_FILE`), which cannot change its own environment
/// safely. Returns if there are none.
///
/// Fails if that cannot be done, or was done and did not help: the system keeps some variables, such as `TMPDIR`, from a
/// program with rights of its own.
pub fn pass_to_libraries(environment: &Environment, name: &ServiceName) -> io::Result<()> {
    let is_own = |variable: &str| variable.starts_with(name.env_prefix()) || variable == ServiceName::VARIABLE;
    let lacks =
        |(variable, value): &(&str, &OsStr)| !is_own(variable) && std::env::var_os(variable).as_deref() != Some(*value);
    let is_taken = |variable: &str| {
        environment.local_file().is_none() || FROM_LOCAL_FILE.iter().any(|prefix| variable.starts_with(prefix))
    };
    let given = environment.of_files().filter(|(variable, _)| is_taken(variable));
    let lacking: Vec<_> = given.filter(lacks).collect();
    if lacking.is_empty() {
        return Ok(());
    }
    if std::env::var_os(STARTED_AGAIN).is_some() {
        let names: Vec<_> = lacking.iter().map(|(name, _)| *name).collect();
        return Err(io::Error::other(format!("it does not get {}, as the system removes that", names.join(", "))));
    }
    let mut arguments = std::env::args_os();
    let mut program = Command::new(std::env::current_exe()?);
    if let Some(called) = arguments.next() {
        program.arg0(called);
    }
    Err(program.args(arguments).envs(lacking).env(STARTED_AGAIN, "1").exec())
}
