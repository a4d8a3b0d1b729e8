//! What a process does between requests: notes of last use, keys that another process made, sessions and
//! invitations long over.

use crate::app::App;
use crate::domain::{keys, organizations};
use crate::store::{CHANGES_KEPT, Place};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, watch};
use tokio::task::JoinSet;

const LAST_USE_EVERY: Duration = Duration::from_secs(1);
/// Much shorter than the ten minutes for which a new key is published before it signs.
const KEYS_EVERY: Duration = Duration::from_secs(30);
const SESSIONS_EVERY: Duration = Duration::from_hours(1);
/// A session that is over is kept this long, so that its user can see what became of it.
const SESSIONS_KEPT: Duration = Duration::from_hours(90 * 24);
const INVITATIONS_EVERY: Duration = Duration::from_hours(1);
const BATCH: i64 = 1000;

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
        tasks.spawn(repeat(app.clone(), LAST_USE_EVERY, stopped.clone(), write_last_use));
        tasks.spawn(repeat(app.clone(), KEYS_EVERY, stopped.clone(), reload_keys));
        tasks.spawn(repeat(app.clone(), SESSIONS_EVERY, stopped.clone(), remove_old_sessions));
        tasks.spawn(repeat(app.clone(), INVITATIONS_EVERY, stopped.clone(), remove_old_invitations));
        tasks.spawn(repeat(app.clone(), SESSIONS_EVERY, stopped.clone(), remove_old_tokens));
        let read = Arc::new(Mutex::new(None));
        tasks.spawn(repeat(app.clone(), CHANGES_KEPT, stopped, move |app| forget_changes(app, read.clone())));
        Self { stop, tasks, app: app.clone() }
    }

    /// Ends the tasks after what they are at, and writes what was noted last.
    pub async fn stop(mut self) {
        // Without receivers all tasks have ended already.
        let _ = self.stop.send(true);
        while self.tasks.join_next().await.is_some() {}
        write_last_use(self.app).await;
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

async fn write_last_use(app: Arc<App>) {
    if let Err(error) = app.last_use.write(&app.store).await {
        tracing::warn!("the last use of sessions was not written: {error}");
    }
}

async fn reload_keys(app: Arc<App>) {
    if let Err(error) = keys::refresh_ring(&app).await {
        tracing::warn!("the signing keys were not read again: {error}");
    }
}

async fn remove_old_invitations(app: Arc<App>) {
    if let Err(error) = organizations::remove_old_invitations(&app).await {
        tracing::warn!("old invitations were not removed: {error}");
    }
}

/// Removes the notes about changed sessions that were there the last time: every process has read them since.
async fn forget_changes(app: Arc<App>, read: Arc<Mutex<Option<Place>>>) {
    let mut read = read.lock().await;
    let forget = async {
        let now = app.store.session_changes_place().await?;
        if let Some(before) = read.replace(now) {
            loop {
                let mut tx = app.store.begin().await?;
                let removed = tx.session_changes_delete(&before, BATCH).await?;
                tx.commit().await?;
                if i64::try_from(removed).is_ok_and(|removed| removed < BATCH) {
                    break;
                }
            }
        }
        Ok::<_, crate::store::StoreError>(())
    };
    if let Err(error) = forget.await {
        tracing::warn!("notes about changed sessions were not removed: {error}");
    }
}

async fn remove_old_sessions(app: Arc<App>) {
    loop {
        let before = app.clock.now() - SESSIONS_KEPT;
        let removed = async {
            let mut tx = app.store.begin().await?;
            let removed = tx.sessions_delete_expired(before, BATCH).await?;
            tx.commit().await?;
            Ok::<_, crate::store::StoreError>(removed)
        };
        match removed.await {
            Ok(removed) if i64::try_from(removed).is_ok_and(|removed| removed == BATCH) => {}
            Ok(_) => return,
            Err(error) => {
                tracing::warn!("old sessions were not removed: {error}");
                return;
            }
        }
    }
}

/// Log-ins that were never finished, and devices that are asked again.
async fn remove_old_tokens(app: Arc<App>) {
    loop {
        let removed = async {
            let mut tx = app.store.begin().await?;
            let half = tx.half_log_ins_delete_expired(BATCH).await?;
            let devices = tx.remembered_devices_delete_expired(BATCH).await?;
            tx.commit().await?;
            Ok::<_, crate::store::StoreError>(half.max(devices))
        };
        match removed.await {
            Ok(removed) if i64::try_from(removed).is_ok_and(|removed| removed == BATCH) => {}
            Ok(_) => return,
            Err(error) => {
                tracing::warn!("old tokens of log-ins were not removed: {error}");
                return;
            }
        }
    }
}
