//! `doorward config`: prints every setting, and checks whether the service could start.

use super::failure::Failure;
use super::output::Output;
use crate::model::finding::Finding;
use crate::settings::{DescribedSetting, Environment, ServiceName, SettingProblem, Settings, describe};
use crate::store::Store;
use serde::Serialize;

/// The output of `doorward config --json`.
#[derive(Serialize)]
struct Report<'a> {
    name: &'a str,
    /// The file of the working directory, if it was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    env_file: Option<String>,
    settings: Vec<DescribedSetting>,
    warnings: Vec<String>,
    problems: Vec<SettingProblem>,
}

/// Prints the settings, or the value of one, with warnings and problems, with JSON the problems as one error; fails if
/// there are problems.
pub(super) fn run(
    name: &ServiceName,
    environment: &Environment,
    setting: Option<&str>,
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    let (warnings, problems) = match Settings::load(name, environment) {
        Ok(loaded) => (lines(&loaded.warnings), database_problem(name, &loaded.settings)),
        Err(failed) => (lines(&failed.warnings), failed.problems),
    };
    let env_file = environment.local_file().map(|path| path.display().to_string());
    let report = Report { name: name.as_str(), env_file, settings: describe(name, environment), warnings, problems };
    match setting {
        Some(variable) => {
            let setting = find(&report.settings, variable).ok_or_else(|| no_such_setting(name, variable))?;
            out.result(setting, setting.value.as_deref().unwrap_or_default())?;
        }
        None => out.result(&report, &table(&report))?,
    }
    report.warnings.iter().for_each(|warning| out.warn(&format!("warning: {warning}")));
    if report.problems.is_empty() {
        return Ok(());
    }
    // With JSON, as every other command does with such settings.
    let before = if out.is_json() { "" } else { "error: " };
    let problems: Vec<String> = report.problems.iter().map(|problem| format!("{before}{problem}")).collect();
    Err(Failure::Settings(problems.join("\n")))
}

fn find<'a>(settings: &'a [DescribedSetting], variable: &str) -> Option<&'a DescribedSetting> {
    settings.iter().find(|setting| setting.variable == variable)
}

fn no_such_setting(name: &ServiceName, variable: &str) -> Failure {
    Failure::Operator(name.no_such_setting(variable))
}

fn lines(warnings: &[Finding]) -> Vec<String> {
    warnings.iter().map(ToString::to_string).collect()
}

/// What the settings alone show to be wrong with the database.
fn database_problem(name: &ServiceName, settings: &Settings) -> Vec<SettingProblem> {
    let problem = Store::check(&settings.database).err();
    let variable = name.variable("DATABASE_URL");
    problem.map(|error| SettingProblem { variable, message: error.to_string() }).into_iter().collect()
}

fn table(report: &Report<'_>) -> String {
    let mut lines = vec![format!("Service name: {}", report.name)];
    lines.extend(report.env_file.as_ref().map(|file| format!("What the environment lacks: from {file}")));
    let width = |text: fn(&DescribedSetting) -> usize| report.settings.iter().map(text).max().unwrap_or(0);
    let variable_width = width(|setting| setting.variable.chars().count());
    let value_width = width(|setting| value(setting).chars().count()).min(60);
    let source_width = width(|setting| setting.origin().chars().count()).max(11);
    let mut section = "";
    for setting in &report.settings {
        if setting.section != section {
            section = setting.section;
            lines.push(format!("\n{section}"));
        }
        let (variable, value, default) = (&setting.variable, value(setting), &setting.default);
        let source = setting.origin();
        lines.push(format!(
            "  {variable:variable_width$}  {value:value_width$}  {source:source_width$}  default: {default}"
        ));
    }
    lines.join("\n")
}

fn value(setting: &DescribedSetting) -> &str {
    setting.value.as_deref().unwrap_or("-")
}
