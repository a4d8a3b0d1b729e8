//! Two builds of the service side by side: what a change costs `GET /auth/api/v1/user`, to a hundredth.

use super::series::Series;
use crate::Args;
use crate::instance::Instance;
use crate::load::{self, Run};
use crate::outcome::{Outcome, progress};
use crate::process::doorward;
use crate::requests::{USER, UserRequests, user_cookies};
use crate::rig::Rig;
use crate::table::Table;
use axum::http::HeaderValue;
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;

/// What a change may cost: another build with the same speed differs by less.
const AIM: f64 = 0.98;

/// The figures of each engine.
#[derive(Serialize)]
pub struct Comparison {
    engines: Vec<EngineComparison>,
    aim: f64,
}

#[derive(Serialize)]
struct EngineComparison {
    engine: &'static str,
    before_per_second: f64,
    after_per_second: f64,
    before_cpu_us: f64,
    after_cpu_us: f64,
    /// Median over the rounds.
    speed_ratio: f64,
}

/// Both builds on the database of one engine.
struct Pair<'a> {
    instance: &'a Instance,
    cookies: Arc<[HeaderValue]>,
    before: Series,
    after: Series,
}

/// Measures the build of `--before` and the one beside this program in turn, so that what else the machine does falls on
/// both. Each time in a new process: where memory happens to lie makes one faster than the next of the same build.
pub async fn measure(rig: &Rig, args: &Args) -> Outcome<Comparison> {
    let before = args.before.as_deref().ok_or("compare needs --before with the other build's doorward")?;
    let after = doorward()?;
    let mut pairs = Vec::new();
    for instance in &rig.instances {
        let cookies = user_cookies(&instance.tokens)?;
        pairs.push(Pair { instance, cookies, before: Series::default(), after: Series::default() });
    }
    for round in 1..=args.rounds.get() {
        for pair in &mut pairs {
            // Neither is always the one that comes second.
            let mut builds = [(before, &mut pair.before), (&after, &mut pair.after)];
            if round % 2 == 0 {
                builds.reverse();
            }
            for (program, series) in builds {
                series.0.push(run(pair.instance, program, &pair.cookies, args).await?);
            }
            let figures = pair.figures();
            progress(&format!("compare, round {round}: {}: {:.3}", figures.engine, figures.speed_ratio));
        }
    }
    Ok(Comparison { engines: pairs.iter().map(Pair::figures).collect(), aim: AIM })
}

/// Every token was seen before: the first verification of a token is not measured.
async fn run(instance: &Instance, program: &Path, cookies: &Arc<[HeaderValue]>, args: &Args) -> Outcome<Run> {
    let service = instance.start_program(program).await?;
    let clients = UserRequests::sequential(args.connections.get(), cookies);
    load::send_requests(service.address, clients, cookies.len() * 2).await?;
    let clients = UserRequests::many(args.connections.get(), cookies);
    let (_, run) = load::measure(service.address, service.process.id(), clients, args.duration()).await?;
    Ok(run)
}

impl Pair<'_> {
    fn figures(&self) -> EngineComparison {
        let [before, after] = [&self.before, &self.after].map(|series| series.figures(String::new(), &self.before));
        EngineComparison {
            engine: self.instance.engine.name(),
            before_per_second: before.requests_per_second,
            after_per_second: after.requests_per_second,
            before_cpu_us: before.cpu_us_per_request,
            after_cpu_us: after.cpu_us_per_request,
            speed_ratio: after.of_bare,
        }
    }
}

impl Comparison {
    /// The table.
    pub fn table(&self) -> Table {
        let cells = |engine: &EngineComparison| {
            vec![
                engine.engine.to_owned(),
                format!("{:.0}", engine.before_per_second),
                format!("{:.0}", engine.after_per_second),
                format!("{:.1}", engine.before_cpu_us),
                format!("{:.1}", engine.after_cpu_us),
                format!("{:.3}", engine.speed_ratio),
            ]
        };
        Table {
            title: format!("GET {USER} of two builds (aim: at least {AIM} of the one before)"),
            columns: vec!["database", "requests/s before", "after", "CPU µs/request before", "after", "of before"],
            rows: self.engines.iter().map(cells).collect(),
        }
    }
}
