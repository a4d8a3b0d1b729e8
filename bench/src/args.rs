//! The arguments of the benchmark.

use crate::instance::Engine;
use crate::parts::compare::ComparedOperation;
use clap::{Parser, ValueEnum};
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

/// Measures the real service, as started from the binary beside this one.
#[derive(Parser)]
#[command(name = "doorward-bench")]
pub struct Args {
    /// What to measure.
    pub what: What,
    /// One JSON document instead of tables.
    #[arg(long)]
    pub json: bool,
    /// Users of the seeded database, each with one session: 10000, and 1000 for `compare`, 1000000 for `api` alone.
    #[arg(long)]
    pub users: Option<NonZeroUsize>,
    /// Connections that ask at the same time, each kept open.
    #[arg(long, default_value = "32")]
    pub connections: NonZeroUsize,
    /// Interleaved rounds; every figure is the median of them: 3, and 20 for `compare`.
    #[arg(long)]
    pub rounds: Option<NonZeroUsize>,
    /// Length of one measurement in seconds: 3, and 2 for `compare`.
    #[arg(long)]
    pub seconds: Option<NonZeroU32>,
    /// Where the databases are made; a file system in memory makes commits cheaper than they are.
    #[arg(long)]
    pub dir: Option<PathBuf>,
    /// Compare: on this database, instead of both.
    #[arg(long, value_enum)]
    pub engine: Option<Engine>,
    /// Compare: the other build's `doorward`. The same file as `--after` shows what is chance. This tree's code makes the
    /// databases of both, so it must run on this tree's schema.
    #[arg(long, required_if_eq("what", "compare"))]
    pub before: Option<PathBuf>,
    /// Compare: this build's `doorward`, if it is not the one beside this program.
    #[arg(long)]
    pub after: Option<PathBuf>,
    /// Compare: these operations only.
    #[arg(long, value_enum, value_delimiter = ',')]
    pub operations: Vec<ComparedOperation>,
    /// Compare: exit code 1 if the median of an operation's ratios is below this one, such as 0.97. The median counts, not
    /// the upper end of its interval: by that, a run would pass the more easily the noisier it is. Where the verdict is
    /// "cannot tell", give it more rounds.
    #[arg(long, value_parser = share)]
    pub fail_below: Option<f64>,
    /// How long the receiver of webhooks takes.
    #[arg(long, hide = true, default_value = "0")]
    pub delay_ms: u64,
}

/// The parts of the benchmark.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// GET /auth/api/v1/user, and the gate.
    User,
    /// POST /auth/api/v1/sessions/refresh.
    Refresh,
    /// Time until ready, and resident memory.
    Start,
    /// Delivery of webhooks: events/s, and what it costs a signup.
    Webhooks,
    /// What backends ask by API v2 among a million users, or as many as `--users` says.
    Api,
    /// Logins against the bare hash, and what they do to all other requests.
    Login,
    /// Resident memory with 100,000 sessions in use.
    Memory,
    /// The guard against regressions: measures what `all` does, and ends with exit code 1 if a figure is beyond the bound
    /// of its aim.
    Check,
    /// Seven operations of another build, that of `--before`, and of this one in turn: what is faster, what slower, and
    /// where it cannot tell. Some 12 minutes for each database. In one run of 20, one of its rows may be wrong: measure
    /// one that says slower or faster again, by `--operations`. Not part of `all`.
    Compare,
    /// Everything but `compare`, in some ten minutes.
    All,
    /// The bare routes; started by the benchmark itself.
    #[value(hide = true)]
    Bare,
    /// The receiver of webhooks; started by the benchmark itself.
    #[value(hide = true)]
    Sink,
}

impl Args {
    pub fn measures(&self, part: What) -> bool {
        self.what == part || (matches!(self.what, What::All | What::Check) && part != What::Compare)
    }

    /// Whether a selected part needs the filled databases.
    pub fn needs_users(&self) -> bool {
        !matches!(self.what, What::Api | What::Compare | What::Webhooks | What::Memory)
    }

    /// The number of users whom `api` asks for.
    pub fn people_of_api(&self) -> u64 {
        let default = if self.what == What::Api { 1_000_000 } else { 10_000 };
        self.users.and_then(|users| u64::try_from(users.get()).ok()).unwrap_or(default)
    }

    /// The number of users in the shared databases, and in each that is compared.
    pub fn users(&self) -> usize {
        self.users.map_or(if self.is_comparison() { 1_000 } else { 10_000 }, NonZeroUsize::get)
    }

    pub fn rounds(&self) -> usize {
        self.rounds.map_or(if self.is_comparison() { 20 } else { 3 }, NonZeroUsize::get)
    }

    /// A comparison has many short rounds: processes of one build differ by more than two measurements of one process.
    pub fn seconds(&self) -> u32 {
        self.seconds.map_or(if self.is_comparison() { 2 } else { 3 }, NonZeroU32::get)
    }

    fn is_comparison(&self) -> bool {
        self.what == What::Compare
    }

    pub fn duration(&self) -> Duration {
        Duration::from_secs(self.seconds().into())
    }
}

/// The limit of `--fail-below`.
fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if share > 0.0 && share <= 1.0 => Ok(share),
        _ => Err("a ratio between 0 and 1, such as 0.97".to_owned()),
    }
}
