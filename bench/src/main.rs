//! `doorward-bench`: measures the whole system against the limits of its environment.
//!
//! Absolute figures depend on the machine, so everything is measured in one run, in interleaved rounds, and reported as
//! a ratio: the real service to a bare route with the same response, refreshes to bare durable commits, webhooks to a
//! bare client and to the bare statements.
//!
//! ```text
//! cargo build --release
//! cargo run --release -p doorward-bench -- all
//! ```
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a table on standard output, progress on standard error"
)]

mod bare;
mod commits;
mod disk;
mod guard;
mod instance;
mod load;
mod mail_sink;
mod mass;
mod outcome;
mod parts;
mod people;
mod pgbench;
mod postgres;
mod process;
mod report;
mod requests;
mod rig;
mod seed;
mod sink;
mod stats;
mod table;
mod world;

use clap::{Parser, ValueEnum};
use instance::Engine;
use outcome::Outcome;
use parts::webhooks::Part as Webhooks;
use report::Report;
use rig::Rig;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Measures the real service, as started from the binary beside this one.
#[derive(Parser)]
#[command(name = "doorward-bench")]
pub struct Args {
    /// What to measure.
    what: What,
    /// One JSON document instead of tables.
    #[arg(long)]
    json: bool,
    /// Users of the seeded database, each with one session: 10000, and 100000 for `simulate`, 1000000 for `api`.
    #[arg(long)]
    users: Option<NonZeroUsize>,
    /// Connections that ask at the same time, each kept open.
    #[arg(long, default_value = "32")]
    connections: NonZeroUsize,
    /// Interleaved rounds; every figure is the median of them.
    #[arg(long, default_value = "3")]
    rounds: NonZeroUsize,
    /// Length of one measurement in seconds.
    #[arg(long, default_value = "3")]
    seconds: NonZeroU32,
    /// Where the databases are made; a file system in memory makes commits cheaper than they are.
    #[arg(long)]
    dir: Option<PathBuf>,
    /// Everything in its largest numbers: databases of 10⁷ users, millions of webhooks, every combination of them.
    /// May take an hour; with `--keep` what was seeded is there the next time.
    #[arg(long)]
    full: bool,
    /// Keeps the databases of `growth`, `memory` and `seed` in this directory; an interrupted filling goes on there.
    #[arg(long)]
    keep: Option<PathBuf>,
    /// Webhooks: a tenth of the rows or less where the cost beside a million of them is measured.
    #[arg(long)]
    quick: bool,
    /// Webhooks: these parts only.
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Webhooks>,
    /// Timing: tries of each kind. The more, the smaller a difference is told from chance; 2000 take some eight minutes.
    #[arg(long, default_value = "200")]
    tries: NonZeroUsize,
    /// Soak and simulate: their length for each database, ten and four minutes if it is not given.
    #[arg(long)]
    minutes: Option<NonZeroU32>,
    /// Soak, simulate and mails: on this database. Otherwise `soak` has two processes on PostgreSQL, one on SQLite where
    /// PostgreSQL is not installed; `simulate` and `mails` take one after the other.
    #[arg(long, value_enum)]
    engine: Option<Engine>,
    /// Soak and simulate: chooses as the run that said this number did.
    #[arg(long)]
    seed: Option<u64>,
    /// Compare: the other build's `doorward`.
    #[arg(long, required_if_eq("what", "compare"))]
    before: Option<PathBuf>,
    /// How long the receiver of webhooks takes.
    #[arg(long, hide = true, default_value = "0")]
    delay_ms: u64,
}

