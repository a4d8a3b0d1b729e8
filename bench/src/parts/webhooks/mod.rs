//! Webhook delivery by the real service to a receiver in its own process.

mod outbox;
mod rates;
mod raw;
mod settings;
mod sign_ups;

use crate::Args;
use crate::check::Check;
use crate::outcome::Outcome;
use crate::rig::Rig;
use crate::table::Table;
use serde::Serialize;

#[derive(Serialize)]
pub struct Webhooks {
    rates: rates::Rates,
    sign_ups: sign_ups::SignUps,
}

pub async fn measure(rig: &Rig, args: &Args) -> Outcome<Webhooks> {
    Ok(Webhooks { rates: rates::measure(rig, args).await?, sign_ups: sign_ups::measure(rig, args).await? })
}

impl Webhooks {
    pub fn checks(&self) -> impl Iterator<Item = Check> {
        self.rates.checks().chain(self.sign_ups.checks())
    }

    pub fn tables(&self) -> [Table; 2] {
        [self.rates.table(), self.sign_ups.table()]
    }

    #[cfg(test)]
    pub fn sample() -> Self {
        Self { rates: rates::Rates::sample(), sign_ups: sign_ups::SignUps::sample() }
    }
}
