//! What a process does between requests: notes of last use and of failed tries, keys that another process made, mails
//! past their time, and what is long over.

use crate::context::App;
use crate::domain::keys;
use crate::domain::organization::cleanup;
use crate::domain::verification::password_reset_request;
use crate::mail;
use crate::model::audit;
use crate::store::{CHANGES_KEPT, Place, StoreError};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, watch};
use tokio::task::JoinSet;

const NOTES_EVERY: Duration = Duration::from_secs(1);
/// Much shorter than the ten minutes for which a new key is published before it signs.
const KEYS_EVERY: Duration = Duration::from_secs(30);
/// A link in a mail is erased so soon after its end.
const MAILS_EVERY: Duration = Duration::from_secs(1);
/// What another process was asked and did not get to is looked for so often.
const RESETS_EVERY: Duration = Duration::from_secs(1);
const REMOVAL_EVERY: Duration = Duration::from_hours(1);
/// A session that is over is kept this long, so that its user can see what became of it.
const SESSIONS_KEPT: Duration = Duration::from_hours(90 * 24);
/// What was tried for an address is remembered a while longer than its link is good; for an account longer still, so that
/// a hundred wrong codes take whoever guesses a month.
const ACCOUNT_TOKENS_KEPT: Duration = Duration::from_hours(24);
const CODE_FAILURES_KEPT: Duration = Duration::from_hours(30 * 24);
const BATCH: i64 = 1000;
/// A batch that may not have been the last.
const FULL: u64 = 1000;

/// The running background tasks.
pub struct Background {
    stop: watch::Sender<bool>,
    tasks: JoinSet<()>,
    app: Arc<App>,
}

impl Background {
    /// Starts the tasks.
    pub fn start(app: &Arc<App>) -> Self {
        let (stop, stopped) = watch::channel(false);
        let mut tasks = JoinSet::new();
        tasks.spawn(repeat(app.clone(), NOTES_EVERY, stopped.clone(), write_notes));
        tasks.spawn(repeat(app.clone(), KEYS_EVERY, stopped.clone(), reload_keys));
        tasks.spawn(repeat(app.clone(), MAILS_EVERY, stopped.clone(), erase_expired_mails));
        tasks.spawn(answer_resets(app.clone(), stopped.clone()));
        let read = Arc::new(Mutex::new(None));
        tasks.spawn(repeat(app.clone(), CHANGES_KEPT, stopped.clone(), move |app| forget_changes(app, read.clone())));
        tasks.spawn(repeat(app.clone(), REMOVAL_EVERY, stopped, remove_old));
        Self { stop, tasks, app: app.clone() }
    }

    /// Ends the tasks after what they are at, and writes what was noted last.
    pub async fn stop(mut self) {
        // Without receivers all tasks have ended already.
        let _ = self.stop.send(true);
        while self.tasks.join_next().await.is_some() {}
        write_notes(self.app).await;
    }
}

async fn repeat<F: Future<Output = ()>>(
    app: Arc<App>,
    every: Duration,
    mut stopped: watch::Receiver<bool>,
    work: impl Fn(Arc<App>) -> F,
) {
    let mut ticks = tokio::time::interval(every);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = ticks.tick() => work(app.clone()).await,
            _ = stopped.changed() => return,
        }
    }
}

/// Mails links for forgotten passwords as soon as they are asked for.
async fn answer_resets(app: Arc<App>, mut stopped: watch::Receiver<bool>) {
    loop {
        if let Err(error) = password_reset_request::answer_reset_requests(&app).await {
            tracing::warn!("links to set a new password were not mailed: {error}");
        }
        tokio::select! {
            () = app.reset_asked.notified() => {}
            () = tokio::time::sleep(RESETS_EVERY) => {}
            _ = stopped.changed() => return,
        }
    }
}

async fn write_notes(app: Arc<App>) {
    if let Err(error) = app.last_use.write(&app.store).await {
        tracing::warn!("the last use of sessions was not written: {error}");
    }
    if let Err(error) = app.failed_tries.write(&app.store).await {
        tracing::warn!("failed tries were not written to the audit log: {error}");
    }
}

async fn reload_keys(app: Arc<App>) {
    if let Err(error) = keys::refresh_ring(&app).await {
        tracing::warn!("the signing keys were not read again: {error}");
    }
}

async fn erase_expired_mails(app: Arc<App>) {
    if let Err(error) = mail::expire(&app).await {
        tracing::warn!("mails past their time were not erased: {error}");
    }
}

/// Removes the notes about changed sessions that were there the last time: every process has read them since.
async fn forget_changes(app: Arc<App>, read: Arc<Mutex<Option<Place>>>) {
    let mut read = read.lock().await;
    let forget = async {
        let now = app.store.session_changes_place().await?;
        if let Some(before) = read.replace(now) {
            while remove_changes(&app, &before).await? == FULL {}
        }
        Ok::<_, StoreError>(())
    };
    if let Err(error) = forget.await {
        tracing::warn!("notes about changed sessions were not removed: {error}");
    }
}

async fn remove_changes(app: &App, before: &Place) -> Result<u64, StoreError> {
    let mut tx = app.store.begin().await?;
    let removed = tx.session_changes_delete(before, BATCH).await?;
    tx.commit().await?;
    Ok(removed)
}

async fn remove_old(app: Arc<App>) {
    if let Err(error) = cleanup::remove_old_invitations(&app).await {
        tracing::warn!("old invitations were not removed: {error}");
    }
    let removed = async {
        while remove_sessions(&app).await? == FULL {}
        while remove_audit_entries(&app).await? == FULL {}
        while remove_limits(&app).await? == FULL {}
        while remove_account_tokens(&app).await? == FULL {}
        while remove_log_in_tokens(&app).await? == FULL {}
        Ok::<_, StoreError>(())
    };
    if let Err(error) = removed.await {
        tracing::warn!("old sessions, audit entries and tokens were not removed: {error}");
    }
}

async fn remove_sessions(app: &App) -> Result<u64, StoreError> {
    let mut tx = app.store.begin().await?;
    let removed = tx.sessions_delete_expired(app.clock.now() - SESSIONS_KEPT, BATCH).await?;
    tx.commit().await?;
    Ok(removed)
}

async fn remove_limits(app: &App) -> Result<u64, StoreError> {
    let mut tx = app.store.begin().await?;
    let removed = tx.limits_delete_old(app.clock.now(), BATCH).await?;
    tx.commit().await?;
    Ok(removed)
}

async fn remove_account_tokens(app: &App) -> Result<u64, StoreError> {
    let mut tx = app.store.begin().await?;
    let now = app.clock.now();
    let removed = tx.account_tokens_delete_expired(now - ACCOUNT_TOKENS_KEPT, now - CODE_FAILURES_KEPT, BATCH).await?;
    tx.commit().await?;
    Ok(removed)
}

async fn remove_audit_entries(app: &App) -> Result<u64, StoreError> {
    let mut tx = app.store.begin().await?;
    let removed = tx.audit_delete_old(app.clock.now() - audit::KEPT, BATCH).await?;
    tx.commit().await?;
    Ok(removed)
}

/// Log-ins that were never finished, devices that are asked again, challenges that nobody can answer any more.
async fn remove_log_in_tokens(app: &App) -> Result<u64, StoreError> {
    let mut tx = app.store.begin().await?;
    let half = tx.half_log_ins_delete_expired(BATCH).await?;
    let devices = tx.remembered_devices_delete_expired(BATCH).await?;
    let challenges = tx.passkey_challenges_delete_expired(BATCH).await?;
    tx.commit().await?;
    Ok(half.max(devices).max(challenges))
}
