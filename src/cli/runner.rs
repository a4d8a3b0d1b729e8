//! Runs commands with the context they need: none, the settings, the database, or the whole service context. Each
//! command uses the smallest one, so that reading a queue needs no secret key.

use super::failure::{Failure, INVALID_USAGE};
use super::output::Output;
use crate::boot;
use crate::clock::Clock;
use crate::context::App;
use crate::crypto::password::Params;
use crate::domain::other_processes;
use crate::error::Error;
use crate::model::finding::{Finding, FindingCode};
use crate::model::principal::{Operation, Principal};
use crate::settings::{DatabaseUrl, Environment, LoadedSettings, Problems, SchemaUpdate, ServiceName, Settings};
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

/// The access to the database of a command with the service context.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Change,
}

/// The code of invalid settings in JSON.
pub(super) const INVALID_CODE: &str = "invalid_settings";
/// For what still runs when the service or a command has ended, such as the look-up of a name.
const BLOCKING_TIMEOUT: Duration = Duration::from_secs(1);

/// Runs one command; every method returns the exit code.
pub(super) struct CommandRunner<'a, 'o> {
    pub(super) name: &'a ServiceName,
    pub(super) environment: &'a Environment,
    pub(super) out: Output<'o>,
}

impl CommandRunner<'_, '_> {
    /// Runs a command without any context.
    pub(super) fn without_context(mut self, run: impl AsyncFnOnce(&mut Output<'_>) -> Result<(), Failure>) -> u8 {
        let result = runtime().and_then(|runtime| {
            let result = runtime.block_on(run(&mut self.out));
            runtime.shutdown_timeout(BLOCKING_TIMEOUT);
            result
        });
        self.exit_code(result)
    }

    /// Runs a command with the settings and their warnings, which it reports itself.
    pub(super) fn with_loaded_settings(
        mut self,
        run: impl AsyncFnOnce(LoadedSettings, &mut Output<'_>) -> Result<(), Failure>,
    ) -> u8 {
        match self.load(Settings::load) {
            Ok(loaded) => {
                let result = runtime().and_then(|runtime| {
                    let result = runtime.block_on(run(loaded, &mut self.out));
                    // A name that is being looked up, or a file that is being read, is not waited for.
                    runtime.shutdown_timeout(BLOCKING_TIMEOUT);
                    result
                });
                self.exit_code(result)
            }
            Err(code) => code,
        }
    }

    pub(super) fn with_settings(self, run: impl AsyncFnOnce(Settings, &mut Output<'_>) -> Result<(), Failure>) -> u8 {
        self.with(Settings::load, run)
    }

    /// Runs a command with the settings; the secret key may be unset.
    pub(super) fn with_keyless_settings(
        self,
        run: impl AsyncFnOnce(Settings, &mut Output<'_>) -> Result<(), Failure>,
    ) -> u8 {
        self.with(Settings::load_without_secret_key, run)
    }

    /// Runs a command with the database but without keys.
    pub(super) fn with_store(self, run: impl AsyncFnOnce(&StoreContext, &mut Output<'_>) -> Result<(), Failure>) -> u8 {
        self.with_keyless_settings(async |settings, out| {
            refuse_missing_database(&settings)?;
            let clock = Clock::system();
            let store = boot::store(&settings, clock.clone()).await?;
            let context = StoreContext { settings, clock, store };
            let result = run(&context, out).await;
            context.store.close().await;
            result
        })
    }

    /// Runs a command with the service context.
    pub(super) fn with_app(
        self,
        access: Access,
        run: impl AsyncFnOnce(&App, &mut Output<'_>) -> Result<(), Failure>,
    ) -> u8 {
        self.with_settings(async |settings, out| {
            refuse_missing_database(&settings)?;
            let mut app = boot::app(settings, Clock::system(), Params::OWASP).await?;
            if let Some(own) = Arc::get_mut(&mut app) {
                other_processes::adopt_brand(&own.store, &mut own.settings.pages.brand).await?;
            }
            let checked =
                if access == Access::Read { Ok(()) } else { refuse_losing_events(&app.settings, &app.store).await };
            let result = match checked {
                Ok(()) => run(&app, out).await,
                refused => refused,
            };
            wake_services(&app.store).await;
            app.store.close().await;
            result
        })
    }

    fn with(
        mut self,
        load: impl FnOnce(&ServiceName, &Environment) -> Result<LoadedSettings, Problems>,
        run: impl AsyncFnOnce(Settings, &mut Output<'_>) -> Result<(), Failure>,
    ) -> u8 {
        match self.load(load) {
            Ok(mut loaded) => {
                // Only `serve`, `migrate` and `restore` take steps of an old schema: an older version may be running.
                loaded.settings.database.schema_update = SchemaUpdate::Never;
                // How the service sends mail, and what the gate says, is no matter of each command: the start and the doctor
                // say it.
                let of_service = [FindingCode::MailWithoutTls, FindingCode::NamesOfStrangers];
                let about_command = |found: &&Finding| !of_service.contains(&found.code);
                loaded.warnings.iter().filter(about_command).for_each(|line| self.out.warn(&line.to_string()));
                self.without_context(async |out| run(loaded.settings, out).await)
            }
            Err(code) => code,
        }
    }

    fn load(
        &mut self,
        load: impl FnOnce(&ServiceName, &Environment) -> Result<LoadedSettings, Problems>,
    ) -> Result<LoadedSettings, u8> {
        load(self.name, self.environment).map_err(|problems| {
            problems.warnings.iter().for_each(|line| self.out.warn(&line.to_string()));
            self.out.error(INVALID_CODE, &problems.to_string());
            INVALID_USAGE
        })
    }

    /// Reports a failure, and returns the exit code.
    pub(super) fn exit_code(&mut self, result: Result<(), Failure>) -> u8 {
        match result {
            Ok(()) => 0,
            // A reader that closes the pipe ends a stream; that is no error.
            Err(failure) if failure.is_unread() => 0,
            Err(failure) => {
                let message = if self.out.is_json() { failure.to_string() } else { format!("doorward: {failure}") };
                self.out.error(failure.code(), &message);
                failure.exit_code()
            }
        }
    }
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
