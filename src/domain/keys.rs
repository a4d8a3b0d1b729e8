//! The keys of the instance: the check that the secret key matches the database, the signing keys, resealing.

use super::change::{self, Change};
use crate::clock::Clock;
use crate::context::App;
use crate::crypto::access_token::{KeyRing, RingKey};
use crate::crypto::seal::SealContext;
use crate::crypto::secret_keys::SecretKeys;
use crate::crypto::signing_key;
use crate::error::Error;
use crate::mail;
use crate::model::finding::FindingCode;
use crate::model::principal::{Operation, Principal};
use crate::model::signing::SigningAlgorithm;
use crate::model::time::Time;
use crate::refusal::{ChangeError, Refusal, Rule};
use crate::settings::Settings;
use crate::store::{SigningKeyRow, Store, Tx};
use std::time::Duration;

/// The time from the publication of a new key to its first signature, so that every verifier has fetched it by then:
/// the JWKS response may be cached for five minutes.
pub const KEY_ACTIVATION_INTERVAL: Duration = Duration::from_mins(10);
/// A retired key is published for this long after its last token has expired, to allow for clock skew.
const MAX_CLOCK_SKEW: Duration = Duration::from_mins(1);
/// Processes with different algorithms that restart again and again would otherwise fill the database with keys.
const MAX_WAITING_KEYS: usize = 8;

/// A process reads the keys that it signs with, and creates and removes them when their time has come.
fn process() -> Principal {
    Principal::process(&[Operation::ReadKeys, Operation::ManageKeys])
}

/// Checks that the secret key belongs to the database; a new database adopts it.
pub async fn check_secret_keys(store: &Store, keys: &SecretKeys) -> Result<(), ChangeError> {
    let stored = match read_check(store, &process()).await? {
        Some(check) => check,
        None => store_check(store, keys).await?,
    };
    if keys.verify_check_value(&stored) {
        return Ok(());
    }
    Err(Refusal::in_english(Rule::Conflict, "the secret key does not fit this database: it was made with another one")
        .into())
}

/// The check value of the secret key that the database was made with.
pub(super) async fn read_check(store: &Store, principal: &Principal) -> Result<Option<Vec<u8>>, Error> {
    Ok(store.read(principal, Operation::ReadKeys).await?.instance_key_check().await?)
}

async fn read_list(store: &Store) -> Result<Vec<SigningKeyRow>, Error> {
    Ok(store.read(&process(), Operation::ReadKeys).await?.signing_keys_list().await?)
}

async fn store_check(store: &Store, keys: &SecretKeys) -> Result<Vec<u8>, Error> {
    let check = keys.check_value().map_err(Error::crypto)?;
    let mut tx = store.begin(&process(), Operation::ManageKeys).await?;
    tx.instance_create(&check).await?;
    let stored = tx.instance_key_check().await?;
    tx.commit().await?;
    stored.ok_or_else(|| Error::Inconsistent("the instance's row is missing".to_owned()))
}

/// Loads the keys that sign and verify access tokens; creates the first key if there is none.
pub async fn load_ring(
    settings: &Settings,
    store: &Store,
    clock: &Clock,
    secret_keys: &SecretKeys,
) -> Result<KeyRing, Error> {
    if let Some(shared) = &settings.tokens.hs256 {
        return Ok(KeyRing::hs256(shared));
    }
    let mut rows = read_list(store).await?;
    if rows.is_empty() {
        rows = create_first(settings, store, clock, secret_keys).await?;
    }
    let retired = retirements(&rows, settings.sessions.access_ttl);
    let keys = rows.iter().zip(retired).map(|(row, published_until)| {
        let private =
            secret_keys.open(&seal_context(row.algorithm, &row.kid), &row.private_key).map_err(Error::crypto)?;
        Ok(RingKey {
            algorithm: row.algorithm,
            kid: row.kid.clone(),
            public_key: row.public_key.clone(),
            private_key: private,
            active_from: row.active_from,
            published_until,
        })
    });
    KeyRing::key_pairs(keys.collect::<Result<_, Error>>()?).map_err(Error::crypto)
}

