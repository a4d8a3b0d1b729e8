//! The database: whether it can be opened and written, its schema, its speed, its clock, and its key.

use super::report::Report;
use crate::boot;
use crate::boot::StartError;
use crate::clock::Clock;
use crate::crypto::secret_keys::SecretKeys;
use crate::domain::directory::findings;
use crate::model::finding::{Finding, FindingCode};
use crate::model::principal::{Operation, Principal};
use crate::settings::{DatabaseUrl, Settings};
use crate::store::{CLOCK_TOLERANCE, DatabaseFault, StepState, Store, StoreError, schema_steps};
use std::time::Duration;
use tokio::time::Instant;

const CHECK: &str = "database";
/// Answers that take longer are felt by everyone.
const SLOW: Duration = Duration::from_millis(50);
const PINGS: usize = 5;

/// Opens the database if it exists and its schema is complete.
pub(super) async fn open(report: &mut Report, settings: &Settings, clock: &Clock) -> Option<Store> {
    let shown = settings.database.url.shown();
    let variable = settings.name.variable("DATABASE_URL");
    if let DatabaseUrl::Sqlite(path) = &settings.database.url
        && !path.exists()
    {
        let message = format!(
            "there is no database at {shown}: start the service once, or set {variable} to the value that the service uses"
        );
        report.found(CHECK, Finding::new(FindingCode::DatabaseAway, message));
        return None;
    }
    let opened = async {
        let steps = schema_steps(&settings.database).await.map_err(Trouble::Store)?;
        complete(&steps).map_err(Trouble::Store)?;
        boot::store(settings, clock.clone()).await.map_err(Trouble::Start)
    };
    let trouble = match report.in_time(CHECK, opened).await? {
        Ok(store) => return Some(store),
        Err(trouble) => trouble,
    };
    let found = match trouble {
        Trouble::Store(error) | Trouble::Start(StartError::Database { error, .. }) => {
            finding(&error, &format!("{variable}: {shown}"))
        }
        Trouble::Start(error) => Finding::new(FindingCode::DatabaseAway, error.to_string()),
    };
    let check = if found.code == FindingCode::OldSchema { "schema" } else { CHECK };
    report.found(check, found);
    None
}

enum Trouble {
    Store(StoreError),
    Start(StartError),
}

fn complete(steps: &[StepState]) -> Result<(), StoreError> {
    match steps.iter().filter(|step| !step.is_taken).count() {
        0 => Ok(()),
        missing => Err(StoreError::OldSchema(missing)),
    }
}

pub(super) fn finding(error: &StoreError, which: &str) -> Finding {
    let (code, remedy) = match error.fault() {
        DatabaseFault::ReadOnly => {
            (FindingCode::DatabaseReadOnly, "use the address of the primary, or make the database or its file writable")
        }
        DatabaseFault::Full => (FindingCode::DatabaseFull, "free some space on its disk"),
        DatabaseFault::Rights => {
            (FindingCode::DatabaseRights, "grant the database's user read and write access to its tables")
        }
        DatabaseFault::Pooler => (FindingCode::PoolerInTransactionMode, "change its pool_mode"),
        DatabaseFault::OldSchema(_) => {
            (FindingCode::OldSchema, "doorward migrate applies them, doorward migrate status lists them")
        }
        DatabaseFault::Away => (FindingCode::DatabaseAway, "check that it is up, and its address, name and password"),
    };
    Finding::new(code, format!("{which}: {error}; {remedy}"))
}

pub(super) async fn examine(report: &mut Report, store: &Store, keys: Option<&SecretKeys>) {
    let which = if store.is_sqlite() { "the file" } else { "the server" };
    let examined = report.in_time(CHECK, facts(store)).await;
    match examined {
        Some(Ok(facts)) => facts.report(report, store),
        Some(Err(error)) => report.found(CHECK, finding(&error, which)),
        None => {}
    }
    match report.in_time("backup", lack_of_backup(store)).await {
        Some(Ok(Some(lack))) if lack.code == FindingCode::NoBackup => report.found("backup", lack),
        Some(Err(error)) => report.found("backup", finding(&error, which)),
        Some(Ok(_)) | None => {}
    }
    let Some(keys) = keys else { return };
    match report.in_time("key", key_check(store)).await {
        Some(Ok(Some(check))) if !keys.verify_check_value(&check) => {
            let message = "this database was created with another secret key: restore that key";
            report.found("key", Finding::new(FindingCode::WrongKey, message));
        }
        Some(Ok(Some(_))) => report.ok("key", "matches the database"),
        Some(Ok(None)) => report.ok("key", "the database has none yet: the first start binds it to this key"),
        Some(Err(error)) => report.found("key", finding(&error, which)),
        None => {}
    }
}

async fn lack_of_backup(store: &Store) -> Result<Option<Finding>, StoreError> {
    let mut conn = store.read(&Principal::operator(), Operation::Diagnose).await?;
    findings::lack_of_backup(&mut conn, store.database_time()).await
}

async fn key_check(store: &Store) -> Result<Option<Vec<u8>>, StoreError> {
    store.read(&Principal::operator(), Operation::Diagnose).await?.instance_key_check().await
}

struct Facts {
    latency: Duration,
    forbidden: Vec<String>,
    /// How far a recorded time is ahead of this machine's.
    recorded_ahead: Duration,
}

async fn facts(store: &Store) -> Result<Facts, StoreError> {
    let forbidden = store.forbidden_tables().await?;
    let mut pings = Vec::with_capacity(PINGS);
    for _ in 0..PINGS {
        let started = Instant::now();
        store.ping().await?;
        pings.push(started.elapsed());
    }
    pings.sort();
    store.measure_clock().await?;
    store.try_write().await?;
    let mut conn = store.read(&Principal::operator(), Operation::Diagnose).await?;
    let recorded = conn.processes_last_seen().await?;
    let now = store.database_time();
    let recorded_ahead = recorded.filter(|at| *at > now).map_or(Duration::ZERO, |at| at.since(now));
    Ok(Facts { latency: pings[PINGS / 2], forbidden, recorded_ahead })
}

impl Facts {
    fn report(self, report: &mut Report, store: &Store) {
        if !self.forbidden.is_empty() {
            let tables = self.forbidden.join(", ");
            let message =
                format!("the database's user cannot read and write {tables}: grant it all privileges on them");
            report.found(CHECK, Finding::new(FindingCode::DatabaseRights, message));
        }
        let millis = self.latency.as_millis();
        if self.latency > SLOW {
            let message = format!("a query takes {millis} ms: move service and database closer together");
            report.found(CHECK, Finding::new(FindingCode::DatabaseSlow, message));
        }
        report.ok_unless_found(CHECK, format!("answers in {millis} ms and accepts writes"));
        // On SQLite, which has no clock, a time in the future tells that a clock was set back.
        let difference = store.clock_difference().max(self.recorded_ahead);
        if difference > CLOCK_TOLERANCE {
            let seconds = difference.as_secs();
            let message = format!(
                "the clock of this machine and the database's differ by {seconds} s: synchronize both, for example with NTP"
            );
            report.found("clock", Finding::new(FindingCode::ClockDiffers, message));
        } else {
            report.ok("clock", "in sync with the database");
        }
    }
}
