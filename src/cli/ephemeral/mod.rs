//! `doorward serve --ephemeral`: an instance for the tests of an application, which nobody else reaches and of which nothing
//! is left.

mod input;
mod place;

pub(super) use place::{Place, prepare};

use super::failure::Failure;
use super::local_server::StopSignals;
use super::output::Output;
use super::runner::as_operator;
use super::serve;
use crate::boot;
use crate::clock::Clock;
use crate::context::App;
use crate::crypto::password::Params;
use crate::domain::api_key::manage::NewApiKey;
use crate::domain::other_processes;
use crate::http::{Server, TestDouble};
use crate::model::api_key::{ApiKeyName, KeyNetworks, Scope};
use crate::model::principal::Principal;
use crate::model::this_machine::is_this_machine;
use crate::service;
use crate::settings::{LoadedSettings, SchemaUpdate, Settings};
use serde::Serialize;
use std::sync::Arc;
use tokio::net::TcpListener;

/// The first line on standard output.
#[derive(Serialize)]
struct Ready<'a> {
    url: &'a str,
    internal_url: String,
    api_key: &'a str,
    webhook_secret: &'a str,
    pid: u32,
}

/// Runs until SIGTERM or SIGINT, or until standard input closes.
pub(super) async fn run(
    loaded: LoadedSettings,
    (place, until_stdin_closes): (Place, bool),
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    let LoadedSettings { mut settings, warnings } = loaded;
    refuse_other_machines(&settings)?;
    settings.mail.stays_here = true;
    settings.database.schema_update = SchemaUpdate::Any;
    let log = serve::start_log(&settings)?;
    warnings.iter().for_each(serve::warn);
    let served = serve(settings, place, until_stdin_closes, out).await;
    log.wait_until_written();
    served
}

/// Tests must neither reach the people of another instance nor be reached from elsewhere.
fn refuse_other_machines(settings: &Settings) -> Result<(), Failure> {
    let (server, webhooks) = (&settings.server, settings.webhooks.iter());
    let hosts = webhooks.map(|webhooks| ("WEBHOOK_URL", webhooks.url.host().unwrap_or_default()));
    let hosts = hosts.chain(server.allowed_origins.iter().map(|origin| ("ALLOWED_ORIGINS", origin.host())));
    let hosts = hosts.chain(server.return_origins.iter().map(|origin| ("RETURN_ORIGINS", origin.host())));
    let mut hosts = hosts.chain(server.app_origin.iter().map(|origin| ("APP_URL", origin.host())));
    match hosts.find(|(_, host)| !is_this_machine(host)) {
        Some((suffix, host)) => {
            let variable = settings.name.variable(suffix);
            Err(Failure::Operator(format!(
                "{variable}: {host} is not this machine, and --ephemeral is for tests on it"
            )))
        }
        None => Ok(()),
    }
}

async fn serve(
    settings: Settings,
    place: Place,
    until_stdin_closes: bool,
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    serve::prepare_process();
    let app = boot::app(settings, Clock::system(), Params::CHEAPEST).await?;
    other_processes::compare(&app).await?;
    let new = NewApiKey {
        name: ApiKeyName::from_stored("tests".to_owned()),
        scopes: Scope::ALL.into_iter().collect(),
        ttl: None,
        networks: KeyNetworks::default(),
    };
    let key = as_operator(&app, new).await?;
    let mut signals = StopSignals::new()?;
    let input = until_stdin_closes.then(input::watch).transpose().map_err(Failure::Output)?;
    let listener = TcpListener::from_std(place.listener).map_err(Failure::Output)?;
    let address = listener.local_addr().map_err(Failure::Output)?;
    let server = Server::of_test_double(listener, &app, double());
    let ready = Ready {
        url: app.settings.server.base_url.as_str(),
        internal_url: format!("http://{address}"),
        api_key: key.text.as_str(),
        webhook_secret: &place.webhook_secret,
        pid: std::process::id(),
    };
    let line = serde_json::to_string(&ready).map_err(|error| Failure::Output(error.into()))?;
    out.print(&line).map_err(Failure::Output)?;
    let stopped = async {
        tokio::select! {
            () = signals.stopped() => {}
            () = input::closed(input) => {}
        }
    };
    // The folder goes with the place, once the database is closed.
    serve::run_until(app, server, stopped).await
}

fn double() -> TestDouble {
    TestDouble { operator: Principal::operator(), catch_up: |app: Arc<App>| Box::pin(service::catch_up(app)) }
}
