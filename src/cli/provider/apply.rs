//! `doorward apply`, and `SVC_APPLY_FILE` at a start.

use super::args::ApplyFile;
use super::secrets::{NamedSecrets, read};
use crate::cli::failure::Failure;
use crate::cli::output::Output;
use crate::context::App;
use crate::domain::change;
use crate::domain::provider::apply::{Apply, ProviderPlan, ProviderStep, WantedProviders};
use crate::domain::provider::file::{self, MAX_PROVIDER_FILE_LEN};
use crate::model::principal::Principal;
use crate::refusal::{ChangeError, Refusal, Rule};
use crate::settings::Environment;
use serde_json::{Value, json};
use std::path::Path;

const NOTHING: &str = "Nothing to change";

/// Brings the providers to what a file says, after its plan was confirmed.
pub(in crate::cli) async fn run(
    app: &App,
    (environment, how): (&Environment, &ApplyFile),
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    let wanted = wanted(&how.file, environment, how.prune).map_err(Failure::Operator)?;
    let plan = wanted.plan(app, &Principal::operator()).await.map_err(|error| of_file(&how.file, error))?;
    if plan.0.is_empty() {
        return out.result(&record(&plan, 0), NOTHING);
    }
    require_confirmed(&plan, how.yes, out)?;
    let apply = Apply { wanted: &wanted, shown: Some(&plan) };
    let applied = change::run(app, &Principal::operator(), apply).await;
    let (plan, sessions) = applied.map_err(|error| of_file(&how.file, error))?;
    let mut lines = lines(&plan);
    if sessions > 0 {
        lines.push(format!("Sessions ended: {sessions}"));
    }
    lines.push("Applied".to_owned());
    out.result(&record(&plan, sessions), &lines.join("\n"))
}

/// Applies the file that the settings name, if they name one, without removing any provider.
pub(in crate::cli) async fn at_start(app: &App, environment: &Environment) -> Result<(), Failure> {
    let Some(path) = &app.settings.providers.apply_file else { return Ok(()) };
    let variable = app.settings.name.variable("APPLY_FILE");
    let wanted =
        wanted(path, environment, false).map_err(|sentence| Failure::Operator(format!("{variable}: {sentence}")))?;
    match change::run(app, &Principal::operator(), Apply { wanted: &wanted, shown: None }).await {
        Ok((plan, _)) if plan.0.is_empty() => Ok(()),
        Ok((plan, _)) => {
            tracing::info!("{variable}: {}", lines(&plan).join("; "));
            Ok(())
        }
        Err(ChangeError::Failed(error)) => Err(Failure::Fault(error)),
        Err(ChangeError::Refused(refusal)) => {
            Err(Failure::Operator(format!("{variable}: {}: {refusal}", path.display())))
        }
    }
}

fn wanted(path: &Path, environment: &Environment, prune: bool) -> Result<WantedProviders, String> {
    let text = read(path, MAX_PROVIDER_FILE_LEN)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let providers = file::parse(&text, &NamedSecrets { folder, environment })
        .map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(WantedProviders { providers, prune })
}

/// What is wrong with a file as a whole is a mistake of its author.
fn of_file(path: &Path, error: ChangeError) -> Failure {
    match error {
        ChangeError::Refused(refusal @ (Refusal::Fields(_) | Refusal::Rule(Rule::Full, _))) => {
            Failure::Operator(format!("{}: {refusal}", path.display()))
        }
        error => error.into(),
    }
}

/// Shows the plan with the question: on standard error, as the answer to a question does not go into a pipe.
fn require_confirmed(plan: &ProviderPlan, yes: bool, out: &mut Output<'_>) -> Result<(), Failure> {
    if yes {
        return Ok(());
    }
    let shown = lines(plan).join("; ");
    match out.confirm(&format!("{shown}. Apply?"))? {
        Some(true) => Ok(()),
        Some(false) => Err(Failure::Refused("nothing was changed".to_owned())),
        None => Err(Failure::Operator(format!("to do: {shown}. There is no terminal to answer on; --yes confirms it"))),
    }
}

fn lines(plan: &ProviderPlan) -> Vec<String> {
    let line = |step: &ProviderStep| match step {
        ProviderStep::Add(name) => format!("add {name}"),
        ProviderStep::Change(name, fields) => format!("change {name}: {}", fields.join(", ")),
        ProviderStep::Remove(name) => format!("remove {name}"),
    };
    plan.0.iter().map(line).collect()
}

fn record(plan: &ProviderPlan, sessions_ended: u64) -> Value {
    let step = |step: &ProviderStep| match step {
        ProviderStep::Add(name) => json!({"name": name.as_str(), "change": "add"}),
        ProviderStep::Change(name, fields) => json!({"name": name.as_str(), "change": "change", "fields": fields}),
        ProviderStep::Remove(name) => json!({"name": name.as_str(), "change": "remove"}),
    };
    let steps: Vec<Value> = plan.0.iter().map(step).collect();
    json!({"changed": !steps.is_empty(), "changes": steps, "sessions_ended": sessions_ended})
}
