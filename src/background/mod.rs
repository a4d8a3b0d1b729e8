//! The background work of a process: write-behind, reloading of signing keys, heartbeats, expiry and clean-up.
//!
//! One task works through the table, the longest due first, so that all of it takes one connection. A turn is short: what
//! has more to do says so, and the others have their turns in between. Jobs of administrators, which may take minutes, have
//! a task of their own.

mod clean_up;

pub use clean_up::{INVITATION_RETENTION, clean_up};

use crate::context::App;
use crate::domain::account::stored_words;
use crate::domain::hourly_counts;
use crate::domain::jobs;
use crate::domain::keys;
use crate::domain::other_processes;
use crate::domain::verification::password_reset_request;
use crate::error::Error;
use crate::mail;
use crate::store::{CHANGE_RETENTION, ChangeCursor, PROCESS_TTL};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};

/// What is left after a turn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    Nothing,
    /// The next turn is due at once.
    More,
}

type Turn<'a> = Pin<Box<dyn Future<Output = Result<Rest, Error>> + Send + 'a>>;

/// A turn that leaves nothing.
fn whole<'a, T, E: Into<Error>>(work: impl Future<Output = Result<T, E>> + Send + 'a) -> Turn<'a> {
    Box::pin(async { work.await.map(|_| Rest::Nothing).map_err(Into::into) })
}

/// A row of the table.
struct Periodic {
    /// What the log says when a turn fails.
    failure: &'static str,
    /// When the first turn is due, after the start.
    first: Duration,
    /// Between the end of a turn and the next one.
    interval: Duration,
    /// Whether a graceful shutdown takes a last turn.
    also_last: bool,
    turn: for<'a> fn(&'a mut Turns) -> Turn<'a>,
}

impl Periodic {
    const fn new(failure: &'static str, interval: Duration, turn: for<'a> fn(&'a mut Turns) -> Turn<'a>) -> Self {
        Self { failure, first: interval, interval, also_last: false, turn }
    }

    const fn first_after(self, first: Duration) -> Self {
        Self { first, ..self }
    }

    const fn also_last(self) -> Self {
        Self { also_last: true, ..self }
    }
}

const SECOND: Duration = Duration::from_secs(1);
/// Below the time for which other processes trust a heartbeat, by three.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(PROCESS_TTL.as_secs() / 3);
/// The row that [`App::reset_requested`] makes due.
const RESETS: usize = 0;

static TABLE: [Periodic; 11] = [
    Periodic::new("password reset links were not mailed", SECOND, |turns| {
        whole(password_reset_request::process_reset_requests(&turns.app))
    }),
    Periodic::new("the last use of sessions was not written", SECOND, |turns| {
        whole(turns.app.last_use.write(&turns.app.store))
    })
    .also_last(),
    Periodic::new("failed attempts were not written to the audit log", SECOND, |turns| {
        whole(turns.app.failed_attempts.write(&turns.app.store))
    })
    .also_last(),
    Periodic::new("expired mails were not erased", SECOND, |turns| whole(mail::expire(&turns.app))),
    // The overview is ten seconds behind at most.
    Periodic::new("the counts of this hour were not written", Duration::from_secs(5), |turns| {
        whole(hourly_counts::write(&turns.app))
    })
    .also_last(),
    Periodic::new("the settings were not compared with those of other processes", HEARTBEAT_INTERVAL, |turns| {
        whole(other_processes::compare(&turns.app))
    })
    .first_after(Duration::ZERO),
    // Refreshes are judged by this clock: well below their grace period.
    Periodic::new("the clock was not compared with the database's", Duration::from_secs(10), |turns| {
        whole(turns.app.store.measure_clock())
    }),
    Periodic::new("the words by which people are found were not renewed", Duration::from_secs(10), |turns| {
        Box::pin(turns.renew_words())
    }),
    // Far below the ten minutes for which a new key is published before it signs.
    Periodic::new("the signing keys were not reloaded", Duration::from_secs(30), |turns| {
        whole(keys::refresh_ring(&turns.app))
    }),
    // Every process has read the changes that the previous turn found.
    Periodic::new("old session changes were not removed", CHANGE_RETENTION, |turns| {
        Box::pin(turns.remove_read_changes())
    }),
    // Soon for the first time, as some processes do not run for an hour.
    Periodic::new("what has expired was not removed", Duration::from_hours(1), |turns| Box::pin(turns.clean_up()))
        .first_after(Duration::from_secs(10)),
];

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
        tasks.spawn(Turns::new(app.clone()).run(stopped.clone()));
        tasks.spawn(do_jobs(app.clone(), stopped));
        Self { stop, tasks, app: app.clone() }
    }

    /// Graceful shutdown: waits for the tasks, then takes the last turns.
    pub async fn stop(mut self) {
        // An error means that all tasks have ended already.
        let _ = self.stop.send(true);
        while self.tasks.join_next().await.is_some() {}
        if let Err(error) = other_processes::release(&self.app).await {
            tracing::warn!("other processes take this one for running for a while: {error}");
        }
        let mut turns = Turns::new(self.app);
        for row in TABLE.iter().filter(|row| row.also_last) {
            turns.take(row).await;
        }
    }
}

