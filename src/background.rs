//! The background tasks of a process: write-behind of last use and failed attempts, reloading of signing keys, expiry
//! of emails, password reset requests, words of people, and cleanup.

use crate::context::App;
use crate::domain::account::stored_words;
use crate::domain::hourly_counts;
use crate::domain::idempotency::IDEMPOTENCY_RETENTION;
use crate::domain::jobs;
use crate::domain::keys;
use crate::domain::mailed_token::code_failures::CODE_FAILURE_RETENTION;
use crate::domain::organization::cleanup;
use crate::domain::other_processes;
use crate::domain::verification::password_reset_request;
use crate::error::Error;
use crate::mail;
use crate::model::audit;
use crate::model::principal::{Operation, Principal};
use crate::model::time::Time;
use crate::store::{
    CHANGE_RETENTION, ChangeCursor, HOURLY_COUNT_RETENTION, JOB_RETENTION, PROCESS_TTL, StoreError, Tx,
};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, watch};
use tokio::task::JoinSet;

const WRITE_BEHIND_INTERVAL: Duration = Duration::from_secs(1);
/// Much shorter than the ten minutes for which a new key is published before it signs.
const KEY_RELOAD_INTERVAL: Duration = Duration::from_secs(30);
/// Well below the refresh grace period, which is evaluated with the measured clock offset.
const CLOCK_INTERVAL: Duration = Duration::from_secs(10);
/// Three heartbeats before one expires.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(PROCESS_TTL.as_secs() / 3);
/// The overview is to be ten seconds behind at most.
const HOURLY_COUNT_INTERVAL: Duration = Duration::from_secs(5);
/// How soon an expired email with its link is erased.
const MAIL_EXPIRY_INTERVAL: Duration = Duration::from_secs(1);
/// How often requests are polled that another process received and did not answer.
const RESET_POLL_INTERVAL: Duration = Duration::from_secs(1);
/// How often a process asks whether words of people are to be compared.
const WORDS_INTERVAL: Duration = Duration::from_secs(10);
/// How often jobs are polled that another process left.
const JOB_POLL_INTERVAL: Duration = Duration::from_secs(1);
const CLEANUP_INTERVAL: Duration = Duration::from_hours(1);
/// How long an ended session is stored, so that its user can see how it ended.
const SESSION_RETENTION: Duration = Duration::from_hours(90 * 24);
/// How long an expired link or code is stored.
const ACCOUNT_TOKEN_RETENTION: Duration = Duration::from_hours(24);
const BATCH_SIZE: i64 = 1000;
/// A batch of this size may not be the last.
const FULL_BATCH: u64 = 1000;

pub struct Background {
    stop: watch::Sender<bool>,
    tasks: JoinSet<()>,
    app: Arc<App>,
}

impl Background {
    pub fn start(app: &Arc<App>) -> Self {
        let (stop, stopped) = watch::channel(false);
        let mut tasks = JoinSet::new();
        tasks.spawn(repeat(app.clone(), WRITE_BEHIND_INTERVAL, stopped.clone(), write_records));
        tasks.spawn(repeat(app.clone(), KEY_RELOAD_INTERVAL, stopped.clone(), reload_keys));
        tasks.spawn(repeat(app.clone(), CLOCK_INTERVAL, stopped.clone(), measure_clock));
        tasks.spawn(repeat(app.clone(), HEARTBEAT_INTERVAL, stopped.clone(), compare_settings));
        tasks.spawn(repeat(app.clone(), HOURLY_COUNT_INTERVAL, stopped.clone(), write_hourly_counts));
        tasks.spawn(repeat(app.clone(), MAIL_EXPIRY_INTERVAL, stopped.clone(), erase_expired_mails));
        tasks.spawn(answer_resets(app.clone(), stopped.clone()));
        tasks.spawn(renew_words(app.clone(), stopped.clone()));
        tasks.spawn(do_jobs(app.clone(), stopped.clone()));
        let previous = Arc::new(Mutex::new(None));
        tasks.spawn(repeat(app.clone(), CHANGE_RETENTION, stopped.clone(), move |app| {
            remove_read_changes(app, previous.clone())
        }));
        tasks.spawn(repeat(app.clone(), CLEANUP_INTERVAL, stopped, remove_old));
        Self { stop, tasks, app: app.clone() }
    }

