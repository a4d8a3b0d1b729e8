//! What `doorward webhooks replay` and `doorward mail retry` share.

use super::failure::Failure;
use super::output::{Output, Progress};
use crate::settings::duration;
use clap::Args;
use std::time::Duration;
use tokio::time::Instant;

/// More than this need confirmation.
const CONFIRM_ABOVE: u64 = 100;
/// Minimum time between two updates of the progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// What is sent again, besides by its ids.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct AgainArguments {
    /// All that failed
    #[arg(long)]
    pub failed: bool,
    /// Of those that failed, only what failed no longer ago than this, such as 24h
    #[arg(long, value_name = "DURATION", requires = "failed", value_parser = duration::parse)]
    pub since: Option<Duration>,
    /// Skip the confirmation before more than 100
    #[arg(long)]
    pub yes: bool,
}

/// Asks before many of them are sent.
pub(super) fn confirm(count: u64, what: &str, yes: bool, out: &mut Output<'_>) -> Result<(), Failure> {
    if yes || count <= CONFIRM_ABOVE {
        return Ok(());
    }
    match out.confirm(&format!("Send {count} {what} again?"))? {
        Some(true) => Ok(()),
        Some(false) => Err(Failure::Refused("nothing was sent".to_owned())),
        None => Err(Failure::Refused(format!("{count} {what} would be sent again; --yes confirms it"))),
    }
}

/// A progress bar for long runs.
pub(super) struct ProgressBar<'a> {
    total: u64,
    last_update: Option<Instant>,
    line: Progress<'a>,
}

impl<'a> ProgressBar<'a> {
    pub(super) fn new(total: u64, out: &'a mut Output<'_>) -> Self {
        Self { total, last_update: None, line: out.progress() }
    }

    pub(super) fn update(&mut self, done: u64) {
        const WIDTH: u64 = 30;
        if self.total <= CONFIRM_ABOVE || self.last_update.is_some_and(|at| at.elapsed() < PROGRESS_INTERVAL) {
            return;
        }
        self.last_update = Some(Instant::now());
        let done = done.min(self.total);
        let filled = usize::try_from(done * WIDTH / self.total).unwrap_or(0);
        self.line.show(&format!("[{:<30}] {done} of {}", "#".repeat(filled), self.total));
    }

    pub(super) fn clear(self) {
        self.line.clear();
    }
}
