//! Runs commands with the context they need: none, the settings, the database, or the whole service context. Each
//! command uses the smallest one, so that reading a queue needs no secret key.

use super::failure::Failure;
use super::output::Output;
use crate::boot;
use crate::clock::Clock;
use crate::context::App;
use crate::crypto::password::Params;
use crate::domain::change::{self, Runnable};
use crate::domain::other_processes;
use crate::error::Error;
use crate::model::finding::{Finding, FindingCode};
use crate::model::principal::{Operation, Principal};
use crate::settings::{
    DatabaseUrl, Environment, LoadedSettings, LogFormat, Problems, SchemaUpdate, ServiceName, Settings,
};
use crate::store::Store;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// The database without the keys: enough for reading, and for changes that record no event.
pub(super) struct StoreContext {
    pub(super) settings: Settings,
    pub(super) clock: Clock,
    pub(super) store: Store,
}

/// For what still runs when the service or a command has ended, such as the look-up of a name.
const BLOCKING_TIMEOUT: Duration = Duration::from_secs(1);

/// Runs one command. Each method says what a command needs; it takes the command's function with its arguments, and
/// returns the exit code.
pub(super) struct CommandRunner<'a, 'o> {
    pub(super) name: &'a ServiceName,
    pub(super) environment: &'a Environment,
    pub(super) out: Output<'o>,
}