    /// Graceful shutdown: waits for the tasks, then writes the last records.
    pub async fn stop(mut self) {
        // An error means that all tasks have ended already.
        let _ = self.stop.send(true);
        while self.tasks.join_next().await.is_some() {}
        if let Err(error) = other_processes::release(&self.app).await {
            tracing::warn!("other processes take this one for running for a while: {error}");
        }
        write_records(self.app.clone()).await;
        write_hourly_counts(self.app).await;
    }
}

async fn repeat<F: Future<Output = ()>>(
    app: Arc<App>,
    interval: Duration,
    mut stopped: watch::Receiver<bool>,
    work: impl Fn(Arc<App>) -> F,
) {
    let mut ticks = tokio::time::interval(interval);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = ticks.tick() => work(app.clone()).await,
            _ = stopped.changed() => return,
        }
    }
}

/// Mails links for forgotten passwords as soon as they are requested.
async fn answer_resets(app: Arc<App>, mut stopped: watch::Receiver<bool>) {
    loop {
        if let Err(error) = password_reset_request::process_reset_requests(&app).await {
            log("password reset links were not mailed", error);
        }
        tokio::select! {
            () = app.reset_requested.notified() => {}
            () = tokio::time::sleep(RESET_POLL_INTERVAL) => {}
            _ = stopped.changed() => return,
        }
    }
}

/// Compares the words of people with what they are called, part by part, so that a shutdown does not wait for all.
async fn renew_words(app: Arc<App>, mut stopped: watch::Receiver<bool>) {
    loop {
        let goes_on = stored_words::renew_part(&app).await.unwrap_or_else(|error| {
            log("the words by which people are found were not renewed", error);
            false
        });
        let pause = if goes_on { Duration::ZERO } else { WORDS_INTERVAL };
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            _ = stopped.changed() => return,
        }
    }
}

/// Does the jobs of administrators as soon as they are begun.
async fn do_jobs(app: Arc<App>, mut stopped: watch::Receiver<bool>) {
    loop {
        let is_stopping = || *stopped.borrow();
        if let Err(error) = jobs::work(&app, is_stopping).await {
            log("a job was interrupted, and is tried again", error);
        }
        tokio::select! {
            () = app.job_begun.notified() => {}
            () = tokio::time::sleep(JOB_POLL_INTERVAL) => {}
            _ = stopped.changed() => return,
        }
    }
}

fn log(what: &str, error: impl Into<Error>) {
    match error.into() {
        Error::Store(error) => error.log(what),
        error => tracing::warn!("{what}: {error}"),
    }
}

async fn write_records(app: Arc<App>) {
    if let Err(error) = app.last_use.write(&app.store).await {
        log("the last use of sessions was not written", error);
    }
    if let Err(error) = app.failed_attempts.write(&app.store).await {
        log("failed attempts were not written to the audit log", error);
    }
}

async fn write_hourly_counts(app: Arc<App>) {
    if let Err(error) = hourly_counts::write(&app).await {
        log("the counts of this hour were not written", error);
    }
}

async fn reload_keys(app: Arc<App>) {
    if let Err(error) = keys::refresh_ring(&app).await {
        log("the signing keys were not reloaded", error);
    }
}

async fn measure_clock(app: Arc<App>) {
    if let Err(error) = app.store.measure_clock().await {
        tracing::debug!("the clock was not compared with the database's: {error}");
    }
}

async fn compare_settings(app: Arc<App>) {
    if let Err(error) = other_processes::compare(&app).await {
        tracing::warn!("the settings were not compared with those of other processes: {error}");
    }
}

async fn erase_expired_mails(app: Arc<App>) {
    if let Err(error) = mail::expire(&app).await {
        log("expired mails were not erased", error);
    }
}

