//! What is made from the command line itself: man pages, the scripts with which shells complete it, and its version.

pub mod args;

use super::args::described;
use super::failure::Failure;
use super::output::Output;
use crate::settings::ServiceName;
use args::{Completions, ManPages};
use serde_json::json;

pub fn completions(name: &ServiceName, arguments: Completions, out: &mut Output<'_>) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut described(name), "doorward", &mut script);
    let script = String::from_utf8_lossy(&script);
    out.result(&json!({"shell": arguments.shell.to_string(), "script": script}), script.trim_end())
}

pub fn man(name: &ServiceName, arguments: &ManPages, out: &mut Output<'_>) -> Result<(), Failure> {
    let directory = &arguments.directory;
    std::fs::create_dir_all(directory)
        .and_then(|()| clap_mangen::generate_to(described(name), directory))
        .map_err(|error| Failure::Refused(format!("{}: {error}", directory.display())))?;
    let text = format!("The man pages are in {}.", directory.display());
    out.result(&json!({"directory": directory}), &text)
}

pub fn version(out: &mut Output<'_>) -> Result<(), Failure> {
    let version = env!("CARGO_PKG_VERSION");
    out.result(&json!({"version": version}), &format!("doorward {version}"))
}
