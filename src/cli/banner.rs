//! What a start prints: the addresses, and what is not configured.

use super::{format, printable};
use crate::settings::{DatabaseUrl, Environment, Settings, Signup, SmtpSettings};
use std::net::SocketAddr;

pub(super) type Rows = Vec<(&'static str, String)>;

pub(super) fn rows(settings: &Settings, environment: &Environment) -> Rows {
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
        None if settings.mail.stays_here => "printed here; nothing is sent".to_owned(),
        None => format!("waits for {}; doorward mail list shows it", variable("SMTP_URL")),
    };
    let env_file =
        environment.local_file().map(|path| format!("{}, where the environment lacks them; ", path.display()));
    vec![
        ("Open", format!("{base}/auth/{page}")),
        ("Database", database),
        ("Webhooks", webhooks),
        ("Mail", mail),
        ("Settings", env_file.unwrap_or_default() + "doorward config, or doorward serve --help"),
    ]
}

pub(super) fn text(rows: &[(&'static str, String)], address: SocketAddr) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("Doorward {version} listens on {address}\n{}", printable::indent(&format::fields(rows), 2))
}

/// The webhooks' receiver without path and query, which may contain a token.
pub(super) fn webhook_host(settings: &Settings) -> Option<&str> {
    settings.webhooks.as_ref().map(|webhooks| webhooks.url.authority().map_or("", |host| host.as_str()))
}

pub(super) fn mail_server(smtp: &SmtpSettings) -> String {
    format!("{}:{}", smtp.host, smtp.port)
}