/// The end of publication of each key: a key signs its last token when the next one becomes active.
fn retirements(rows: &[SigningKeyRow], access_ttl: Duration) -> Vec<Option<Time>> {
    let next = rows.iter().skip(1).map(|row| Some(row.active_from + access_ttl + MAX_CLOCK_SKEW));
    next.chain([None]).collect()
}

async fn create_first(
    settings: &Settings,
    store: &Store,
    clock: &Clock,
    secret_keys: &SecretKeys,
) -> Result<Vec<SigningKeyRow>, Error> {
    let mut tx = store.begin(&process(), Operation::ManageKeys).await?;
    // Of two processes that start on an empty database, one creates the key and the other finds it.
    tx.instance_lock().await?;
    let mut rows = tx.signing_keys_list().await?;
    if rows.is_empty() {
        let now = clock.now();
        rows.push(create(&mut tx, secret_keys, settings.tokens.algorithm, now, now).await?);
    }
    tx.commit().await?;
    Ok(rows)
}

async fn create(
    tx: &mut Tx,
    secret_keys: &SecretKeys,
    algorithm: SigningAlgorithm,
    now: Time,
    active_from: Time,
) -> Result<SigningKeyRow, Error> {
    let key = signing_key::generate(algorithm).map_err(Error::crypto)?;
    let context = seal_context(algorithm, &key.kid);
    let private_key = secret_keys.seal(&context, &key.private_key).map_err(Error::crypto)?;
    let row = SigningKeyRow {
        algorithm,
        kid: key.kid,
        public_key: key.public_key,
        private_key,
        created_at: now,
        active_from,
    };
    tx.signing_key_create(&row).await?;
    Ok(row)
}

/// Creates the key that signs after all others, no sooner than [`KEY_ACTIVATION_INTERVAL`] from now. It is published at
/// once.
async fn create_next(app: &App, tx: &mut Tx, rows: &[SigningKeyRow]) -> Result<SigningKeyRow, Error> {
    let now = app.clock.now();
    let earliest = now + KEY_ACTIVATION_INTERVAL;
    // Another process may have created the last one by a clock that is ahead.
    let after_last = rows.last().map(|last| last.active_from + Duration::from_micros(1));
    let active_from = after_last.map_or(earliest, |after| after.max(earliest));
    create(tx, &app.secret_keys, app.settings.tokens.algorithm, now, active_from).await
}

/// Creates a new signing key, which is published at once and signs after [`KEY_ACTIVATION_INTERVAL`].
pub struct Rotate;

impl Change for Rotate {
    const OPERATION: Operation = Operation::ManageKeys;
    type Made = SigningKeyRow;

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<SigningKeyRow, ChangeError> {
        tx.instance_lock().await?;
        let rows = tx.signing_keys_list().await?;
        Ok(create_next(app, tx, &rows).await?)
    }
}

/// Creates a key of the configured algorithm if the last one has another: for a service that starts after a change of
/// `SVC_JWT_ALG`. Until the new key signs, and for as long as tokens of the old one are valid, both are published.
///
/// Every process signs with the newest key, whatever its own setting is: during the change each verifies what the
/// others sign, and the process that started last decides.
pub async fn follow_algorithm(app: &App) -> Result<(), Error> {
    if app.settings.tokens.hs256.is_some() || is_followed(app, &read_list(&app.store).await?) {
        return Ok(());
    }
    let Some(row) = change::run_as_process(app, FollowAlgorithm).await? else { return Ok(()) };
    let (active_from, algorithm) = (row.active_from, row.algorithm.as_str());
    let variable = app.settings.name.variable("JWT_ALG");
    tracing::info!(kid = %row.kid, %active_from, "{variable} was changed: a key for {algorithm} was created");
    refresh_ring(app).await
}

fn is_followed(app: &App, rows: &[SigningKeyRow]) -> bool {
    rows.last().is_none_or(|last| last.algorithm == app.settings.tokens.algorithm)
}

