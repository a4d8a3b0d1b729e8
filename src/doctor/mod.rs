//! `doorward doctor`: examines an instance from its settings to its neighbours. Every wait has a limit, and nothing is
//! changed that outlives the examination.

mod address;
mod application;
mod call;
mod certificate;
mod database;
mod deliveries;
mod files;
mod mail;
mod processes;
mod providers;
mod proxy;
mod report;
mod schema;
mod soundness;
mod webhooks;

pub use application::Echo;
pub use providers::examine_provider;
pub use report::{Line, Report};

use crate::boot;
use crate::clock::Clock;
use crate::crypto::secret_keys::SecretKeys;
use crate::model::finding::{Finding, FindingCode};
use crate::settings::{Environment, SchemaUpdate, ServiceName, Settings};
use hyper::Uri;

#[derive(Clone, Debug, Default)]
pub struct Extent {
    /// Sends a signed ping to the receiver of webhooks.
    pub sends: bool,
    /// An application behind the gate, in whose place an [`Echo`] runs.
    pub application: Option<Uri>,
}

/// Examines the instance that these variables describe.
pub async fn examine(name: &ServiceName, environment: &Environment, extent: &Extent) -> Report {
    let mut report = Report::default();
    let Some(mut settings) = settings(&mut report, name, environment) else { return report };
    // Whatever is found, nothing is changed.
    settings.database.schema_update = SchemaUpdate::Never;
    files::examine(&mut report, &settings).await;
    let keys = secret_keys(&mut report, &settings);
    let clock = Clock::system();
    mail::examine(&mut report, &settings, &clock).await;
    webhooks::examine(&mut report, &settings, &clock, extent.sends).await;
    if let Some(application) = &extent.application {
        application::examine(&mut report, &settings, application).await;
    }
    soundness::examine(&mut report, &settings).await;
    let Some(store) = database::open(&mut report, &settings, &clock).await else { return report };
    schema::examine(&mut report, &store).await;
    database::examine(&mut report, &store, keys.as_ref()).await;
    deliveries::examine(&mut report, &store, &settings).await;
    if let Some(keys) = &keys {
        processes::examine(&mut report, &store, &settings, keys).await;
        providers::examine(&mut report, &store, &settings, keys, &clock).await;
    }
    address::examine(&mut report, &store, &settings, &clock).await;
    store.close().await;
    report
}

fn settings(report: &mut Report, name: &ServiceName, environment: &Environment) -> Option<Settings> {
    const CHECK: &str = "settings";
    let (warnings, loaded) = match Settings::load(name, environment) {
        Ok(loaded) => (loaded.warnings, Ok(loaded.settings)),
        Err(failed) => (failed.warnings, Err(failed.problems)),
    };
    // The doctor sees for itself whether mail goes without TLS.
    for warning in warnings.into_iter().filter(|warning| warning.code != FindingCode::MailWithoutTls) {
        report.found(CHECK, warning);
    }
    match loaded {
        Ok(settings) => {
            report.ok_unless_found(CHECK, "all valid; doorward config shows them");
            Some(settings)
        }
        Err(problems) => {
            for problem in problems {
                report.found(CHECK, Finding::new(FindingCode::SettingInvalid, problem.to_string()));
            }
            None
        }
    }
}

fn secret_keys(report: &mut Report, settings: &Settings) -> Option<SecretKeys> {
    let message = match boot::existing_secret_keys(settings) {
        Ok(Some(keys)) => return Some(keys),
        Ok(None) => format!(
            "there is no secret key: set {}, restore the file in {}, or start a new service once",
            settings.name.variable("SECRET_KEY"),
            settings.database.data_dir.display()
        ),
        Err(error) => error.to_string(),
    };
    report.found("key", Finding::new(FindingCode::KeyMissing, message));
    None
}
