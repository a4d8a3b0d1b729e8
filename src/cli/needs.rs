//! What a command needs before it can run, and how it gets it: nothing, the settings, the database, or the whole
//! context of the service. A command asks for the least, so that looking at a queue needs no secret key.

use super::failure::{Failure, UNUSABLE};
use super::output::Output;
use crate::boot;
use crate::clock::Clock;
use crate::context::App;
use crate::crypto::password::Params;
use crate::error::Error;
use crate::settings::{DatabaseUrl, Environment, Loaded, ServiceName, Settings};
use crate::store::Store;
use std::io::Write;
use tokio::runtime::{Builder, Runtime};

/// The database without the keys: enough to look at it, and to change what records no event.
pub(super) struct StoreContext {
    pub(super) settings: Settings,
    pub(super) clock: Clock,
    pub(super) store: Store,
}

/// What a command that needs the whole context does to the database.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// Looks only.
    Read,
    /// Changes what is there.
    Change,
    /// Changes it, or creates the database: a first administrator may be created before the service first starts.
    ChangeOrCreate,
}

/// Runs one command; every function returns the exit code.
pub(super) struct Needs<'a, O, E> {
    pub(super) name: &'a ServiceName,
    pub(super) environment: &'a Environment,
    pub(super) json: bool,
    pub(super) out: O,
    pub(super) err: E,
}

impl<O: Write, E: Write> Needs<'_, O, E> {
    /// Runs a command that needs nothing.
    pub(super) fn nothing(mut self, run: impl AsyncFnOnce(&mut Output<&mut O>) -> Result<(), Failure>) -> u8 {
        let done = runtime().and_then(|runtime| runtime.block_on(run(&mut Output::new(&mut self.out, self.json))));
        self.exit_code(done)
    }

    /// Runs a command that needs the settings, and reports their warnings itself.
    pub(super) fn loaded(mut self, run: impl AsyncFnOnce(Loaded, &mut O) -> Result<(), Failure>) -> u8 {
        match self.load() {
            Ok(loaded) => {
                let done = runtime().and_then(|runtime| runtime.block_on(run(loaded, &mut self.out)));
                self.exit_code(done)
            }
            Err(code) => code,
        }
    }

    /// Runs a command that needs the settings.
    pub(super) fn settings(
        mut self,
        run: impl AsyncFnOnce(Settings, &mut Output<&mut O>) -> Result<(), Failure>,
    ) -> u8 {
        match self.load() {
            Ok(loaded) => {
                loaded.warnings.iter().for_each(|line| say(&mut self.err, line));
                self.nothing(async |out| run(loaded.settings, out).await)
            }
            Err(code) => code,
        }
    }

    /// Runs a command that needs the database and no keys.
    pub(super) fn store(self, run: impl AsyncFnOnce(&StoreContext, &mut Output<&mut O>) -> Result<(), Failure>) -> u8 {
        self.settings(async |settings, out| {
            refuse_missing_database(&settings)?;
            let clock = Clock::system();
            let store = boot::store(&settings, clock.clone()).await?;
            let context = StoreContext { settings, clock, store };
            let done = run(&context, out).await;
            context.store.close().await;
            done
        })
    }

    /// Runs a command that needs the context of the service.
    pub(super) fn app(
        self,
        access: Access,
        run: impl AsyncFnOnce(&App, &mut Output<&mut O>) -> Result<(), Failure>,
    ) -> u8 {
        self.settings(async |settings, out| {
            if access != Access::ChangeOrCreate {
                refuse_missing_database(&settings)?;
            }
            let app = boot::app(settings, Clock::system(), Params::OWASP).await?;
            let checked = if access == Access::Read { Ok(()) } else { refuse_losing_events(&app).await };
            let done = match checked {
                Ok(()) => run(&app, out).await,
                refused => refused,
            };
            wake_services(&app.store).await;
            app.store.close().await;
            done
        })
    }

    fn load(&mut self) -> Result<Loaded, u8> {
        Settings::load(self.name, self.environment).map_err(|problems| {
            for line in &problems.warnings {
                say(&mut self.err, line);
            }
            say(&mut self.err, &problems.to_string());
            UNUSABLE
        })
    }

    fn exit_code(&mut self, done: Result<(), Failure>) -> u8 {
        match done {
            Ok(()) => 0,
            Err(failure) => {
                say(&mut self.err, &format!("doorward: {failure}"));
                failure.exit_code()
            }
        }
    }
}

/// There is nowhere left to complain to when standard error is gone.
fn say(err: &mut impl Write, line: &str) {
    let _ = writeln!(err, "{line}");
}

fn runtime() -> Result<Runtime, Failure> {
    Builder::new_multi_thread().enable_all().build().map_err(Failure::Output)
}

/// Tells running services what this command put into the outbox: on PostgreSQL at once; on SQLite, and where this fails,
/// they look once a second.
pub(super) async fn wake_services(store: &Store) {
    if let Err(error) = store.outbox_announce_all().await {
        tracing::debug!(error = %error, "running services were not woken");
    }
}

/// A command given in the wrong directory must not create a second database there.
fn refuse_missing_database(settings: &Settings) -> Result<(), Failure> {
    match &settings.database.url {
        DatabaseUrl::Sqlite(path) if !path.exists() => Err(Failure::Operator(format!(
            "there is no database at {}; set {} or {} as the service has it",
            path.display(),
            settings.name.variable("DATA_DIR"),
            settings.name.variable("DATABASE_URL")
        ))),
        _ => Ok(()),
    }
}

/// The service on this database has webhooks and the settings of this command have none: its events would be lost.
async fn refuse_losing_events(app: &App) -> Result<(), Failure> {
    let has_webhooks = async { app.store.read().await?.instance_has_webhooks().await };
    if app.settings.webhooks.is_some() || !has_webhooks.await.map_err(Error::from)? {
        return Ok(());
    }
    let name = &app.settings.name;
    Err(Failure::Operator(format!(
        "{} and {} are not set, but the service on this database has them: its events of this command would be lost",
        name.variable("WEBHOOK_URL"),
        name.variable("WEBHOOK_SECRET")
    )))
}
