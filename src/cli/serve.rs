//! `doorward serve`

use super::failure::Failure;
use super::local_server::StopSignals;
use super::log_writer::LogWriter;
use super::output::Output;
use super::{banner, provider};
use crate::boot::{self, StartError};
use crate::clock::Clock;
use crate::context::App;
use crate::crypto::passkey::LIBRARY_LOG_TARGET;
use crate::crypto::password::Params;
use crate::domain::other_processes;
use crate::domain::registration::setup;
use crate::http::Server;
use crate::model::finding::{Finding, FindingCode};
use crate::model::principal::{Operation, Principal};
use crate::service;
use crate::settings::{DatabaseUrl, Environment, LoadedSettings, LogFormat, Settings};
use std::io::IsTerminal;
use std::net::SocketAddr;
use std::sync::Arc;
use tracing_subscriber::EnvFilter;

/// Runs the service until SIGTERM or SIGINT.
pub async fn run(loaded: LoadedSettings, environment: &Environment, out: &mut Output<'_>) -> Result<(), Failure> {
    let LoadedSettings { settings, warnings } = loaded;
    let log = start_log(&settings)?;
    let served = serve(settings, environment, &warnings, out).await;
    log.wait_until_written();
    served
}

async fn serve(
    settings: Settings,
    environment: &Environment,
    warnings: &[Finding],
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    let variable = settings.name.variable("LISTEN");
    let (app, server) = start(settings, environment, warnings, &variable).await?;
    let address = server.local_addr().map_err(Failure::Output)?;
    let mut signals = StopSignals::new()?;
    match app.settings.log.format {
        LogFormat::Text => {
            // The service runs, whether this is read or not.
            let _ = out.print(&banner::text(&banner::rows(&app.settings, environment), address));
        }
        LogFormat::Json => log_start(&app.settings, environment, address),
    }
    run_until(app, server, signals.stopped()).await
}

/// Opens the database, with all that a start does, and listens at the address that `listener` names.
pub(super) async fn start(
    settings: Settings,
    environment: &Environment,
    warnings: &[Finding],
    listener: &str,
) -> Result<(Arc<App>, Server), Failure> {
    warnings.iter().for_each(warn);
    prepare_process();
    let listen = settings.server.listen;
    let off = format!("{} is off", settings.name.variable("MIGRATE"));
    let opened = service::starting(Box::pin(boot::app(settings, Clock::system(), Params::OWASP))).await;
    let app = opened.map_err(|error| match error {
        StartError::OldSchema(_) => Failure::Operator(format!("{off}, and {error}")),
        error => error.into(),
    })?;
    let mut found = boot::file_warnings(&app.settings);
    let webhooks = app.settings.webhooks.as_ref();
    found.extend(webhooks.and_then(|webhooks| webhooks.outage_warning(&app.settings.name)));
    found.iter().for_each(warn);
    *app.start_findings.lock() = warnings.iter().cloned().chain(found).collect();
    other_processes::compare(&app).await?;
    provider::apply::at_start(&app, environment).await?;
    if setup::is_needed(&app.store, &Principal::process(&[Operation::Diagnose])).await? {
        tracing::info!("there is no administrator: doorward setup-link prints a link that makes one");
    }
    let server = Server::bind(&app)
        .await
        .map_err(|error| Failure::Operator(format!("{listener}: could not listen on {listen}: {error}")))?;
    Ok((app, server))
}

pub(super) async fn run_until(app: Arc<App>, server: Server, stopped: impl Future<Output = ()>) -> Result<(), Failure> {
    let shutdown = async {
        stopped.await;
        tracing::info!("shutting down");
    };
    service::run(app, server, shutdown).await.map_err(|error| Failure::Operator(error.to_string()))
}

/// What holds for every process that serves.
pub(super) fn prepare_process() {
    raise_file_limit();
    forbid_core_dumps();
}

/// Every connection is an open file, and the default limit is often 1024: a thousand stalled clients would exhaust it.
fn raise_file_limit() {
    if let Err(error) = rlimit::increase_nofile_limit(u64::MAX) {
        let message = format!("could not raise the limit of open files: {error}");
        warn(&Finding::new(FindingCode::OpenFileLimit, message));
    }
}

/// A crash would write the secret key, passwords and cookies to a disk. Here rather than in the unit of the package: it
/// holds in containers, too.
fn forbid_core_dumps() {
    if let Err(error) = rlimit::setrlimit(rlimit::Resource::CORE, 0, 0) {
        tracing::warn!("core dumps could not be forbidden: {error}");
    }
}

/// The code is a field, so that a log of JSON can be searched for it.
pub(super) fn warn(finding: &Finding) {
    tracing::warn!(finding = %finding.code, "{}", finding.message);
}

pub(super) fn start_log(settings: &Settings) -> Result<LogWriter, Failure> {
    let log = LogWriter::start().map_err(Failure::Output)?;
    init_logging(settings, log.clone());
    Ok(log)
}

fn init_logging(settings: &Settings, writer: LogWriter) {
    // What clients send is no error of the service. Of two directives for one target, the last one counts. The setting
    // was checked to hold valid ones.
    let filter = EnvFilter::new(format!("{LIBRARY_LOG_TARGET}=off,{}", settings.log.filter));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(move || writer.clone());
    // Fails if a subscriber is set: tests start several services in one process.
    let _ = match settings.log.format {
        LogFormat::Json => log.json().try_init(),
        LogFormat::Text => log.with_ansi(std::io::stderr().is_terminal()).try_init(),
    };
}

/// What the banner says, as a line of the log: in a container both often end up in one stream, of which every line must
/// be JSON.
fn log_start(settings: &Settings, environment: &Environment, address: SocketAddr) {
    let database = match &settings.database.url {
        DatabaseUrl::Sqlite(_) => "sqlite",
        DatabaseUrl::Postgres(_) => "postgresql",
    };
    tracing::info!(
        version = env!("CARGO_PKG_VERSION"),
        address = %address,
        base_url = settings.server.base_url.as_str(),
        database,
        webhooks = banner::webhook_host(settings),
        mail = settings.mail.smtp.as_ref().map(banner::mail_server),
        env_file = environment.local_file().map(|path| tracing::field::display(path.display())),
        "listening"
    );
}
