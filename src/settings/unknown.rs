//! Warnings about variables with the service's prefix that are not settings: a typo must not be silent.

use super::environment::Environment;
use super::name::ServiceName;
use super::table;
use crate::model::finding::{Finding, FindingCode};

/// Returns one warning for each such variable.
pub(super) fn warnings(name: &ServiceName, environment: &Environment) -> Vec<Finding> {
    let prefix = name.env_prefix();
    let unknown =
        environment.suffixes(prefix).filter(|suffix| !is_known(name, suffix) && !is_set_by_kubernetes(suffix));
    unknown.map(|suffix| warning(prefix, suffix)).collect()
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
