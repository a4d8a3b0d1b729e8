//! Options that are spelled otherwise than before: `--name` was the service's name, and is a person's now. What can only
//! be meant as before works for one version more, with a warning.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

const SERVICE_NAME: &str = "--service-name";
const NAME: &str = "--name";
/// A person's name, before it was `--name`.
const DISPLAY_NAME: &str = "--display-name";

/// The arguments behind the program's name in today's spelling, and a warning for each old one.
pub(super) fn renewed(tree: &clap::Command, arguments: Vec<OsString>) -> (Vec<OsString>, Vec<String>) {
    let (mut renewed, mut warnings) = (Vec::with_capacity(arguments.len()), Vec::new());
    let (mut command, mut arguments) = (tree, arguments.into_iter());
    while let Some(argument) = arguments.next() {
        if argument == "--" {
            renewed.push(argument);
            break;
        }
        let (option, value) = parts(&argument);
        let new = match option {
            option if option == NAME && !names_people(command) => Some(SERVICE_NAME),
            option if option == DISPLAY_NAME && names_people(command) => Some(NAME),
            _ => None,
        };
        let takes_value = new.is_some() || [SERVICE_NAME, NAME, "--env-file"].iter().any(|name| option == *name);
        let is_followed = takes_value && value.is_none();
        if let Some(inner) = argument.to_str().and_then(|name| command.find_subcommand(name)) {
            command = inner;
        }
        match new {
            Some(new) => {
                warnings
                    .push(format!("{} is {new} now; the old spelling ends with the next version", option.display()));
                renewed.push(spelled(new, value));
            }
            None => renewed.push(argument),
        }
        renewed.extend(arguments.by_ref().take(usize::from(is_followed)));
    }
    renewed.extend(arguments);
    (renewed, warnings)
}

fn names_people(command: &clap::Command) -> bool {
    command.get_arguments().any(|argument| argument.get_long() == NAME.strip_prefix("--"))
}

/// An option, and the value that it has behind `=`.
fn parts(argument: &OsStr) -> (&OsStr, Option<&OsStr>) {
    let bytes = argument.as_bytes();
    match bytes.iter().position(|byte| *byte == b'=') {
        Some(at) => (OsStr::from_bytes(&bytes[..at]), Some(OsStr::from_bytes(&bytes[at + 1..]))),
        None => (argument, None),
    }
}

fn spelled(option: &str, value: Option<&OsStr>) -> OsString {
    let bytes = option.bytes().chain(value.into_iter().flat_map(|value| [b"=", value.as_bytes()].concat()));
    OsString::from_vec(bytes.collect())
}
