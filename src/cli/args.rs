//! The command line arguments. Settings are not arguments: their names depend on the service name, and help must not
//! show values from the environment. Doc comments here are the help text.

use super::api_key_args::ApiKeyCommand;
use super::backup_args::{Backup, Restore};
use super::dev_args::Dev;
use super::doctor_args::Doctor;
use super::documentation::args::{Docs, Explain};
use super::env_file::{self, option_values};
use super::guesses;
use super::help;
pub use super::mail::args::MailCommand;
use super::manual::args::{Completions, ManPages};
use super::old_spellings;
use super::org_args::{InvitationCommand, OrgCommand};
use super::provider::args::{ApplyFile, ProviderCommand};
use super::proxy_config_args::{EXAMPLES, ProxyConfig};
use super::serve_args::Serve;
pub use super::user_args::{
    CreateUser, IdentitiesCommand, ListUsers, PasswordSource, RemoveIdentity, RevokeSessions, RolesOfUser,
    SessionsCommand, SetEmail, SetPassword, TwoFactorCommand, UserArgument, UserCommand, UserToConfirm,
};
pub use super::webhooks::args::WebhooksCommand;
use crate::messages::Locale;
use crate::settings::name::NameError;
use crate::settings::{EnvFileError, Environment, ServiceName, Variable};
use clap::{ArgAction, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueHint};
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

#[derive(Debug)]
pub struct Invocation {
    /// The service name, from `--service-name`, else `DOORWARD_NAME`, else the default.
    pub name: ServiceName,
    pub json: bool,
    /// What is to change in the arguments before the next version.
    pub warnings: Vec<String>,
    /// The environment, with the files of `--env-file`.
    pub environment: Environment,
    pub command: Command,
}

