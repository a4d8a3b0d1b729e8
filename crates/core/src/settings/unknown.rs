//! Warnings about variables with the service's prefix that may be mistakes: one that is no setting, as a typo must not
//! be silent, and one that is not in the file with the others.

use super::environment::Environment;
use super::name::ServiceName;
use super::table;
use crate::model::finding::{Finding, FindingCode};

/// Returns one warning for each variable that is no setting, and what is odd about the files.
pub(super) fn warnings(name: &ServiceName, environment: &Environment) -> Vec<Finding> {
    let prefix = name.env_prefix();
    let unknown =
        environment.suffixes(prefix).filter(|suffix| !is_known(name, suffix) && !is_set_by_kubernetes(suffix));
    let of_files = environment.findings().iter().cloned().chain(beside_files(name, environment));
    of_files.chain(unknown.map(|suffix| warning(prefix, suffix))).collect()
}

/// One warning about the variables that no file has, without their values.
fn beside_files(name: &ServiceName, environment: &Environment) -> Option<Finding> {
    let prefix = name.env_prefix();
    let is_beside = |suffix: &&str| environment.file(&name.variable(suffix)).is_none() && !is_set_by_kubernetes(suffix);
    let beside: Vec<_> = environment.suffixes(prefix).filter(is_beside).map(|suffix| name.variable(suffix)).collect();
    let message = format!("not in a file of --env-file, but in the environment: {}", beside.join(", ").escape_debug());
    (environment.has_files() && !beside.is_empty()).then(|| Finding::new(FindingCode::BesideEnvFile, message))
}

fn is_known(name: &ServiceName, suffix: &str) -> bool {
    table::find(suffix).is_some() || name.variable(suffix) == ServiceName::VARIABLE
}

/// Kubernetes sets variables for every service of a namespace: `SVC_SERVICE_HOST`, `SVC_PORT_8080_TCP`, ….
fn is_set_by_kubernetes(suffix: &str) -> bool {
    suffix.starts_with("SERVICE_") || suffix.starts_with("PORT")
}

fn warning(prefix: &str, suffix: &str) -> Finding {
    let distance = |known: &&str| strsim::damerau_levenshtein(known, suffix);
    let closest = table::all().map(|spec| spec.suffix).min_by_key(distance).unwrap_or_default();
    let variable = prefix.to_owned() + suffix;
    let message = format!("{}: no such setting; the closest is {prefix}{closest}", variable.escape_debug());
    Finding::new(FindingCode::UnknownVariable, message)
}
