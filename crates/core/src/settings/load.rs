//! Loads typed settings from environment variables, or reports every problem.

use super::describe::describe;
use super::environment::Environment;
use super::name::ServiceName;
use super::problem::Problems;
use super::reader::{Read, Reader};
use super::spec::Values;
use super::{
    Settings, accounts, database, gate, log, mail, pages, providers, secret, server, sessions, table, tokens, webhooks,
};
use crate::model::finding::{Finding, FindingCode};
use std::sync::Arc;

#[derive(Debug)]
pub struct LoadedSettings {
    pub settings: Settings,
    /// One line for each variable that looks like a setting but is not, and for what is permitted but not safe.
    pub warnings: Vec<Finding>,
}

impl Settings {
    /// Reads every setting of the service `name`; reports all problems at once.
    pub fn load(name: &ServiceName, environment: &Environment) -> Result<LoadedSettings, Problems> {
        load(name, environment, SecretKey::AsDatabaseNeeds)
    }

    /// As [`Settings::load`], for what uses the database without any key: with PostgreSQL, too, the secret key may be
    /// unset.
    pub fn load_without_secret_key(name: &ServiceName, environment: &Environment) -> Result<LoadedSettings, Problems> {
        load(name, environment, SecretKey::Optional)
    }
}

/// Whether the secret key must be set.
#[derive(Clone, Copy)]
enum SecretKey {
    /// With PostgreSQL; with SQLite there is a file for it.
    AsDatabaseNeeds,
    /// Never.
    Optional,
}

fn load(name: &ServiceName, environment: &Environment, secret_key: SecretKey) -> Result<LoadedSettings, Problems> {
    let mut warnings = of_variables(name, environment);
    let mut reader = Reader::new(Values { name, environment });
    let settings = read(&mut reader, secret_key);
    match (settings, reader.problems) {
        (Ok(settings), problems) if problems.is_empty() => {
            warnings.extend(server::warnings(name, &settings.server));
            warnings.extend(settings.mail.without_tls(name));
            warnings.extend(gate::warnings(name, &settings.gate, &settings.accounts));
            Ok(LoadedSettings { settings, warnings })
        }
        (_, problems) => Err(Problems { problems, warnings }),
    }
}

fn read(reader: &mut Reader<'_>, secret_key: SecretKey) -> Read<Settings> {
    let server = server::read(reader);
    let database = database::read(reader);
    let secret_keys = match secret_key {
        SecretKey::AsDatabaseNeeds => secret::read(reader, database.as_ref().ok().map(|database| &database.url)),
        SecretKey::Optional => secret::read(reader, None),
    };
    let sessions = sessions::read(reader);
    let gate = gate::read(reader);
    let tokens = tokens::read(reader);
    let accounts = accounts::read(reader);
    let providers = providers::read(reader);
    let mail = mail::read(reader);
    let pages = pages::read(reader);
    let webhooks = webhooks::read(reader);
    let log = log::read(reader);
    let (mail, pages) = (mail?, pages?);
    Ok(Settings {
        name: reader.values.name.clone(),
        server: server?,
        database: database?,
        secret_keys: secret_keys?,
        sessions: sessions?,
        gate: gate?,
        tokens: tokens?,
        accounts: accounts?,
        providers: providers?,
        mail: mail.sent_by(&pages.brand),
        pages,
        webhooks: webhooks?.map(Arc::new),
        log: log?,
        described: describe(reader.values.name, reader.values.environment),
    })
}

/// The product's name, which is guessed to begin the variables.
const PRODUCT_PREFIX: &str = "DOORWARD_";

/// One warning for each variable with the prefix that is no setting, as a typo must not be silent, for each setting behind
/// the product's name, and what is odd about the files.
fn of_variables(name: &ServiceName, environment: &Environment) -> Vec<Finding> {
    let prefix = name.env_prefix();
    let unknown =
        environment.suffixes(prefix).filter(|suffix| !is_known(name, suffix) && !is_set_by_kubernetes(suffix));
    let misnamed =
        environment.suffixes(PRODUCT_PREFIX).filter(|suffix| prefix != PRODUCT_PREFIX && is_almost_set(suffix));
    let misspelt = unknown.map(|suffix| (prefix, suffix)).chain(misnamed.map(|suffix| (PRODUCT_PREFIX, suffix)));
    let findings = misspelt.map(|(prefix, suffix)| {
        Finding::new(FindingCode::UnknownVariable, name.no_such_setting(&format!("{prefix}{suffix}")))
    });
    let of_files = environment.findings().iter().cloned().chain(beside_files(name, environment));
    of_files.chain(findings).collect()
}

/// What the client libraries read, some of which is called like a setting.
const OF_LIBRARIES: [&str; 4] = ["APP_URL", "AUDIENCE", "WEBHOOK_SECRET", "WEBHOOK_SECRET_PREVIOUS"];

/// Whether a suffix is that of a setting, but for one letter: other variables of the product's name are an application's.
fn is_almost_set(suffix: &str) -> bool {
    !OF_LIBRARIES.contains(&suffix) && table::all().any(|spec| strsim::damerau_levenshtein(spec.suffix, suffix) <= 1)
}

/// One warning about the variables that no file has, without their values.
fn beside_files(name: &ServiceName, environment: &Environment) -> Option<Finding> {
    let prefix = name.env_prefix();
    let is_beside = |suffix: &&str| environment.is_of_process(&name.variable(suffix)) && !is_set_by_kubernetes(suffix);
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

impl ServiceName {
    /// What is wrong with a variable that is no setting, which names the closest one.
    pub fn no_such_setting(&self, variable: &str) -> String {
        let prefixes = [self.env_prefix(), PRODUCT_PREFIX];
        let suffix = prefixes.iter().find_map(|prefix| variable.strip_prefix(prefix)).unwrap_or(variable);
        let distance = |known: &&str| strsim::damerau_levenshtein(known, suffix);
        let closest = table::all().map(|spec| spec.suffix).min_by_key(distance).unwrap_or_default();
        format!("{}: no such setting; the closest is {}", variable.escape_debug(), self.variable(closest))
    }
}

#[cfg(test)]
#[path = "load_tests.rs"]
mod tests;
