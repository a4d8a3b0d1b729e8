//! The one shared state of a process: what every request and every worker is handed.

use crate::clock::Clock;
use crate::crypto::access_token::TokenVerifier;
use crate::crypto::hashing_pool::HashingPool;
use crate::crypto::password::{Params, PasswordHasher};
use crate::crypto::secret_keys::SecretKeys;
use crate::domain::Error;
use crate::domain::audit::FailedTries;
use crate::domain::events::EventKinds;
use crate::domain::keys::{self, KeyCheckError};
use crate::domain::sessions::LastUse;
use crate::limits::RefreshLimits;
use crate::secret_file::{self, SecretFileError};
use crate::settings::Settings;
use crate::store::{Store, StoreError};
use std::sync::Arc;
use tokio::sync::Notify;

/// Callers who may wait for a password hash, for each hash that runs at the same time: about three seconds of work.
const WAITING_PER_CORE: usize = 200;

/// What one process works with.
pub struct App {
    /// What the environment decided.
    pub settings: Settings,
    /// The injected clock.
    pub clock: Clock,
    /// The database.
    pub store: Store,
    /// The keys from `SVC_SECRET_KEY`.
    pub secret_keys: SecretKeys,
    /// Password hashing, bounded.
    pub passwords: HashingPool,
    /// Access tokens: signs and verifies.
    pub tokens: TokenVerifier,
    /// Uses of sessions not written yet.
    pub last_use: LastUse,
    /// Failed tries not written to the audit log yet.
    pub failed_tries: FailedTries,
    /// How often a session may be refreshed.
    pub refresh_limits: RefreshLimits,
    /// Rung when somebody asked for a link to set a new password.
    pub reset_asked: Notify,
}

/// Why the service did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The operator's mistake; a sentence that names the variable or the file.
    #[error("{0}")]
    Operator(String),
    /// The database could not be opened.
    #[error("the database could not be opened: {0}")]
    Store(#[from] StoreError),
    /// Something else failed.
    #[error(transparent)]
    Failed(#[from] Error),
    /// The system refused something.
    #[error("{0}: {1}")]
    System(&'static str, std::io::Error),
}

impl From<SecretFileError> for StartError {
    fn from(error: SecretFileError) -> Self {
        StartError::Operator(error.to_string())
    }
}

impl App {
    /// Opens the database, brings it up to date, and loads the keys.
    ///
    /// `password_params` are [`Params::OWASP`] but in tests that are not about passwords.
    pub async fn start(settings: Settings, clock: Clock, password_params: Params) -> Result<Arc<Self>, StartError> {
        let secret_keys = secret_file::load(&settings)?;
        let events = settings.webhooks.as_ref().map_or(EventKinds::NONE, |webhooks| webhooks.enabled_events);
        let store = Store::open(&settings.database, clock.clone(), events).await?;
        keys::check_secret_keys(&store, &secret_keys).await.map_err(|error| match error {
            KeyCheckError::WrongKey => {
                StartError::Operator(format!("{}: {error}", settings.name.variable("SECRET_KEY")))
            }
            KeyCheckError::Failed(error) => StartError::Failed(error),
        })?;
        let ring = keys::load_ring(&settings, &store, &clock, &secret_keys).await?;
        let tokens = TokenVerifier::new(ring, &settings.tokens.issuer, &settings.sessions.audiences);
        let hasher = PasswordHasher::new(password_params).map_err(|error| Error::Crypto(error.to_string()))?;
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        let passwords = HashingPool::new(hasher, cores, cores * WAITING_PER_CORE)
            .map_err(|error| StartError::Operator(format!("no thread for password hashes: {error}")))?;
        let refresh_limits = RefreshLimits::new(settings.server.rate_limit);
        let last_use = LastUse::default();
        let failed_tries = FailedTries::default();
        Ok(Arc::new(Self {
            settings,
            clock,
            store,
            secret_keys,
            passwords,
            tokens,
            last_use,
            failed_tries,
            refresh_limits,
            reset_asked: Notify::new(),
        }))
    }

    /// Notes for other processes whether this service records events.
    pub async fn announce_webhooks(&self) -> Result<(), StoreError> {
        let mut tx = self.store.begin().await?;
        tx.instance_set_webhooks(self.settings.webhooks.is_some()).await?;
        tx.commit().await
    }

    /// Whether changes made by this process would lose events: the service on this database has webhooks, and the
    /// settings of this process have none.
    pub async fn would_lose_events(&self) -> Result<bool, StoreError> {
        Ok(self.settings.webhooks.is_none() && self.store.read().await?.instance_has_webhooks().await?)
    }
}
