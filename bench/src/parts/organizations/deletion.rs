//! Deletion of a team, through the library: the time of a request is that of its single transaction.

use super::bulk_users::BulkUsers;
use super::common::{FEW, MANY, open};
use crate::instance::Instance;
use crate::outcome::{Outcome, progress};
use crate::stats::{count, median, millis};
use doorward::domain::account::operator;
use doorward::domain::ending::Commit;
use doorward::domain::organization::delete::delete;
use doorward::domain::organization::manage;
use doorward::model::principal::Principal;
use serde::Serialize;
use tokio::time::Instant;

/// One engine, one size.
#[derive(Serialize)]
pub struct Deletion {
    server: String,
    members: usize,
    median_ms: f64,
}

/// Deletes teams of either size, each created for this.
pub async fn measure(instance: &Instance, bulk_users: &mut BulkUsers, rounds: usize) -> Outcome<Vec<Deletion>> {
    let app = open(instance).await?;
    let owner = operator::find(&app.store, &Principal::operator(), &crate::seed::email(0)).await?.id;
    let mut deletions = Vec::new();
    for members in [FEW, MANY] {
        let mut took = Vec::new();
        for _ in 0..rounds {
            let team = manage::create(&app, &Principal::operator(), owner, "A team that ends", Commit).await?.id;
            bulk_users.add_members(team, members).await?;
            let began = Instant::now();
            delete(&app, &Principal::operator(), team).await?;
            took.push(millis(began.elapsed()));
            bulk_users.delete_events().await?;
        }
        let median_ms = median(took);
        progress(&format!("organizations: {}: {members} members gone in {median_ms:.0} ms", instance.engine.name()));
        deletions.push(Deletion { server: instance.engine.name().to_owned(), members, median_ms });
    }
    app.store.close().await;
    Ok(deletions)
}

impl Deletion {
    /// A row of the table.
    pub fn cells(&self) -> Vec<String> {
        vec![
            format!("{}, {} members", self.server, self.members),
            format!("{:.0}", self.median_ms),
            format!("{:.1}", self.median_ms * 1e3 / count(self.members)),
        ]
    }
}
