//! The cost of an organization's size: the same requests with a hundred thousand members and with a hundred, and its
//! deletion.

mod bulk_users;
mod common;
mod deletion;
mod pages;

use crate::outcome::{Outcome, progress};
use crate::rig::Rig;
use crate::table::Table;
use crate::{Args, seed};
use bulk_users::BulkUsers;
use common::{FEW, MANY};
use deletion::Deletion;
use pages::Comparison;
use serde::Serialize;

/// Maximum ratio of the larger organization's time to the smaller one's.
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
        // With a URL events are stored, as in production. Nothing listens there, and nothing delivers them here.
        instance.set("SVC_WEBHOOK_URL", "http://127.0.0.1:9/");
        instance.set("SVC_WEBHOOK_SECRET", "a secret of the benchmark");
        seed::fill(&mut instance, pages::PEOPLE).await?;
        progress(&format!("organizations: {}: {MANY} members", instance.engine.name()));
        let mut bulk_users = BulkUsers::create(&instance, MANY).await?;
        pages.extend(pages::measure(&instance, &mut bulk_users).await?);
        deletions.extend(deletion::measure(&instance, &mut bulk_users, args.rounds()).await?);
    }
    Ok(Organizations { members: MANY, members_of_the_small: FEW, pages, deletions, aim_ratio: AIM })
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
