//! Webhook delivery by the real service to a receiver in its own process.

mod cleanup;
mod growth;
mod idle;
mod outbox;
pub mod part;
mod rates;
mod raw;
mod settings;
mod sign_ups;
mod stock;

use crate::Args;
use crate::outcome::Outcome;
use crate::rig::Rig;
use crate::table::Table;
use part::Part;
use serde::Serialize;

/// The figures of each part.
#[derive(Serialize)]
pub struct Webhooks {
    #[serde(skip_serializing_if = "Option::is_none")]
    rates: Option<rates::Rates>,
    #[serde(skip_serializing_if = "Option::is_none")]
    idle: Option<idle::Idle>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sign_ups: Option<sign_ups::SignUps>,
    #[serde(skip_serializing_if = "Option::is_none")]
    growth: Option<growth::Growth>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clean_up: Option<cleanup::CleanUp>,
}

/// Measures all parts, or the selected ones, on every engine.
pub async fn measure(rig: &Rig, args: &Args) -> Outcome<Webhooks> {
    let mut done = Webhooks { rates: None, idle: None, sign_ups: None, growth: None, clean_up: None };
    if args.includes(Part::Rates) {
        done.rates = Some(rates::measure(rig, args).await?);
    }
    if args.includes(Part::Idle) {
        done.idle = Some(idle::measure(rig).await?);
    }
    if args.includes(Part::SignUps) {
        done.sign_ups = Some(sign_ups::measure(rig, args).await?);
    }
    if args.includes(Part::Growth) {
        done.growth = Some(growth::measure(rig, args).await?);
    }
    if args.includes(Part::CleanUp) {
        done.clean_up = Some(cleanup::measure(rig, args).await?);
    }
    Ok(done)
}

impl Webhooks {
    /// The tables.
    pub fn tables(&self) -> Vec<Table> {
        let one = [
            self.rates.as_ref().map(rates::Rates::table),
            self.idle.as_ref().map(idle::Idle::table),
            self.sign_ups.as_ref().map(sign_ups::SignUps::table),
        ];
        let growth = self.growth.as_ref().map(growth::Growth::table);
        one.into_iter().flatten().chain(growth).chain(self.clean_up.as_ref().map(cleanup::CleanUp::table)).collect()
    }
}
