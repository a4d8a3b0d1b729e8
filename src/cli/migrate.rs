//! `doorward migrate …`

use super::failure::Failure;
use super::format;
use super::output::Output;
use crate::boot;
use crate::clock::Clock;
use crate::crypto::password::Params;
use crate::settings::{DatabaseSettings, SchemaUpdate, Settings};
use crate::store::{SchemaStep, schema_steps};
use serde_json::{Value, json};
use std::io::Write;

/// Brings the schema up to date. A new database is opened as by the service, which makes its keys; any other needs no
/// key, so that `secrets reset` can follow where it is lost.
pub async fn run<W: Write>(mut settings: Settings, out: &mut Output<W>) -> Result<(), Failure> {
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
    out.result(&json!({"taken": list(&missing)}), &text)
}

/// Shows what is missing.
pub async fn dry_run<W: Write>(settings: &DatabaseSettings, out: &mut Output<W>) -> Result<(), Failure> {
    let missing = missing(&schema_steps(settings).await?);
    let text = if missing.is_empty() { "The schema is up to date.".to_owned() } else { table(&missing) };
    out.result(&json!({"missing": list(&missing)}), &text)
}

/// Shows every step.
pub async fn status<W: Write>(settings: &DatabaseSettings, out: &mut Output<W>) -> Result<(), Failure> {
    let steps = schema_steps(settings).await?;
    let records: Vec<_> = steps.iter().map(record).collect();
    out.list(&records, None, &table(&steps))
}

fn missing(steps: &[SchemaStep]) -> Vec<SchemaStep> {
    steps.iter().filter(|step| !step.is_taken).copied().collect()
}

fn table(steps: &[SchemaStep]) -> String {
    let state = |step: &SchemaStep| if step.is_taken { "taken" } else { "missing" }.to_owned();
    let rows = steps.iter().map(|step| [step.number.to_string(), state(step), step.description.to_owned()]);
    format::table(["step", "state", "about"], rows)
}

fn list(steps: &[SchemaStep]) -> Vec<Value> {
    steps.iter().map(|step| json!({"number": step.number, "description": step.description})).collect()
}

fn record(step: &SchemaStep) -> Value {
    json!({"number": step.number, "description": step.description, "taken": step.is_taken})
}
