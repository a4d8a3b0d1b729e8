//! `doorward serve`

use super::failure::Failure;
use super::log_writer::LogWriter;
use super::output::Output;
use super::{format, printable, provider};
use crate::boot::{self, StartError};
use crate::clock::Clock;
use crate::crypto::passkey::LIBRARY_LOG_TARGET;
use crate::crypto::password::Params;
use crate::domain::other_processes;
use crate::domain::registration::setup;
use crate::http::Server;
use crate::model::finding::{Finding, FindingCode};
use crate::model::principal::{Operation, Principal};
use crate::service;
use crate::settings::{DatabaseUrl, Environment, LogFormat, Settings, Signup, SmtpSettings};
use std::io::IsTerminal;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

/// Runs the service until SIGTERM or SIGINT.
pub async fn run(
    settings: Settings,
    environment: &Environment,
    warnings: &[Finding],
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    let log = LogWriter::start().map_err(Failure::Output)?;
    init_logging(&settings, log.clone());
    let served = serve(settings, environment, warnings, out).await;
    log.wait_until_written();
    served
}

async fn serve(
    settings: Settings,
    environment: &Environment,
    warnings: &[Finding],
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    warnings.iter().for_each(warn);
    raise_file_limit();
    forbid_core_dumps();
    let listen = settings.server.listen;
    let variable = settings.name.variable("LISTEN");
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
        .map_err(|error| Failure::Operator(format!("{variable}: could not listen on {listen}: {error}")))?;
    let address = server.local_addr().map_err(Failure::Output)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(Failure::Output)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(Failure::Output)?;
    match app.settings.log.format {
        LogFormat::Text => {
            // The service runs, whether this is read or not.
            let _ = out.print(&banner(&app.settings, &address.to_string()));
        }
        LogFormat::Json => log_start(&app.settings, &address.to_string()),
    }
    service::run(app, server, async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("shutting down");
    })
    .await
    .map_err(|error| Failure::Operator(error.to_string()))
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
fn warn(finding: &Finding) {
    tracing::warn!(finding = %finding.code, "{}", finding.message);
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
fn log_start(settings: &Settings, address: &str) {
    let database = match &settings.database.url {
        DatabaseUrl::Sqlite(_) => "sqlite",
        DatabaseUrl::Postgres(_) => "postgresql",
    };
    tracing::info!(
        version = env!("CARGO_PKG_VERSION"),
        address,
        base_url = settings.server.base_url.as_str(),
        database,
        webhooks = webhook_host(settings),
        mail = settings.mail.smtp.as_ref().map(mail_server),
        "listening"
    );
}

/// The webhooks' receiver without path and query, which may contain a token.
fn webhook_host(settings: &Settings) -> Option<&str> {
    settings.webhooks.as_ref().map(|webhooks| webhooks.url.authority().map_or("", |host| host.as_str()))
}

fn mail_server(smtp: &SmtpSettings) -> String {
    format!("{}:{}", smtp.host, smtp.port)
}

/// The addresses, and what is not configured.
fn banner(settings: &Settings, address: &str) -> String {
    let base = settings.server.base_url.as_str();
    let variable = |suffix| settings.name.variable(suffix);
    let page = if settings.accounts.signup == Signup::Open { "signup" } else { "login" };
    let database = match &settings.database.url {
        DatabaseUrl::Sqlite(path) => format!("SQLite, {} (another: {})", path.display(), variable("DATABASE_URL")),
        DatabaseUrl::Postgres(_) => "PostgreSQL".to_owned(),
    };
    let webhooks = match webhook_host(settings) {
        Some(host) => format!("to {host}"),
        None => format!("off; set {} and {}", variable("WEBHOOK_URL"), variable("WEBHOOK_SECRET")),
    };
    let mail = match &settings.mail.smtp {
        Some(smtp) => format!("by {}", mail_server(smtp)),
        None => format!("waits for {}; doorward mail list shows it", variable("SMTP_URL")),
    };
    let fields = format::fields(&[
        ("Open", format!("{base}/auth/{page}")),
        ("Database", database),
        ("Webhooks", webhooks),
        ("Mail", mail),
        ("Settings", "doorward config, or doorward serve --help".to_owned()),
    ]);
    let version = env!("CARGO_PKG_VERSION");
    format!("Doorward {version} listens on {address}\n{}", printable::indent(&fields, 2))
}
