//! The arguments of the benchmark.

use crate::instance::Engine;
use crate::parts::compare::ComparedOperation;
use crate::parts::webhooks::part::Part as Webhooks;
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
    /// Users of the seeded database, each with one session: 10000, and 1000 for `compare`, 100000 for `simulate`,
    /// 1000000 for `api`.
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
    /// Everything in its largest numbers: databases of 10⁷ users, millions of webhooks, every combination of them.
    /// May take an hour; with `--keep` what was seeded is there the next time.
    #[arg(long)]
    pub full: bool,
    /// Keeps the databases of `growth`, `memory` and `seed` in this directory; an interrupted filling goes on there.
    #[arg(long)]
    pub keep: Option<PathBuf>,
    /// Webhooks: a tenth of the rows or less where the cost beside a million of them is measured.
    #[arg(long)]
    pub quick: bool,
    /// Webhooks: these parts only.
    #[arg(long, value_enum, value_delimiter = ',')]
    pub only: Vec<Webhooks>,
    /// Timing: tries of each kind. The more, the smaller a difference is told from chance; 2000 take some eight minutes.
    #[arg(long, default_value = "200")]
    pub tries: NonZeroUsize,
    /// Soak and simulate: their length for each database, ten and four minutes if it is not given.
    #[arg(long)]
    pub minutes: Option<NonZeroU32>,
    /// Compare, soak, simulate and mails: on this database. Otherwise `soak` has two processes on PostgreSQL, one on
    /// SQLite where PostgreSQL is not installed, and the others take both.
    #[arg(long, value_enum)]
    pub engine: Option<Engine>,
    /// Soak and simulate: chooses as the run that said this number did.
    #[arg(long)]
    pub seed: Option<u64>,
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
    /// GET /auth/api/v1/user.
    User,
    /// POST /auth/api/v1/sessions/refresh.
    Refresh,
    /// Time until ready, and resident memory.
    Start,
    /// What the time of a refused login tells.
    Timing,
    /// Delivery of webhooks: events/s, latency, and what it costs a signup.
    Webhooks,
    /// What an organization's size costs, and its end.
    Organizations,
    /// What backends ask by API v2 among a million users, or as many as `--users` says. Not part of `all`.
    Api,
    /// Log-ins against the bare hash, and what they do to everybody else.
    Login,
    /// Memory of requests that are still arriving, and the cost of forged tokens.
    Bodies,
    /// Two processes on one PostgreSQL database.
    Two,
    /// Resident memory.
    Memory,
    /// Whether it gets slower as the database grows.
    Growth,
    /// Only makes the databases of `growth` and `memory`, in the directory of `--keep`.
    Seed,
    /// The guard against regressions: a short run whose figures must not be beyond the bounds of their aims; exit code 1 if
    /// one is.
    Check,
    /// Minutes of work at 70 % of capacity, while the receiver of webhooks flaps, PostgreSQL is restarted and a process
    /// is killed; exit code 1 if a promise was broken. Not part of `all`.
    Soak,
    /// A day of a million users, scaled down in time and number: what it takes of processors, memory and disk. Not part
    /// of `all`.
    Simulate,
    /// Whether an account can flood a mailbox or hold up the mails of others: a minute for each database; exit code 1 if
    /// it can. Not part of `all`.
    Mails,
    /// Seven operations of another build, that of `--before`, and of this one in turn: what is faster, what slower, and
    /// where it cannot tell. Some 12 minutes for each database. In one run of 20, one of its rows may be wrong: measure
    /// one that says slower or faster again, by `--operations`. Not part of `all`.
    Compare,
    /// Everything, in some ten minutes; with `--full` also what takes long.
    All,
    /// The bare routes; started by the benchmark itself.
    #[value(hide = true)]
    Bare,
    /// The receiver of webhooks; started by the benchmark itself.
    #[value(hide = true)]
    Sink,
}

impl Args {
    /// Whether this part is measured.
    pub fn measures(&self, part: What) -> bool {
        let checked = self.what == What::Check && matches!(part, What::User | What::Refresh | What::Start | What::Api);
        let is_long = matches!(part, What::Api | What::Compare | What::Soak | What::Simulate | What::Mails);
        self.what == part || (self.what == What::All && !is_long) || checked
    }

    /// Whether this part of the webhooks is measured: all of them by default, without the long ones in a run of `all`
    /// that is not full.
    pub fn includes(&self, part: Webhooks) -> bool {
        let is_brief = self.what == What::All && !self.full;
        let is_long = matches!(part, Webhooks::Growth | Webhooks::CleanUp);
        if self.only.is_empty() { !(is_brief && is_long) } else { self.only.contains(&part) }
    }

    /// Whether a selected part needs the filled databases.
    pub fn needs_users(&self) -> bool {
        !matches!(
            self.what,
            What::Api
                | What::Compare
                | What::Webhooks
                | What::Organizations
                | What::Memory
                | What::Growth
                | What::Seed
                | What::Soak
                | What::Simulate
                | What::Mails
        )
    }

    /// Whether a selected part needs the large databases.
    pub fn needs_growth(&self) -> bool {
        self.measures(What::Memory) || self.measures(What::Growth) || self.what == What::Seed
    }

    /// The number of users whom `api` asks for.
    pub fn people_of_api(&self) -> u64 {
        let default = if self.what == What::Check { 10_000 } else { 1_000_000 };
        self.users.and_then(|users| u64::try_from(users.get()).ok()).unwrap_or(default)
    }

    /// The number of users in the shared databases, and in each that is compared.
    pub fn users(&self) -> usize {
        self.users.map_or(if self.is_comparison() { 1_000 } else { 10_000 }, NonZeroUsize::get)
    }

    /// The number of interleaved rounds.
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

    /// The length of one measurement.
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
