//! `doorward migrate …`

use super::failure::Failure;
use super::format;
use super::output::Output;
use crate::boot;
use crate::clock::Clock;
use crate::crypto::password::Params;
use crate::settings::{SchemaUpdate, Settings};
use crate::store::{SchemaStep, StepState, schema_steps};
use serde::Serialize;

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Steps {
    Taken(Vec<SchemaStep>),
    Missing(Vec<SchemaStep>),
}

/// Brings the schema up to date. A new database is opened as by the service, which makes its keys; any other needs no
/// key, so that `secrets reset` can follow where it is lost.
pub async fn run(mut settings: Settings, (): (), out: &mut Output<'_>) -> Result<(), Failure> {
    let steps = schema_steps(&settings.database).await?;
    let missing = missing(&steps);
    settings.database.schema_update = SchemaUpdate::Any;
    if missing.len() == steps.len() {
        boot::app(settings, Clock::system(), Params::OWASP).await?.store.close().await;
    } else {
        boot::store(&settings, Clock::system()).await?.close().await;
    }
    let text = match missing.len() {
        0 => "The schema was up to date already.".to_owned(),
        1 => "The schema is up to date; one step was missing.".to_owned(),
        steps => format!("The schema is up to date; {steps} steps were missing."),
    };
    out.result(&Steps::Taken(missing), &text)
}

pub async fn dry_run(settings: Settings, (): (), out: &mut Output<'_>) -> Result<(), Failure> {
    let mut steps = schema_steps(&settings.database).await?;
    steps.retain(|state| !state.is_taken);
    let text = if steps.is_empty() { "The schema is up to date.".to_owned() } else { table(&steps) };
    out.result(&Steps::Missing(missing(&steps)), &text)
}

pub async fn status(settings: Settings, (): (), out: &mut Output<'_>) -> Result<(), Failure> {
    let steps = schema_steps(&settings.database).await?;
    out.list(&steps, None, &table(&steps))
}

fn missing(steps: &[StepState]) -> Vec<SchemaStep> {
    steps.iter().filter(|state| !state.is_taken).map(|state| state.step).collect()
}

fn table(steps: &[StepState]) -> String {
    let rows = steps.iter().map(|StepState { step, is_taken }| {
        [step.number.to_string(), if *is_taken { "taken" } else { "missing" }.to_owned(), step.description.to_owned()]
    });
    format::table(["step", "state", "about"], rows)
}
