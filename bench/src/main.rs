//! `doorward-bench`: measures the whole system against the limits of its environment.
//!
//! Absolute figures depend on the machine, so everything is measured in one run, in interleaved rounds, and reported as
//! a ratio: the real service to a bare route with the same response, refreshes to bare durable commits, webhooks to a
//! bare client and to the bare statements.
//!
//! ```text
//! cargo build --profile dist
//! cargo run --profile dist -p doorward-bench -- all
//! ```
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a table on standard output, progress on standard error"
)]

mod aims;
mod args;
mod askers;
mod bare;
mod check;
mod commits;
mod guard;
mod instance;
mod load;
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

use args::{Args, What};
use clap::Parser;
use outcome::Outcome;
use parts::compare::Comparison;
use report::Report;
use rig::Rig;
use std::process::ExitCode;
use std::time::Duration;

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
    if args.what == What::Check {
        println!("{}", guard::evaluate(&report)?);
        return Ok(());
    }
    print!("{}", render(&report, args)?);
    let slower = report.compare.as_ref().map(Comparison::failures).unwrap_or_default();
    if !slower.is_empty() {
        return Err(slower.join("\n").into());
    }
    Ok(())
}

fn render(report: &Report, args: &Args) -> Outcome<String> {
    Ok(if args.json { serde_json::to_string_pretty(report)? + "\n" } else { report.to_string() })
}

/// Stores finished measurements in `report`, even if a later one fails.
async fn measure(args: &Args, report: &mut Option<Report>) -> Outcome<()> {
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
    if args.measures(What::Refresh) {
        report.refresh = Some(parts::refresh::measure(&rig, args).await?);
    }
    if args.measures(What::Login) {
        report.log_in = Some(parts::login::measure(&rig, args).await?);
    }
    if args.measures(What::Memory) {
        report.memory = Some(parts::memory::measure(&rig, args).await?);
    }
    if args.measures(What::Webhooks) {
        report.webhooks = Some(parts::webhooks::measure(&rig, args).await?);
    }
    if args.measures(What::Api) {
        report.api = Some(parts::api::measure(&rig, args).await?);
    }
    Ok(())
}
