//! What is wrong with an instance, or still to be set, as far as it can be said without asking anyone.

use crate::context::App;
use crate::model::finding::{Finding, FindingCode};
use crate::model::this_machine::is_this_machine;
use crate::model::time::Time;
use crate::store::{Conn, Result};
use std::time::Duration;

const DAY: Duration = Duration::from_hours(24);
/// An instance is new for a week, and a backup recent.
const WEEK: Duration = Duration::from_hours(7 * 24);

const RECORD: &str =
    "doorward backup creates or describes one, and doorward backup --record records those made by other means";

/// What the start found, in what other processes differ, and what a new instance lacks.
pub async fn findings(app: &App, conn: &mut Conn) -> Result<Vec<Finding>> {
    let mut found = app.start_findings.lock().clone();
    let differences = app.reported_differences.lock().clone();
    if !differences.is_empty() {
        found.push(Finding::new(FindingCode::SettingsDiffer, differences));
    }
    found.extend(unset(app));
    found.extend(lack_of_backup(conn, app.clock.now()).await?);
    Ok(found)
}

/// Whether a backup is still to be planned, or none was recorded for a week.
pub async fn lack_of_backup(conn: &mut Conn, now: Time) -> Result<Option<Finding>> {
    let (made_at, backed_up_at) = (conn.instance_created_at().await?, conn.instance_backed_up_at().await?);
    Ok(match backed_up_at {
        Some(at) if now < at + WEEK => None,
        Some(at) => {
            let days = now.since(at).as_secs() / DAY.as_secs();
            let message = format!("the last recorded backup is {days} days old; {RECORD}");
            Some(Finding::new(FindingCode::NoBackup, message))
        }
        None if made_at.is_some_and(|at| now < at + WEEK) => {
            let message =
                "This instance is new: plan backups, and store the secret key separately (doorward backup --help)";
            Some(Finding::new(FindingCode::NoBackupYet, message))
        }
        None => Some(Finding::new(FindingCode::NoBackup, format!("no backup has been recorded; {RECORD}"))),
    })
}

fn unset(app: &App) -> Vec<Finding> {
    let settings = &app.settings;
    let variable = |suffix| settings.name.variable(suffix);
    let mut found = Vec::new();
    if is_this_machine(settings.server.base_url.host()) {
        let message = format!("{} points to this machine, so emailed links work nowhere else", variable("BASE_URL"));
        found.push(Finding::new(FindingCode::AddressIsLocal, message));
    }
    if settings.mail.smtp.is_none() {
        let message = format!("{} is not set: emails wait, and nobody can reset a password", variable("SMTP_URL"));
        found.push(Finding::new(FindingCode::NoMailServer, message));
    }
    if settings.webhooks.is_none() {
        let message = format!("{} is not set: applications receive no events", variable("WEBHOOK_URL"));
        found.push(Finding::new(FindingCode::NoWebhooks, message));
    }
    found
}
