//! `doorward migrate …`

use super::failure::Failure;
use super::format;
use super::output::Output;
use crate::boot;
use crate::clock::Clock;
use crate::crypto::password::Params;
use crate::settings::{DatabaseSettings, Settings};
use crate::store::{SchemaStep, schema_steps};
use serde_json::{Value, json};
use std::io::Write;

/// Brings the schema up to date. Opens the database as the service does: the first time, that also makes its keys.
pub async fn run<W: Write>(mut settings: Settings, out: &mut Output<W>) -> Result<(), Failure> {
    let missing = missing(&settings.database).await?;
    settings.database.migrates = true;
    let app = boot::app(settings, Clock::system(), Params::OWASP).await?;
    app.store.close().await;
    let text = match missing.len() {
        0 => "The schema was up to date already.".to_owned(),
        1 => "The schema is up to date; one step was missing.".to_owned(),
        steps => format!("The schema is up to date; {steps} steps were missing."),
    };
    out.result(&json!({"taken": list(&missing)}), &text)
}

/// Shows what is missing.
pub async fn dry_run<W: Write>(settings: &DatabaseSettings, out: &mut Output<W>) -> Result<(), Failure> {
    let missing = missing(settings).await?;
    let text = if missing.is_empty() { "The schema is up to date.".to_owned() } else { table(&missing) };
    out.result(&json!({"missing": list(&missing)}), &text)
}

/// Shows every step.
pub async fn status<W: Write>(settings: &DatabaseSettings, out: &mut Output<W>) -> Result<(), Failure> {
    let steps = schema_steps(settings).await?;
    let records: Vec<_> = steps.iter().map(record).collect();
    out.list(&records, None, &table(&steps))
}

async fn missing(settings: &DatabaseSettings) -> Result<Vec<SchemaStep>, Failure> {
    Ok(schema_steps(settings).await?.into_iter().filter(|step| !step.is_taken).collect())
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
