//! What stands in the help besides options: the commands by what they are for, and the settings, with descriptions and
//! defaults but without values from the environment.

use crate::settings::{ServiceName, Spec, table};
use clap::Arg;
use clap::builder::StyledStr;

/// Fits a terminal of 100 columns.
const WIDTH: usize = 100;
const INDENT: usize = 6;

/// The commands by what they are for.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Run", &["serve", "status", "doctor", "config", "healthcheck", "migrate", "proxy-config"]),
    ("People", &["setup-link", "user", "org", "invitation"]),
    ("Integrate", &["api-key", "provider", "apply", "webhooks", "mail", "messages", "dev"]),
    ("Keep", &["backup", "restore", "keys", "secrets", "passwords"]),
    ("Help", &["docs", "explain", "completions", "man", "version"]),
];

/// What stands in the help's place where there is no argument at all.
pub(super) const FIRST: &str = "Doorward is self-hosted authentication: login pages, sessions and signed webhooks.

  doorward dev       runs it on this machine, to try it and to build an application
  doorward serve     runs it for others; doorward serve --help has the settings
  doorward docs      lists the documentation
  doorward --help    lists all commands";

/// What stands at the end of the help of all commands.
pub(super) const EXAMPLES: &str = "Examples:
  doorward serve --env-file doorward.env
  doorward --env-file doorward.env user create ada@example.com --role admin

doorward COMMAND --help says more about a command; doorward serve --help has the settings.
With --service-name NAME, or DOORWARD_NAME, cookies, headers and variables have another name than svc.";

/// The template of the help of all commands, which has them in groups.
pub(super) fn template(command: &clap::Command) -> String {
    let line = |name: &&str| {
        let about = command.find_subcommand(name).and_then(clap::Command::get_about);
        format!("  {name:<12}  {}", about.map(ToString::to_string).unwrap_or_default())
    };
    let groups = GROUPS.map(|(title, names)| {
        let lines: Vec<String> = names.iter().map(line).collect();
        format!("{title}:\n{}", lines.join("\n"))
    });
    let groups = groups.join("\n\n");
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}\n\nGlobal options:\n{{options}}{{after-help}}"
    )
}

/// A command whose help has the variables of this service.
pub(super) fn with_names_of(name: &ServiceName, command: clap::Command) -> clap::Command {
    let renamed = |text: Option<&StyledStr>| text.map(|text| text.to_string().replace("SVC_", name.env_prefix()));
    let (about, long) = (renamed(command.get_about()), renamed(command.get_long_about()));
    let command = about.into_iter().fold(command, clap::Command::about);
    let command = long.into_iter().fold(command, clap::Command::long_about);
    let command = command.mut_args(|argument| {
        let (help, long) = (renamed(argument.get_help()), renamed(argument.get_long_help()));
        long.into_iter().fold(help.into_iter().fold(argument, Arg::help), Arg::long_help)
    });
    command.mut_subcommands(|inner| with_names_of(name, inner))
}

/// Lists the settings of the service `name`.
pub(super) fn settings(name: &ServiceName) -> String {
    let mut lines = vec![
        "Settings are environment variables (default in brackets); doorward config shows their values:".to_owned(),
    ];
    for section in table::SECTIONS {
        lines.push(format!("\n{}:", section.title));
        lines.extend(section.settings.iter().flat_map(|spec| setting(spec, name)));
    }
    lines.join("\n")
}

fn setting(spec: &Spec, name: &ServiceName) -> Vec<String> {
    let mut lines = vec![format!("  {} [{}]", spec.variable(name), spec.default_text(name))];
    lines.extend(wrap(&spec.meaning(name), WIDTH - INDENT).into_iter().map(|line| format!("{:INDENT$}{line}", "")));
    lines
}

/// Wraps a text at blanks into lines of at most `width` characters; a longer word gets its own line.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
#[path = "help_tests.rs"]
mod tests;
