//! The command line: what may be typed, and the commands themselves, one file each.

pub mod args;
mod attempts;
pub mod config;
mod help;
mod invitation;
mod keys;
mod mail;
mod org;
pub mod org_args;
mod output;
mod passwords;
mod printable;
mod serve;
mod user;
mod user_audit;
mod webhooks;
mod words;

use crate::app::{App, StartError};
use crate::clock::Clock;
use crate::crypto::password::Params;
use crate::domain::Error;
use crate::settings::{DatabaseUrl, Environment, Loaded, ServiceName, Settings};
use args::{Command, Invocation, KeysCommand, MailCommand, SecretsCommand, UserCommand, WebhooksCommand};
use output::Output;
use std::io::{self, Write};
use std::sync::Arc;

/// Exit code for a command that could not be carried out.
const FAILED: u8 = 1;
/// Exit code for arguments or settings that cannot be used.
const UNUSABLE: u8 = 2;

/// Why a command ended without its result.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The settings or the surroundings are wrong; a sentence that names what to change.
    #[error("{0}")]
    Operator(String),
    /// The command cannot be carried out as asked.
    #[error("{0}")]
    Refused(String),
    /// The service or its database failed.
    #[error(transparent)]
    Fault(#[from] Error),
    /// What was to be read or printed could not be.
    #[error("{0}")]
    Output(io::Error),
}

impl From<crate::store::StoreError> for Failure {
    fn from(error: crate::store::StoreError) -> Self {
        Failure::Fault(error.into())
    }
}

impl From<StartError> for Failure {
    fn from(error: StartError) -> Self {
        match error {
            StartError::Failed(error) => Failure::Fault(error),
            other => Failure::Operator(other.to_string()),
        }
    }
}

/// Carries out what was asked; the result is the exit code: 0, 1 if it could not be done, 2 if the arguments or the
/// settings are wrong.
pub fn run(invocation: Invocation, environment: &Environment, out: &mut impl Write, err: &mut impl Write) -> u8 {
    let Invocation { name, json, command } = invocation;
    if command == Command::Config {
        return config::run(&name, environment, json, out, err).unwrap_or(FAILED);
    }
    let done = match &command {
        Command::Webhooks(WebhooksCommand::Listen(listen)) => runtime().and_then(|runtime| {
            runtime.block_on(webhooks::listen(&name, environment, listen, &mut Output::new(&mut *out, json)))
        }),
        Command::Webhooks(WebhooksCommand::Window) => {
            webhooks::window(&name, environment, &mut Output::new(&mut *out, json))
        }
        _ => return run_with_settings(&name, environment, (command, json), out, err),
    };
    exit_code(done, err)
}

fn run_with_settings(
    name: &ServiceName,
    environment: &Environment,
    (command, json): (Command, bool),
    out: &mut impl Write,
    err: &mut impl Write,
) -> u8 {
    let loaded = match Settings::load(name, environment) {
        Ok(loaded) => loaded,
        Err(problems) => {
            for line in &problems.warnings {
                say(err, line);
            }
            say(err, &problems.to_string());
            return UNUSABLE;
        }
    };
    if command != Command::Serve {
        loaded.warnings.iter().for_each(|line| say(err, line));
    }
    let done = runtime().and_then(|runtime| runtime.block_on(carry_out(loaded, command, json, out)));
    exit_code(done, err)
}

fn exit_code(done: Result<(), Failure>, err: &mut impl Write) -> u8 {
    match done {
        Ok(()) => 0,
        Err(failure) => {
            say(err, &format!("doorward: {failure}"));
            if matches!(failure, Failure::Operator(_)) { UNUSABLE } else { FAILED }
        }
    }
}

/// There is nowhere left to complain to when standard error is gone.
fn say(err: &mut impl Write, line: &str) {
    let _ = writeln!(err, "{line}");
}

fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::Output)
}

async fn carry_out(loaded: Loaded, command: Command, json: bool, out: &mut impl Write) -> Result<(), Failure> {
    if command == Command::Serve {
        return serve::run(loaded.settings, &loaded.warnings, out).await;
    }
    if command == Command::Webhooks(WebhooksCommand::Ping) {
        return webhooks::ping(&loaded.settings, &mut Output::new(out, json)).await;
    }
    if let Command::Passwords(command) = command {
        return passwords::run(&loaded.settings, command, &mut Output::new(out, json)).await;
    }
    if let Command::Mail(MailCommand::Test(arguments)) = &command {
        return mail::test(&loaded.settings, &arguments.to, &mut Output::new(out, json)).await;
    }
    refuse_missing_database(&loaded.settings, &command)?;
    let app = App::start(loaded.settings, Clock::system(), Params::OWASP).await?;
    let done = match refuse_losing_events(&app, &command).await {
        Ok(()) => administer(&app, command, &mut Output::new(out, json)).await,
        refused => refused,
    };
    wake_services(&app).await;
    app.store.close().await;
    done
}

/// Tells running services of what this command has put into the outbox: on PostgreSQL at once; on SQLite, and where this
/// fails, they look once a second.
async fn wake_services(app: &App) {
    if let Err(error) = app.store.outbox_announce_all().await {
        tracing::debug!(error = %error, "running services were not woken");
    }
}

/// A command given in the wrong directory must not make a second database there. A first operator may be made before
/// the service first starts.
fn refuse_missing_database(settings: &Settings, command: &Command) -> Result<(), Failure> {
    match &settings.database.url {
        DatabaseUrl::Sqlite(path) if !path.exists() && !matches!(command, Command::User(UserCommand::Create(_))) => {
            Err(Failure::Operator(format!(
                "there is no database at {}; set {} or {} as the service has it",
                path.display(),
                settings.name.variable("DATA_DIR"),
                settings.name.variable("DATABASE_URL")
            )))
        }
        _ => Ok(()),
    }
}

async fn refuse_losing_events(app: &App, command: &Command) -> Result<(), Failure> {
    let records_none = matches!(command, Command::Webhooks(_) | Command::Mail(_));
    if !records_none && app.would_lose_events().await.map_err(Error::from)? {
        let name = &app.settings.name;
        return Err(Failure::Operator(format!(
            "{} and {} are not set, but the service on this database has them: its events of this command would be lost",
            name.variable("WEBHOOK_URL"),
            name.variable("WEBHOOK_SECRET")
        )));
    }
    Ok(())
}

async fn administer<W: Write>(app: &Arc<App>, command: Command, out: &mut Output<W>) -> Result<(), Failure> {
    match command {
        Command::Keys(KeysCommand::Rotate) => keys::rotate(app, out).await,
        Command::Keys(KeysCommand::List) => keys::list(app, out).await,
        Command::Secrets(SecretsCommand::Reseal) => keys::reseal(app, out).await,
        Command::User(command) => user::run(app, command, out).await,
        Command::Org(command) => org::run(app, command, out).await,
        Command::Invitation(command) => invitation::run(app, command, out).await,
        Command::Webhooks(command) => webhooks::run(app, command, out).await,
        Command::Mail(command) => mail::run(app, command, out).await,
        // Handled before, as they need no open database.
        Command::Serve | Command::Config | Command::Passwords(_) => Ok(()),
    }
}