/// The parts of the benchmark.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
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
    /// The guard against regressions: a short run whose ratios must not be below bounds; exit code 1 if one is.
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
    /// `GET /auth/api/v1/user` of another build, that of `--before`, and of this one in turn. Give it many short rounds:
    /// `--rounds 40 --seconds 1`. Not part of `all`.
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
    fn measures(&self, part: What) -> bool {
        let checked = self.what == What::Check && matches!(part, What::User | What::Refresh);
        let is_long = matches!(part, What::Api | What::Compare | What::Soak | What::Simulate | What::Mails);
        self.what == part || (self.what == What::All && !is_long) || checked
    }

    /// Whether this part of the webhooks is measured: all of them by default, without the long ones in a run of `all`
    /// that is not full.
    fn includes(&self, part: Webhooks) -> bool {
        let is_brief = self.what == What::All && !self.full;
        let is_long = matches!(part, Webhooks::Growth | Webhooks::CleanUp);
        if self.only.is_empty() { !(is_brief && is_long) } else { self.only.contains(&part) }
    }

    /// Whether a selected part needs the filled databases.
    fn needs_users(&self) -> bool {
        !matches!(
            self.what,
            What::Api
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
    fn needs_growth(&self) -> bool {
        self.measures(What::Memory) || self.measures(What::Growth) || self.what == What::Seed
    }

    /// The number of users whom `api` asks for.
    fn people_of_api(&self) -> u64 {
        self.users.and_then(|users| u64::try_from(users.get()).ok()).unwrap_or(1_000_000)
    }

    /// The number of users in the shared databases.
    fn users(&self) -> usize {
        self.users.map_or(10_000, NonZeroUsize::get)
    }

    fn duration(&self) -> Duration {
        Duration::from_secs(self.seconds.get().into())
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let done = runtime.map_err(Into::into).and_then(|runtime| runtime.block_on(run(&args)));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("doorward-bench: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(args: &Args) -> Outcome<()> {
    if args.what == What::Bare {
        return bare::serve().await;
    }
    if args.what == What::Sink {
        return sink::serve(Duration::from_millis(args.delay_ms)).await;
    }
    let mut report = None;
    // An interrupt drops the measurement, and with it every process and directory that it created.
    let outcome = tokio::select! {
        outcome = measure(args, &mut report) => outcome,
        _ = tokio::signal::ctrl_c() => Err("interrupted".into()),
    };
    let Some(report) = report else { return outcome };
    if let Err(error) = outcome {
        print!("{}", render(&report, args)?);
        return Err(format!("{error}; the tables are those that were done").into());
    }
    if args.what == What::Seed {
        return Ok(());
    }
    if args.what == What::Check {
        println!("{}", guard::evaluate(&report)?);
        return Ok(());
    }
    print!("{}", render(&report, args)?);
    if report.soak.as_ref().is_some_and(|soak| !soak.is_kept()) {
        return Err("a promise was broken".into());
    }
    if report.mails.as_ref().is_some_and(|mails| !mails.is_within_aims()) {
        return Err("an aim was missed".into());
    }
    if report.simulation.as_ref().is_some_and(|simulation| !simulation.is_clean()) {
        return Err("not every answer was as it should be".into());
    }
    Ok(())
}

fn render(report: &Report, args: &Args) -> Outcome<String> {
    Ok(if args.json { serde_json::to_string_pretty(report)? + "\n" } else { report.to_string() })
}

/// Stores finished measurements in `report`, even if a later one fails.
async fn measure(args: &Args, report: &mut Option<Report>) -> Outcome<()> {
    if args.needs_growth() {
        disk::announce(args)?;
    }
    let mut rig = Rig::build(args).await?;
    let report = report.insert(Report::new(args, &rig));
    if args.measures(What::Start) {
        report.start = Some(parts::start::measure(&mut rig, args).await?);
    }
    if args.measures(What::User) {
        report.user = Some(parts::user::measure(&rig, args).await?);
    }
    if args.measures(What::Compare) {
        report.compare = Some(parts::compare::measure(&rig, args).await?);
    }
    if args.measures(What::Timing) {
        report.timing = Some(parts::timing::measure(&rig, args.tries.get()).await?);
    }
    if args.measures(What::Refresh) {
        report.refresh = Some(parts::refresh::measure(&rig, args).await?);
    }
    if args.measures(What::Login) {
        report.log_in = Some(parts::login::measure(&rig, args).await?);
    }
    if args.measures(What::Bodies) {
        report.bodies = Some(parts::bodies::measure(&mut rig).await?);
    }
    if args.measures(What::Two) {
        report.two = parts::two::measure(&rig, args).await?;
    }
    if args.what == What::Seed {
        parts::growth::seed(&rig, args).await?;
    }
    if args.measures(What::Memory) {
        report.memory = Some(parts::memory::measure(&rig, args).await?);
    }
    if args.measures(What::Growth) {
        report.growth = Some(parts::growth::measure(&rig, args).await?);
    }
    if args.measures(What::Webhooks) {
        report.webhooks = Some(parts::webhooks::measure(&rig, args).await?);
    }
    if args.measures(What::Organizations) {
        report.organizations = Some(parts::organizations::measure(&rig, args).await?);
    }
    if args.measures(What::Api) {
        report.api = Some(parts::api::measure(&rig, args).await?);
    }
    if args.measures(What::Soak) {
        report.soak = Some(parts::soak::measure(&mut rig, args).await?);
    }
    if args.measures(What::Simulate) {
        report.simulation = Some(parts::simulate::measure(&rig, args).await?);
    }
    if args.measures(What::Mails) {
        report.mails = Some(parts::mails::measure(&rig, args).await?);
    }
    Ok(())
}
