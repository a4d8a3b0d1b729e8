//! The delivery latency of an event on an idle service.

use super::settings::send_to;
use super::sign_ups::People;
use crate::load::connect;
use crate::outcome::{Outcome, progress};
use crate::rig::Rig;
use crate::sink::Sink;
use crate::stats::{millis, percentile};
use crate::table::Table;
use serde::Serialize;
use std::time::Duration;
use tokio::time::sleep;

const EVENTS: usize = 150;
/// Not counted: the first hash allocates its memory, the first event opens a connection.
const WARM_UP: usize = 5;
/// Between two signups, so that each finds the service idle.
const PAUSE_INTERVAL: Duration = Duration::from_millis(20);
const AIM_P50_MS: f64 = 5.0;
const AIM_P99_MS: f64 = 30.0;

/// Each engine's figures.
#[derive(Serialize)]
pub struct Idle {
    events: usize,
    engines: Vec<EngineStats>,
    aim_p50_ms: f64,
    aim_p99_ms: f64,
}

#[derive(Serialize)]
struct EngineStats {
    engine: &'static str,
    p50_ms: f64,
    p90_ms: f64,
    p99_ms: f64,
    max_ms: f64,
}

/// Measures every engine: one signup after another, of whose events only the first is sent.
pub async fn measure(rig: &Rig) -> Outcome<Idle> {
    let mut engines = Vec::new();
    for mut instance in rig.empty_instances("idle").await? {
        let engine = instance.engine.name();
        let sink = Sink::start(Duration::ZERO)?;
        send_to(&mut instance, sink.timed_url());
        instance.set("SVC_WEBHOOK_ENABLED_EVENTS", "user.created");
        let service = instance.start().await?;
        let mut connection = connect(service.address).await?;
        let people = People::default();
        for sent in 1..=EVENTS + WARM_UP {
            people.sign_up(&mut connection).await?;
            sink.wait_for(sent, Duration::from_secs(10)).await?;
            sleep(PAUSE_INTERVAL).await;
        }
        let mut delays = sink.delays().await?.split_off(WARM_UP);
        delays.sort_unstable();
        let of = |percent| millis(percentile(&delays, percent));
        let figures = EngineStats { engine, p50_ms: of(50), p90_ms: of(90), p99_ms: of(99), max_ms: of(100) };
        progress(&format!("webhooks: {}", figures.cells().join(" | ")));
        engines.push(figures);
    }
    Ok(Idle { events: EVENTS, engines, aim_p50_ms: AIM_P50_MS, aim_p99_ms: AIM_P99_MS })
}

impl EngineStats {
    fn cells(&self) -> Vec<String> {
        let millis = [self.p50_ms, self.p90_ms, self.p99_ms, self.max_ms];
        [format!("doorward, {}", self.engine)].into_iter().chain(millis.map(|ms| format!("{ms:.2}"))).collect()
    }
}

impl Idle {
    /// The table.
    pub fn table(&self) -> Table {
        Table {
            title: format!(
                "From an event's created_at, before the commit, until it arrives at an idle service's receiver \
                 ({EVENTS} sign-ups; aims: p50 under {AIM_P50_MS:.0} ms, p99 under {AIM_P99_MS:.0} ms)"
            ),
            columns: vec!["server", "p50 ms", "p90 ms", "p99 ms", "max ms"],
            rows: self.engines.iter().map(EngineStats::cells).collect(),
        }
    }
}
