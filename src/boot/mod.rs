//! Wiring: builds the [`App`] of a process from its settings.

mod ephemeral_dir;
mod file_modes;
mod owner;
mod private_dir;
mod secret_key;

use crate::clock::Clock;
use crate::context::App;
use crate::crypto::access_token::TokenVerifier;
use crate::crypto::hashing_pool::HashingPool;
use crate::crypto::password::{Params, PasswordHasher};
use crate::domain::keys;
use crate::error::Error;
use crate::metrics::{Metrics, MetricsError, PasswordMetrics};
use crate::model::event::EventKinds;
use crate::model::ids::ProcessId;
use crate::oidc::ProviderDocuments;
use crate::outbound::SharedExternalClient;
use crate::random;
use crate::rate_limit::RateLimiter;
use crate::refusal::ChangeError;
use crate::settings::{DatabaseUrl, Settings};
use crate::store::{self, FailedAttempts, HourlyCounts, LastUse, Store, StoreError};
pub use ephemeral_dir::EphemeralDir;
pub use file_modes::warnings as file_warnings;
use parking_lot::Mutex;
pub use private_dir::{PrivateDir, publish};
pub use secret_key::{
    SecretFileError, create_data_dir, existing as existing_secret_keys, make_lost as make_secret_key,
    path as secret_key_path, text as secret_key_text,
};
use std::sync::Arc;
use tokio::sync::Notify;

/// The number of callers that may wait for a password hash, per concurrent hash: about three seconds of work.
const MAX_WAITING_PER_CORE: usize = 200;

#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// A mistake of the operator; a sentence that names the variable or the file.
    #[error("{0}")]
    Operator(String),
    /// The database could not be opened; names it, and the setting that does.
    #[error("{variable}: {database} could not be opened: {error}{remedy}")]
    Database {
        variable: String,
        /// The database, without a password.
        database: String,
        error: StoreError,
        /// What to do, behind a semicolon, where the file is another user's.
        remedy: String,
    },
    /// The schema lacks steps that may not be taken here.
    #[error("{0}: run doorward migrate")]
    OldSchema(StoreError),
    #[error("the metrics: {0}")]
    Metrics(#[from] MetricsError),
    #[error(transparent)]
    Failed(#[from] Error),
    #[error("{0}: {1}")]
    System(&'static str, std::io::Error),
}

impl From<SecretFileError> for StartError {
    fn from(error: SecretFileError) -> Self {
        StartError::Operator(error.to_string())
    }
}

/// Opens the database, brings its schema up to date, loads the keys, and starts the threads that hash passwords.
///
/// `password_params` are [`Params::OWASP`], except in tests that do not test passwords.
pub async fn app(settings: Settings, clock: Clock, password_params: Params) -> Result<Arc<App>, StartError> {
    // Before the database is opened: a key is generated only if there is no database yet.
    let secret_keys = secret_key::load(&settings)?;
    let store = store(&settings, clock.clone()).await?;
    keys::check_secret_keys(&store, &secret_keys).await.map_err(|error| match error {
        ChangeError::Refused(refusal) => StartError::Operator(format!(
            "{}: {refusal}. Set that key; if it is lost, see doorward secrets reset --help",
            settings.name.variable("SECRET_KEY")
        )),
        ChangeError::Failed(error) => StartError::Failed(error),
    })?;
    store.measure_clock().await.map_err(Error::from)?;
    let ring = keys::load_ring(&settings, &store, &clock, &secret_keys).await?;
    let metrics = Metrics::new()?;
    Ok(Arc::new(App {
        tokens: TokenVerifier::new(ring, &settings.tokens.issuer, &settings.sessions.audiences),
        passwords: hashing_pool(password_params, settings.server.rate_limit, metrics.passwords.clone())?,
        rate_limiter: RateLimiter::new(
            settings.server.rate_limit,
            store.clone(),
            clock.clone(),
            secret_keys.limit_key(),
            metrics.auth.limits.clone(),
        ),
        external: SharedExternalClient::new(settings.providers.outbound_allow.clone()),
        provider_documents: ProviderDocuments::default(),
        last_use: LastUse::default(),
        failed_attempts: FailedAttempts::default(),
        hourly_counts: HourlyCounts::default(),
        process: ProcessId(random::uuid_v4().map_err(Error::from)?),
        reported_differences: Mutex::default(),
        start_findings: Mutex::default(),
        reset_requested: Notify::new(),
        local_mails: Mutex::default(),
        local_mail_arrived: Notify::new(),
        job_begun: Notify::new(),
        traces: Arc::default(),
        metrics,
        settings,
        clock,
        store,
        secret_keys,
    }))
}

/// Opens the database and brings its schema up to date, or refuses an old one, as the settings say.
pub async fn store(settings: &Settings, clock: Clock) -> Result<Store, StartError> {
    let events = settings.webhooks.as_ref().map_or(EventKinds::NONE, |webhooks| webhooks.enabled_events);
    Store::open(&settings.database, clock, events).await.map_err(|error| unopened(settings, error))
}

/// Whether the database is on this machine.
pub fn has_own_database(settings: &Settings) -> Result<bool, StartError> {
    store::is_on_this_machine(&settings.database).map_err(|error| unopened(settings, error))
}

/// The base URL of the service that started last on the database, which is not changed.
pub async fn noted_base_url(settings: &Settings) -> Result<Option<String>, StartError> {
    store::noted_base_url(&settings.database).await.map_err(|error| unopened(settings, error))
}

fn unopened(settings: &Settings, error: StoreError) -> StartError {
    match error {
        error @ StoreError::OldSchema(_) => StartError::OldSchema(error),
        error => StartError::Database {
            variable: settings.name.variable("DATABASE_URL"),
            database: settings.database.url.shown(),
            error,
            remedy: remedy(&settings.database.url),
        },
    }
}

fn remedy(database: &DatabaseUrl) -> String {
    let DatabaseUrl::Sqlite(path) = database else { return String::new() };
    owner::remedy(path).map_or_else(String::new, |remedy| format!("; {remedy}"))
}

fn hashing_pool(params: Params, shared: bool, metrics: PasswordMetrics) -> Result<HashingPool, StartError> {
    let hasher = PasswordHasher::new(params).map_err(|error| Error::Crypto(error.to_string()))?;
    let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    HashingPool::new(hasher, cores, cores * MAX_WAITING_PER_CORE, shared, metrics)
        .map_err(|error| StartError::Operator(format!("no thread for password hashes: {error}")))
}