impl CommandRunner<'_, '_> {
    /// Needs nothing.
    pub(super) fn alone(mut self, run: impl AsyncFnOnce(&mut Output<'_>) -> Result<(), Failure>) -> u8 {
        let result = runtime().and_then(|runtime| {
            let result = runtime.block_on(run(&mut self.out));
            // A name that is being looked up, or a file that is being read, is not waited for.
            runtime.shutdown_timeout(BLOCKING_TIMEOUT);
            result
        });
        self.exit_code(result)
    }

    /// Serves: needs the settings with their warnings, which it reports itself.
    pub(super) fn serve<A>(
        self,
        run: impl AsyncFnOnce(LoadedSettings, A, &mut Output<'_>) -> Result<(), Failure>,
        arguments: A,
    ) -> u8 {
        let (name, environment) = (self.name, self.environment);
        self.alone(async |out| {
            let mut loaded = load(Settings::load, name, environment, out)?;
            // `--json` is about the log, too.
            if out.is_json() {
                loaded.settings.log.format = LogFormat::Json;
            }
            Box::pin(run(loaded, arguments, out)).await
        })
    }

    /// Needs the settings.
    pub(super) fn settings<A>(
        self,
        run: impl AsyncFnOnce(Settings, A, &mut Output<'_>) -> Result<(), Failure>,
        arguments: A,
    ) -> u8 {
        self.with(Settings::load, async |settings, out| run(settings, arguments, out).await)
    }

    /// Needs the settings; the secret key may be unset.
    pub(super) fn keyless<A>(
        self,
        run: impl AsyncFnOnce(Settings, A, &mut Output<'_>) -> Result<(), Failure>,
        arguments: A,
    ) -> u8 {
        self.with(Settings::load_without_secret_key, async |settings, out| run(settings, arguments, out).await)
    }

    /// Needs the database, but no keys.
    pub(super) fn store<A>(
        self,
        run: impl AsyncFnOnce(&StoreContext, A, &mut Output<'_>) -> Result<(), Failure>,
        arguments: A,
    ) -> u8 {
        self.with(Settings::load_without_secret_key, async |settings, out| {
            refuse_missing_database(&settings)?;
            let clock = Clock::system();
            let store = boot::store(&settings, clock.clone()).await?;
            let context = StoreContext { settings, clock, store };
            let result = run(&context, arguments, out).await;
            context.store.close().await;
            result
        })
    }

    /// Reads with the service context.
    pub(super) fn read<A>(
        self,
        run: impl AsyncFnOnce(&App, A, &mut Output<'_>) -> Result<(), Failure>,
        arguments: A,
    ) -> u8 {
        self.with(Settings::load, async |settings, out| {
            refuse_missing_database(&settings)?;
            let mut app = boot::app(settings, Clock::system(), Params::OWASP).await?;
            if let Some(own) = Arc::get_mut(&mut app) {
                other_processes::adopt_brand(&own.store, &mut own.settings.pages.brand).await?;
            }
            let result = run(&app, arguments, out).await;
            wake_services(&app.store).await;
            app.store.close().await;
            result
        })
    }

    /// Changes something with the service context.
    pub(super) fn change<A>(
        self,
        run: impl AsyncFnOnce(&App, A, &mut Output<'_>) -> Result<(), Failure>,
        arguments: A,
    ) -> u8 {
        self.read(
            async |app, arguments, out| {
                refuse_losing_events(&app.settings, &app.store).await?;
                warn_of_another_address(app, out).await?;
                run(app, arguments, out).await
            },
            arguments,
        )
    }

    fn with(self, how: Load, run: impl AsyncFnOnce(Settings, &mut Output<'_>) -> Result<(), Failure>) -> u8 {
        let (name, environment) = (self.name, self.environment);
        self.alone(async |out| {
            let LoadedSettings { mut settings, warnings } = load(how, name, environment, out)?;
            // Only `serve`, `migrate` and `restore` take steps of an old schema: an older version may be running.
            settings.database.schema_update = SchemaUpdate::Never;
            // How the service sends mail, and what the gate says, is no matter of each command: the start and the doctor
            // say it.
            let of_service = [FindingCode::MailWithoutTls, FindingCode::NamesOfStrangers];
            let about_command = |found: &&Finding| !of_service.contains(&found.code);
            warnings.iter().filter(about_command).for_each(|line| out.warn(&line.to_string()));
            Box::pin(run(settings, out)).await
        })
    }

    /// Reports a failure, and returns the exit code.
    pub(super) fn exit_code(&mut self, result: Result<(), Failure>) -> u8 {
        match result {
            Ok(()) => 0,
            // A reader that closes the pipe ends a stream; that is no error.
            Err(failure) if failure.is_unread() => 0,
            Err(failure) => {
                let is_plain = self.out.is_json() || matches!(failure, Failure::Settings(_));
                let message = if is_plain { failure.to_string() } else { format!("doorward: {failure}") };
                self.out.error(failure.code(), &message);
                failure.exit_code()
            }
        }
    }
}

type Load = fn(&ServiceName, &Environment) -> Result<LoadedSettings, Problems>;

fn load(
    how: Load,
    name: &ServiceName,
    environment: &Environment,
    out: &mut Output<'_>,
) -> Result<LoadedSettings, Failure> {
    how(name, environment).map_err(|problems| {
        problems.warnings.iter().for_each(|line| out.warn(&line.to_string()));
        Failure::Settings(problems.to_string())
    })
}

/// Makes a change as the operator.
pub(super) async fn as_operator<R: Runnable>(app: &App, change: R) -> Result<R::Made, Failure> {
    Ok(change::run(app, &Principal::operator(), change).await?)
}

fn runtime() -> Result<Runtime, Failure> {
    Builder::new_multi_thread().enable_all().build().map_err(Failure::Output)
}

/// Notifies running services of new events in the outbox: on PostgreSQL at once; on SQLite, and if this fails, they
/// poll once a second.
pub(super) async fn wake_services(store: &Store) {
    if let Err(error) = store.outbox_announce_all().await {
        tracing::debug!(error = %error, "running services were not woken");
    }
}

/// A command in the wrong directory must not create a second database there.
pub(super) fn refuse_missing_database(settings: &Settings) -> Result<(), Failure> {
    match &settings.database.url {
        DatabaseUrl::Sqlite(path) if !path.exists() => Err(Failure::Operator(format!(
            "there is no database at {}; set {} or {} as the service has it, or run doorward migrate to make a new one",
            path.display(),
            settings.name.variable("DATA_DIR"),
            settings.name.variable("DATABASE_URL")
        ))),
        _ => Ok(()),
    }
}

/// Fails if the service on this database has webhooks but the settings of this command do not: its events would be
/// lost.
pub(super) async fn refuse_losing_events(settings: &Settings, store: &Store) -> Result<(), Failure> {
    let has_webhooks =
        async { store.read(&Principal::operator(), Operation::Diagnose).await?.instance_has_webhooks().await };
    if settings.webhooks.is_some() || !has_webhooks.await.map_err(Error::from)? {
        return Ok(());
    }
    let name = &settings.name;
    Err(Failure::Operator(format!(
        "{} and {} are not set, but the service on this database has them: its events of this command would be lost",
        name.variable("WEBHOOK_URL"),
        name.variable("WEBHOOK_SECRET")
    )))
}

async fn warn_of_another_address(app: &App, out: &mut Output<'_>) -> Result<(), Failure> {
    let noted = async { app.store.read(&Principal::operator(), Operation::Diagnose).await?.instance_base_url().await };
    let (variable, own) = (app.settings.name.variable("BASE_URL"), app.settings.server.base_url.as_str());
    if let Some(url) = noted.await.map_err(Error::from)?.filter(|url| url != own) {
        out.warn(&format!(
            "the service on this database last started at {url}, but {variable} of this command is {own}: links and \
             tokens that it makes are for {own}"
        ));
    }
    Ok(())
}
