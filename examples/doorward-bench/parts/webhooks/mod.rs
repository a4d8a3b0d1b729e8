//! The delivery of webhooks, by the real service, to a receiver in a process of its own.

mod idle;
mod outbox;
mod rates;
mod raw;
mod sign_ups;

use crate::Args;
use crate::instance::Instance;
use crate::outcome::Outcome;
use crate::rig::Rig;
use crate::table::Table;
use serde::Serialize;

/// The figures of each part.
#[derive(Serialize)]
pub struct Webhooks {
    rates: rates::Rates,
    idle: idle::Idle,
    sign_ups: sign_ups::SignUps,
}

/// Measures all of them, on every engine.
pub async fn measure(rig: &Rig, args: &Args) -> Outcome<Webhooks> {
    Ok(Webhooks {
        rates: rates::measure(rig, args).await?,
        idle: idle::measure(rig).await?,
        sign_ups: sign_ups::measure(rig, args).await?,
    })
}

impl Webhooks {
    /// The tables.
    pub fn tables(&self) -> [Table; 3] {
        [self.rates.table(), self.idle.table(), self.sign_ups.table()]
    }
}

/// Has the service of this instance send its events to this URL.
fn send_to(instance: &mut Instance, url: String) {
    instance.set(URL, url);
    instance.set(SECRET, "a secret of a benchmark, as long as others");
    // The processes here are killed while they deliver; what they held is to wait until all is measured.
    instance.set("SVC_WEBHOOK_PROCESSING_STALE_AFTER", "12h");
}

/// Has it record and send none.
fn send_nothing(instance: &mut Instance) {
    instance.unset(URL);
    instance.unset(SECRET);
}

const URL: &str = "SVC_WEBHOOK_URL";
const SECRET: &str = "SVC_WEBHOOK_SECRET";