/// What `doorward` can do.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum Command {
    /// Run the service; updates the database's schema first
    #[command(long_about = "Run the service; updates the database's schema first.\n\n\
        With --ephemeral it is a double for the tests of an application: its first line is JSON with an\n\
        address and an API key, and /auth/dev/… moves its clock, opens sessions and shows emails;\n\
        docs/reference/test-double.md has more.")]
    Serve(Serve),
    /// Check that the running service is healthy, for containers; exit code 1 if not
    Healthcheck(Healthcheck),
    /// Show every setting with its value, default and source; secrets are masked
    #[command(
        args_conflicts_with_subcommands = true,
        long_about = "Show every setting with its value, default and source; of one setting, such as SVC_LISTEN, the \
            value alone. Secrets are masked. If the settings are unusable, prints a line for each problem and exits with 2."
    )]
    Config(Config),
    /// Say in a few lines whether all is well; exit code 1 on errors
    Status,
    /// Check the instance, from its settings to its public address; exit code 1 on errors
    Doctor(Doctor),
    /// Print the configuration of a proxy in front of an application, with your addresses
    #[command(
        long_about = "Print the configuration of a proxy in front of an application, with your addresses. The proxy \
            asks the gate about each request. Add the proxy's own address to the setting SVC_TRUSTED_PROXIES. \
            docs/guides/proxies.md explains each file.",
        after_long_help = EXAMPLES
    )]
    ProxyConfig(ProxyConfig),
    /// Update the database's schema, as serve does unless SVC_MIGRATE is off
    #[command(
        args_conflicts_with_subcommands = true,
        long_about = "Update the database's schema, as serve does unless SVC_MIGRATE is off. Other commands refuse \
            an old schema and change nothing, because an older version of the service may be running on it."
    )]
    Migrate(Migrate),
    /// Write a consistent, verified copy of the database, also while the service runs
    #[command(
        long_about = "Write a consistent, verified copy of a SQLite database to a new file that only its owner can \
            read. The service may be running. For PostgreSQL, prints the pg_dump command to run; afterwards, \
            --record records the backup in the database, as the copy of a SQLite database does by itself. Metrics \
            show the time of the last backup."
    )]
    Backup(Backup),
    /// Replace the database with a backup; the service must be stopped
    #[command(long_about = "Replace a SQLite database with a backup; the service must be stopped. Sessions of the \
        backup end, trusted devices are forgotten, and unused links stop working: otherwise sessions, links and \
        devices that were ended, used or revoked since the backup would be valid again. The secret key must be the \
        one of the backup. For PostgreSQL, prints the pg_restore command to run; afterwards, --loaded does the \
        rest.")]
    Restore(Restore),
    /// Manage the keys that sign access tokens
    #[command(subcommand)]
    Keys(KeysCommand),
    /// Print a one-time link that creates the first administrator; valid for an hour, until one exists
    SetupLink,
    /// Manage user accounts, also while the service runs
    #[command(subcommand)]
    User(UserCommand),
    /// Manage organizations and their members
    #[command(subcommand)]
    Org(OrgCommand),
    /// Manage invitations to organizations
    #[command(subcommand)]
    Invitation(InvitationCommand),
    /// Manage the API keys of application backends, also while the service runs
    #[command(subcommand)]
    ApiKey(ApiKeyCommand),
    /// Manage the providers that people log in with, also while the service runs
    #[command(subcommand)]
    Provider(ProviderCommand),
    /// Sync providers from a file; shows a plan, and asks
    #[command(
        long_about = "Sync providers from a TOML file with a table [[provider]] for each. Shows a plan and asks, \
            unless there is nothing to change. Keeps providers that are not in the file, unless --prune is given. \
            Secrets are in files or variables that the file names. SVC_APPLY_FILE applies a file at each start."
    )]
    Apply(ApplyFile),
    /// Check passwords, and import the list of breached passwords
    #[command(subcommand)]
    Passwords(PasswordsCommand),
    /// Print or check the texts of pages and emails, to change or translate them
    #[command(subcommand)]
    Messages(MessagesCommand),
    /// Manage the encryption of stored secrets
    #[command(subcommand)]
    Secrets(SecretsCommand),
    /// Show, replay and test webhook deliveries, also while the service runs
    #[command(subcommand)]
    Webhooks(WebhooksCommand),
    /// Show emails, print their links, and test the mail server, also while the service runs
    #[command(subcommand)]
    Mail(MailCommand),
    /// Run the service on this machine alone, to try it and to build an application; emails are printed
    #[command(
        long_about = "Run the service on this machine alone, to try it and to build an application. Without a mail server, \
        every email is printed, whichever process queued it. The database and the secret key are those of serve with the \
        same settings; it does not start where one of them, or the last serve, is for another machine.\n\n\
        Example: doorward dev --app http://localhost:3000"
    )]
    Dev(Dev),
    /// List the pages of the documentation of this version, or print one
    Docs(Docs),
    /// Print what a code of the doctor or of a start means, and what to do
    Explain(Explain),
    /// Print the shell completion script
    Completions(Completions),
    /// Write the man pages to a directory
    Man(ManPages),
    /// Print the version
    Version,
}

/// Arguments of `doorward config`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct Config {
    /// Only the value of this setting
    pub setting: Option<String>,
    /// The same, as other programs are asked.
    #[command(subcommand)]
    get: Option<GetSetting>,
}