/// Made is `None` if no key was needed, or too many wait.
struct FollowAlgorithm;

impl Change<Error> for FollowAlgorithm {
    const OPERATION: Operation = Operation::ManageKeys;
    type Made = Option<SigningKeyRow>;

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<Self::Made, Error> {
        tx.instance_lock().await?;
        let rows = tx.signing_keys_list().await?;
        if is_followed(app, &rows) {
            return Ok(None);
        }
        if rows.iter().filter(|row| row.active_from > app.clock.now()).count() >= MAX_WAITING_KEYS {
            let variable = app.settings.name.variable("JWT_ALG");
            tracing::warn!(
                finding = %FindingCode::AlgorithmsAlternate,
                "no signing key for {variable} was created, as {MAX_WAITING_KEYS} wait already: set it alike \
                for every process"
            );
            return Ok(None);
        }
        Ok(Some(create_next(app, tx, &rows).await?))
    }
}

/// Reloads the keys, because another process may have created one, and removes those whose last token has expired.
pub async fn refresh_ring(app: &App) -> Result<(), Error> {
    if app.settings.tokens.hs256.is_none() {
        remove_retired(app).await?;
    }
    let ring = load_ring(&app.settings, &app.store, &app.clock, &app.secret_keys).await?;
    app.tokens.replace_ring(ring);
    Ok(())
}

async fn remove_retired(app: &App) -> Result<(), Error> {
    let now = app.clock.now();
    let rows = read_list(&app.store).await?;
    let retired = retirements(&rows, app.settings.sessions.access_ttl);
    let expired = rows.iter().zip(retired).filter(|(_, until)| until.is_some_and(|until| until < now));
    for (row, _) in expired {
        let mut tx = app.store.begin(&process(), Operation::ManageKeys).await?;
        tx.signing_key_delete(row).await?;
        tx.commit().await?;
        tracing::info!(kid = %row.kid, "retired signing key removed");
    }
    Ok(())
}

/// Reseals everything with the first secret key; returns the number of values.
pub async fn reseal(app: &App, principal: &Principal) -> Result<u64, ChangeError> {
    // There may be many of these: they have transactions of their own.
    let factors = crate::domain::mfa::reseal::reseal(app, principal).await?;
    let answers = crate::domain::idempotency::reseal(app, principal).await?;
    Ok(factors + answers + change::run(app, principal, ResealKeys).await?)
}

/// Reseals what is neither of an account nor of a request, and lets the database adopt the first secret key.
struct ResealKeys;

impl Change for ResealKeys {
    const OPERATION: Operation = Operation::ManageKeys;
    type Made = u64;

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<u64, ChangeError> {
        tx.instance_lock().await?;
        let mut resealed = 0;
        for row in tx.signing_keys_list().await? {
            if app.secret_keys.needs_reseal(&row.private_key) {
                let context = seal_context(row.algorithm, &row.kid);
                let private = app.secret_keys.open(&context, &row.private_key).map_err(Error::crypto)?;
                let sealed = app.secret_keys.seal(&context, &private).map_err(Error::crypto)?;
                tx.signing_key_reseal(&row, &sealed).await?;
                resealed += 1;
            }
        }
        resealed += crate::domain::api_key::reseal::reseal(app, tx).await?;
        resealed += crate::domain::provider::reseal::reseal(app, tx).await?;
        resealed += mail::reseal(app, tx).await?;
        let check = app.secret_keys.check_value().map_err(Error::crypto)?;
        tx.instance_set_key_check(&check).await?;
        Ok(resealed)
    }
}

fn seal_context(algorithm: SigningAlgorithm, kid: &str) -> SealContext<'_> {
    let table = match algorithm {
        SigningAlgorithm::EdDsa => "signing_keys",
        SigningAlgorithm::Es256 => "es256_signing_keys",
    };
    SealContext { table, row: kid.as_bytes(), column: "private_key" }
}