/// Takes every turn now, until nothing is left: the clock was moved.
pub async fn catch_up(app: &Arc<App>) {
    let mut turns = Turns::new(app.clone());
    for row in &TABLE {
        while turns.take(row).await == Rest::More {}
    }
}

/// Takes the turns of the table.
struct Turns {
    app: Arc<App>,
    /// Session changes that every process has read by the next interval.
    read_changes: Option<ChangeCursor>,
    /// Those that are being removed, batch by batch.
    removed_changes: Option<ChangeCursor>,
    /// How many kinds of expired rows this clean-up has removed.
    cleaned: usize,
}

impl Turns {
    fn new(app: Arc<App>) -> Self {
        Self { app, read_changes: None, removed_changes: None, cleaned: 0 }
    }

    async fn run(mut self, mut stopped: watch::Receiver<bool>) {
        let app = self.app.clone();
        let start = Instant::now();
        let mut due = TABLE.each_ref().map(|row| start + row.first);
        loop {
            let Some(next) = (0..due.len()).min_by_key(|row| due[*row]) else { return };
            tokio::select! {
                () = sleep_until(due[next]) => {
                    let rest = self.take(&TABLE[next]).await;
                    let pause = if rest == Rest::More { Duration::ZERO } else { TABLE[next].interval };
                    due[next] = Instant::now() + pause;
                }
                () = app.reset_requested.notified() => due[RESETS] = Instant::now(),
                _ = stopped.changed() => return,
            }
        }
    }

    async fn take(&mut self, row: &Periodic) -> Rest {
        match (row.turn)(self).await {
            Ok(rest) => rest,
            Err(error) => {
                log(row.failure, &error);
                Rest::Nothing
            }
        }
    }

    /// A part of those that differ, so that a shutdown does not wait for all.
    async fn renew_words(&self) -> Result<Rest, Error> {
        let goes_on = stored_words::renew_part(&self.app).await?;
        Ok(if goes_on { Rest::More } else { Rest::Nothing })
    }
}

/// Does the jobs of administrators as soon as they are begun, and those that another process left.
async fn do_jobs(app: Arc<App>, mut stopped: watch::Receiver<bool>) {
    loop {
        tokio::select! {
            () = app.job_begun.notified() => {}
            () = sleep(SECOND) => {}
            _ = stopped.changed() => return,
        }
        let is_stopping = || *stopped.borrow();
        if let Err(error) = jobs::work(&app, is_stopping).await {
            log("a job was interrupted, and is tried again", &error);
        }
    }
}

fn log(what: &str, error: &Error) {
    match error {
        Error::Store(error) => error.log(what),
        error => tracing::warn!("{what}: {error}"),
    }
}