impl Config {
    /// The setting that is asked for; all without one.
    pub fn setting(&self) -> Option<&str> {
        self.get.as_ref().map(|GetSetting::Get { setting }| setting).or(self.setting.as_ref()).map(String::as_str)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
enum GetSetting {
    /// Print the value of a setting
    #[command(hide = true)]
    Get {
        /// The setting
        setting: String,
    },
}

/// Arguments of `doorward healthcheck`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Args)]
pub struct Healthcheck {
    /// Check readiness, database included, instead of liveness
    #[arg(long)]
    pub ready: bool,
}

/// Arguments of `doorward migrate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Args)]
pub struct Migrate {
    /// Show the pending steps, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// What to do instead.
    #[command(subcommand)]
    pub command: Option<MigrateCommand>,
}

/// `doorward migrate …`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Subcommand)]
pub enum MigrateCommand {
    /// List every step of the schema, and whether it has been applied
    Status,
}

/// `doorward keys …`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Subcommand)]
pub enum KeysCommand {
    /// Create a signing key; it is published immediately and signs ten minutes later
    Rotate,
    /// List the signing keys and their use
    List,
}

/// `doorward passwords …`
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum PasswordsCommand {
    /// Import the offline list of Have I Been Pwned, so that passwords known from breaches are refused
    #[command(
        long_about = "Import the offline list of Have I Been Pwned, so that passwords known from breaches are refused. \
        The file has a SHA-1 hash in each line, ordered by hash, with or without a colon and a number behind it. It is \
        made into a filter in the data directory, about a tenth as large; the service uses it from then on, without a \
        restart. Needs room for both filters while it runs, and little memory."
    )]
    ImportHibp(ImportList),
    /// Check whether the password in the first line of standard input would be accepted
    Check,
    /// Show what was imported
    Status,
}

/// Arguments of `doorward passwords import-hibp`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct ImportList {
    /// The list, as one file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// `doorward messages …`
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum MessagesCommand {
    /// Print the built-in messages of a language; the English ones where there are none
    Export(ExportMessages),
    /// Check messages as a start does, and list what each language leaves in English
    Check(CheckMessages),
}

/// Arguments of `doorward messages export`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct ExportMessages {
    /// Language tag, such as en or it
    #[arg(value_name = "LANGUAGE", default_value = "en", value_parser = parse_language)]
    pub language: Locale,
}

/// Arguments of `doorward messages check`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct CheckMessages {
    /// The folder; otherwise that of SVC_MESSAGES, or the built-in messages alone
    #[arg(value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
}

fn parse_language(tag: &str) -> Result<Locale, &'static str> {
    Locale::parse(tag).ok_or("a language tag is expected, such as en, de or pt-BR")
}

/// `doorward secrets …`
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum SecretsCommand {
    /// Re-encrypt all stored secrets with the first secret key, so that the others can be removed
    Reseal,
    /// After the loss of the secret key: adopt a new one, without what depended on the lost one
    #[command(
        long_about = "After the loss of the secret key: adopt the one that is set now, or a new one in the data \
            directory. Everybody is logged out; signing keys, authenticator apps, recovery codes, mailed links and \
            waiting emails are gone. Accounts with an authenticator app log in with the password and a mailed code, \
            until they have set up another app. The service must be stopped."
    )]
    Reset(ResetSecrets),
}

/// Arguments of `doorward secrets reset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Args)]
pub struct ResetSecrets {
    /// Skip the confirmation; required without a terminal
    #[arg(long)]
    pub yes: bool,
}

const NAME_HELP: &str =
    "Service name: cookies, headers and variables are named after it [default: $DOORWARD_NAME or svc]";

const ENV_FILE_HELP: &str =
    "Read variables from a file, as systemd's EnvironmentFile does; they win over the environment";

/// The heading of the options that every command has, in the order of the fields below.
const GLOBAL: &str = "Global options";

/// The whole command line. `--service-name` and `--env-file` are found before this is made ([`find_name`]); they stand here
/// for help and checks.
#[derive(Parser)]
#[command(name = "doorward", version, about = "Self-hosted authentication: login pages, sessions and signed webhooks")]
#[command(arg_required_else_help = true, disable_help_flag = true)]
struct CommandLine {
    #[arg(
        long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath, help = ENV_FILE_HELP,
        help_heading = GLOBAL, display_order = 1
    )]
    env_file: Vec<PathBuf>,
    #[arg(long, global = true, value_name = "NAME", help = NAME_HELP, help_heading = GLOBAL, display_order = 2)]
    service_name: Option<String>,
    /// Print the result as JSON
    #[arg(long, global = true, help_heading = GLOBAL, display_order = 3)]
    json: bool,
    /// Print help
    #[arg(short, long, global = true, action = ArgAction::Help, help_heading = GLOBAL, display_order = 4)]
    help: Option<bool>,
    #[command(subcommand)]
    command: Command,
}

