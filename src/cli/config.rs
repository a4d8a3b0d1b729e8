//! `doorward config`: prints every setting, and checks whether the service could start.

use crate::settings::{DescribedSetting, Environment, ServiceName, SettingProblem, Settings, describe};
use serde::Serialize;
use std::io;
use std::io::Write;

/// The exit code for invalid settings.
const INVALID_SETTINGS: u8 = 2;

/// The output of `doorward config --json`.
#[derive(Serialize)]
struct Report<'a> {
    name: &'a str,
    settings: Vec<DescribedSetting>,
    warnings: Vec<String>,
    problems: Vec<SettingProblem>,
}

/// Prints the settings to `out` and, except with `json`, warnings and problems to `err`. Returns the exit code: 2 if
/// the settings are invalid.
pub fn run(
    name: &ServiceName,
    environment: &Environment,
    json: bool,
    out: &mut impl Write,
    err: &mut impl Write,
) -> io::Result<u8> {
    let (warnings, problems) = match Settings::load(name, environment) {
        Ok(loaded) => (loaded.warnings, Vec::new()),
        Err(failed) => (failed.warnings, failed.problems),
    };
    let report = Report { name: name.as_str(), settings: describe(name, environment), warnings, problems };
    if json {
        serde_json::to_writer_pretty(&mut *out, &report)?;
        writeln!(out)?;
    } else {
        write_table(&report, out)?;
        out.flush()?;
        write_findings(&report, err)?;
    }
    Ok(if report.problems.is_empty() { 0 } else { INVALID_SETTINGS })
}

fn write_table(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "Service name: {}", report.name)?;
    let width = |text: fn(&DescribedSetting) -> usize| report.settings.iter().map(text).max().unwrap_or(0);
    let variable_width = width(|setting| setting.variable.chars().count());
    let value_width = width(|setting| value(setting).chars().count()).min(60);
    let mut section = "";
    for setting in &report.settings {
        if setting.section != section {
            section = setting.section;
            writeln!(out, "\n{section}")?;
        }
        let (variable, source) = (&setting.variable, setting.source.as_str());
        let value = value(setting);
        write!(out, "  {variable:variable_width$}  {value:value_width$}  {source:11}")?;
        writeln!(out, "  default: {}", setting.default)?;
    }
    Ok(())
}

fn value(setting: &DescribedSetting) -> &str {
    setting.value.as_deref().unwrap_or("-")
}

fn write_findings(report: &Report<'_>, err: &mut impl Write) -> io::Result<()> {
    for warning in &report.warnings {
        writeln!(err, "warning: {warning}")?;
    }
    for problem in &report.problems {
        writeln!(err, "error: {problem}")?;
    }
    err.flush()
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;
