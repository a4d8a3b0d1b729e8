//! What is wrong with an instance, or still to be set, as far as it can be said without asking anyone.

use crate::context::App;
use crate::model::finding::{Finding, FindingCode};
use crate::model::this_machine::is_this_machine;
use crate::store::{Conn, Result};
use std::time::Duration;

/// An instance is new for a week.
const NEW: Duration = Duration::from_hours(7 * 24);

/// What the start found, in what other processes differ, and what a new instance lacks.
pub async fn findings(app: &App, conn: &mut Conn) -> Result<Vec<Finding>> {
    let mut found = app.start_findings.lock().clone();
    let differences = app.reported_differences.lock().clone();
    if !differences.is_empty() {
        found.push(Finding::new(FindingCode::SettingsDiffer, differences));
    }
    found.extend(unset(app));
    let is_new = conn.instance_created_at().await?.is_some_and(|at| app.clock.now() < at + NEW);
    if is_new && conn.instance_backed_up_at().await?.is_none() {
        let message = "This instance is new: plan a backup, and keep the secret key apart (doorward backup --help)";
        found.push(Finding::new(FindingCode::NoBackupYet, message));
    }
    Ok(found)
}

fn unset(app: &App) -> Vec<Finding> {
    let settings = &app.settings;
    let variable = |suffix| settings.name.variable(suffix);
    let mut found = Vec::new();
    if is_this_machine(settings.server.base_url.host()) {
        let message = format!("{} is an address of this machine: nobody else can follow a link", variable("BASE_URL"));
        found.push(Finding::new(FindingCode::AddressIsLocal, message));
    }
    if settings.mail.smtp.is_none() {
        let message = format!("{} is not set: mails wait, and nobody can reset a password", variable("SMTP_URL"));
        found.push(Finding::new(FindingCode::NoMailServer, message));
    }
    if settings.webhooks.is_none() {
        let message = format!("{} is not set: applications do not hear of what happens", variable("WEBHOOK_URL"));
        found.push(Finding::new(FindingCode::NoWebhooks, message));
    }
    found
}
