//! Webhook delivery by the real service to a receiver in its own process.

mod cleanup;
mod growth;
mod idle;
mod outbox;
mod rates;
mod raw;
mod sign_ups;
mod stock;

use crate::Args;
use crate::instance::Instance;
use crate::outcome::Outcome;
use crate::rig::Rig;
use crate::table::Table;
use clap::ValueEnum;
use serde::Serialize;

/// What is measured of the delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Events per second, against two limits.
    Rates,
    /// How soon an event arrives.
    Idle,
    /// What webhooks cost a signup.
    SignUps,
    /// A claim beside many rows.
    Growth,
    /// A claim during the clean-up.
    CleanUp,
}

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

/// Configures the instance to send events to this URL.
fn send_to(instance: &mut Instance, url: String) {
    instance.set(URL, url);
    instance.set(SECRET, "a secret of a benchmark, as long as others");
    // Processes are killed while they deliver; their claimed deliveries must stay claimed until the end.
    instance.set("SVC_WEBHOOK_PROCESSING_STALE_AFTER", "12h");
}

/// Configures the instance without webhooks.
fn send_nothing(instance: &mut Instance) {
    instance.unset(URL);
    instance.unset(SECRET);
}

const URL: &str = "SVC_WEBHOOK_URL";
const SECRET: &str = "SVC_WEBHOOK_SECRET";
