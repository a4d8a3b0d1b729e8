//! Test helpers for the settings.

use super::{Environment, LoadedSettings, Problems, ServiceName, Settings};

/// Loads the settings of the service `svc` from these variables, given without their prefix.
pub(super) fn load(variables: &[(&str, &str)]) -> Result<LoadedSettings, Problems> {
    let name = ServiceName::parse("svc").map_err(|_| Problems { problems: Vec::new(), warnings: Vec::new() })?;
    let environment: Environment =
        variables.iter().map(|(suffix, value)| (name.variable(suffix), (*value).to_owned())).collect();
    Settings::load(&name, &environment)
}

#[track_caller]
#[expect(clippy::unwrap_used, reason = "a test may fail loudly")]
pub(super) fn settings(variables: &[(&str, &str)]) -> Settings {
    load(variables).unwrap().settings
}

/// Returns the problem line of variables with exactly one mistake.
#[track_caller]
#[expect(clippy::unwrap_used, reason = "a test may fail loudly")]
pub(super) fn problem(variables: &[(&str, &str)]) -> String {
    let problems = load(variables).unwrap_err();
    assert_eq!(problems.problems.len(), 1, "{problems}");
    problems.to_string()
}

/// Asserts that each value of the setting is rejected with one line that names the variable and contains `allowed`.
#[track_caller]
pub(super) fn refused(suffix: &str, values: &[&str], allowed: &str) {
    for value in values {
        let line = problem(&[(suffix, value)]);
        assert!(line.starts_with(&format!("SVC_{suffix}: ")), "{line}");
        assert!(line.contains(allowed), "{line}");
        assert_eq!(line.lines().count(), 1, "{line}");
    }
}