/// No command is to be run: the arguments are invalid, or ask for help.
#[derive(Debug)]
pub enum ParseExit {
    /// The arguments are invalid, or ask for help or the version.
    Arguments(Box<clap::Error>),
    Name {
        /// Its source: `--service-name` or `DOORWARD_NAME`.
        source: &'static str,
        /// The error; `None` if the name is not UTF-8.
        error: Option<NameError>,
    },
    /// A file of variables cannot be used.
    EnvFile(EnvFileError),
    /// There is no argument at all.
    Alone,
}

impl ParseExit {
    /// 0 for help and version, 2 for an error.
    pub fn exit_code(&self) -> u8 {
        match self {
            ParseExit::Arguments(error) if !error.use_stderr() => 0,
            _ => 2,
        }
    }
}

/// The text to show: on standard output if the exit code is 0, else on standard error.
impl fmt::Display for ParseExit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseExit::Arguments(error) => f.write_str(error.render().to_string().trim_end()),
            ParseExit::Name { source, error: Some(error) } => write!(f, "{source}: {error}"),
            ParseExit::Name { source, error: None } => write!(f, "{source}: the value is not UTF-8 text"),
            ParseExit::EnvFile(error) => error.fmt(f),
            ParseExit::Alone => f.write_str(help::FIRST),
        }
    }
}

/// Parses the command line; `arguments` start with the program's name.
pub fn parse(
    arguments: impl IntoIterator<Item = OsString>,
    environment: &Environment,
) -> Result<Invocation, ParseExit> {
    let mut arguments = arguments.into_iter();
    let program = arguments.next();
    let (arguments, warnings) = old_spellings::renewed(&tree(), arguments.collect());
    if arguments.is_empty() {
        return Err(ParseExit::Alone);
    }
    let environment = env_file::read_all(&arguments, environment).map_err(ParseExit::EnvFile)?;
    let name = find_name(&arguments, &environment)?;
    let matches = described(&name).try_get_matches_from(program.into_iter().chain(arguments));
    let read = matches.and_then(|matches| CommandLine::from_arg_matches(&matches));
    let line = read.map_err(|error| ParseExit::Arguments(Box::new(guesses::with_tip(error))))?;
    Ok(Invocation { name, json: line.json, warnings, environment, command: line.command })
}

fn tree() -> clap::Command {
    guesses::with_aliases(CommandLine::command())
}

/// The command line, as help, man pages and shells describe it.
pub fn described(name: &ServiceName) -> clap::Command {
    let command = tree();
    let template = help::template(&command);
    let command = command.help_template(template).after_help(help::EXAMPLES);
    let command = command.mut_subcommand("serve", |serve| serve.after_long_help(help::settings(name)));
    help::with_names_of(name, command)
}

fn find_name(arguments: &[OsString], environment: &Environment) -> Result<ServiceName, ParseExit> {
    let (source, text) = match option_values(arguments, "--service-name").next() {
        Some(value) => ("--service-name", value.to_str()),
        None => match environment.get(ServiceName::VARIABLE) {
            Variable::Unset => (ServiceName::VARIABLE, Some(ServiceName::DEFAULT)),
            Variable::Text(text) => (ServiceName::VARIABLE, Some(text.trim())),
            Variable::NotUnicode => (ServiceName::VARIABLE, None),
        },
    };
    let text = text.ok_or(ParseExit::Name { source, error: None })?;
    ServiceName::parse(text).map_err(|error| ParseExit::Name { source, error: Some(error) })
}

#[cfg(test)]
#[path = "args_tests.rs"]
mod tests;