/// Removes the session changes from before the previous run: every process has read them since.
async fn remove_read_changes(app: Arc<App>, previous: Arc<Mutex<Option<ChangeCursor>>>) {
    let mut previous = previous.lock().await;
    let removal = async {
        let now = app.store.session_changes_cursor().await?;
        if let Some(before) = previous.replace(now) {
            remove(&app, Expired::SessionChanges(&before)).await?;
        }
        Ok::<_, StoreError>(())
    };
    if let Err(error) = removal.await {
        log("old session changes were not removed", error);
    }
}

async fn remove_old(app: Arc<App>) {
    if let Err(error) = cleanup::remove_old_invitations(&app).await {
        log("old invitations were not removed", error);
    }
    let removal = async {
        for what in HOURLY {
            remove(&app, what).await?;
        }
        Ok::<_, StoreError>(())
    };
    if let Err(error) = removal.await {
        log("old sessions, audit entries and tokens were not removed", error);
    }
}

/// What is removed once its time is over.
#[derive(Clone, Copy)]
enum Expired<'a> {
    /// From before this one.
    SessionChanges(&'a ChangeCursor),
    Sessions,
    AuditEntries,
    ApiKeys,
    IdempotencyKeys,
    Limits,
    AccountTokens,
    CodeFailures,
    /// Pending logins, trusted devices, passkey challenges and logins that were begun at a provider.
    LoginTokens,
    HourlyCounts,
    Jobs,
}

const HOURLY: [Expired<'static>; 10] = [
    Expired::Sessions,
    Expired::AuditEntries,
    Expired::ApiKeys,
    Expired::IdempotencyKeys,
    Expired::Limits,
    Expired::AccountTokens,
    Expired::CodeFailures,
    Expired::LoginTokens,
    Expired::HourlyCounts,
    Expired::Jobs,
];

/// Removes all that has expired, batch after batch, each in a transaction of its own.
async fn remove(app: &App, what: Expired<'_>) -> Result<(), StoreError> {
    let process = Principal::process(&[Operation::CleanUp]);
    loop {
        let mut tx = app.store.begin(&process, Operation::CleanUp).await?;
        let removed = remove_batch(&mut tx, what, app.clock.now()).await?;
        tx.commit().await?;
        if removed < FULL_BATCH {
            return Ok(());
        }
    }
}

async fn remove_batch(tx: &mut Tx, what: Expired<'_>, now: Time) -> Result<u64, StoreError> {
    match what {
        Expired::SessionChanges(before) => tx.session_changes_delete(before, BATCH_SIZE).await,
        Expired::Sessions => tx.sessions_delete_expired(now - SESSION_RETENTION, BATCH_SIZE).await,
        Expired::AuditEntries => tx.audit_delete_old(now - audit::RETENTION, BATCH_SIZE).await,
        Expired::ApiKeys => tx.api_keys_delete_ended(now - audit::RETENTION, BATCH_SIZE).await,
        Expired::IdempotencyKeys => tx.idempotency_delete_old(IDEMPOTENCY_RETENTION, BATCH_SIZE).await,
        Expired::Limits => tx.limits_delete_old(now, BATCH_SIZE).await,
        Expired::AccountTokens => tx.account_tokens_delete_expired(now - ACCOUNT_TOKEN_RETENTION, BATCH_SIZE).await,
        Expired::CodeFailures => tx.code_failures_delete_old(now - CODE_FAILURE_RETENTION, BATCH_SIZE).await,
        Expired::HourlyCounts => tx.hourly_counts_delete_old(now - HOURLY_COUNT_RETENTION, BATCH_SIZE).await,
        Expired::Jobs => tx.jobs_delete_finished(now - JOB_RETENTION, BATCH_SIZE).await,
        Expired::LoginTokens => {
            let pending = tx.pending_logins_delete_expired(BATCH_SIZE).await?;
            let devices = tx.trusted_devices_delete_expired(BATCH_SIZE).await?;
            let challenges = tx.passkey_challenges_delete_expired(BATCH_SIZE).await?;
            let foreign = tx.foreign_logins_delete_expired(BATCH_SIZE).await?;
            Ok(pending.max(devices).max(challenges).max(foreign))
        }
    }
}
