//! What an organization's size costs: the same requests where it has a hundred thousand members and where it has a
//! hundred, and its end.

mod crowd;
mod deletion;
mod pages;

use crate::instance::Instance;
use crate::outcome::{Outcome, progress};
use crate::rig::Rig;
use crate::table::Table;
use crate::{Args, seed};
use crowd::Crowd;
use deletion::Deletion;
use doorward::boot;
use doorward::clock::Clock;
use doorward::context::App;
use doorward::crypto::password::Params;
use doorward::settings::{ServiceName, Settings};
use pages::Comparison;
use serde::Serialize;
use std::sync::Arc;

const MANY: usize = 100_000;
const FEW: usize = 100;
/// Most of the time of the larger organization, in times of the smaller one's.
const AIM: f64 = 1.5;

/// Each engine's figures.
#[derive(Serialize)]
pub struct Organizations {
    members: usize,
    members_of_the_small: usize,
    pages: Vec<Comparison>,
    deletions: Vec<Deletion>,
    aim_ratio: f64,
}

/// Measures every engine.
pub async fn measure(rig: &Rig, args: &Args) -> Outcome<Organizations> {
    let (mut pages, mut deletions) = (Vec::new(), Vec::new());
    for mut instance in rig.empty_instances("organizations").await? {
        // Told, events are stored as they are in earnest; nobody listens, and nothing delivers them here.
        instance.set("SVC_WEBHOOK_URL", "http://127.0.0.1:9/");
        instance.set("SVC_WEBHOOK_SECRET", "a secret of the benchmark");
        seed::fill(&mut instance, pages::PEOPLE).await?;
        progress(&format!("organizations: {}: {MANY} members", instance.engine.name()));
        let mut crowd = Crowd::gather(&instance, MANY).await?;
        pages.extend(pages::measure(&instance, &mut crowd).await?);
        deletions.extend(deletion::measure(&instance, &mut crowd, args.rounds.get()).await?);
    }
    Ok(Organizations { members: MANY, members_of_the_small: FEW, pages, deletions, aim_ratio: AIM })
}

/// The service's own functions, inside this process.
async fn open(instance: &Instance) -> Outcome<Arc<App>> {
    let settings = Settings::load(&ServiceName::parse(ServiceName::DEFAULT)?, &instance.environment());
    let settings = settings.map_err(|problems| problems.to_string())?.settings;
    Ok(boot::app(settings, Clock::system(), Params::OWASP).await?)
}

impl Organizations {
    /// The tables.
    pub fn tables(&self) -> [Table; 2] {
        [
            Table {
                title: format!("Organizations of {MANY} members against {FEW} (aim: at most {AIM:.1} times as long)"),
                columns: vec!["request", "large p50 ms", "p95", "small p50 ms", "p95", "large/small"],
                rows: self.pages.iter().map(Comparison::cells).collect(),
            },
            Table {
                title: "Deletion of a team, with the event of each membership".to_owned(),
                columns: vec!["doorward", "ms", "µs/member"],
                rows: self.deletions.iter().map(Deletion::cells).collect(),
            },
        ]
    }
}
