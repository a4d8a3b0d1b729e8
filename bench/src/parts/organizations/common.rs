//! What both measurements of organizations need.

use crate::instance::Instance;
use crate::outcome::Outcome;
use doorward::boot;
use doorward::clock::Clock;
use doorward::context::App;
use doorward::crypto::password::Params;
use doorward::settings::{ServiceName, Settings};
use std::sync::Arc;

/// Members of the larger organization.
pub const MANY: usize = 100_000;
/// Members of the smaller one.
pub const FEW: usize = 100;

/// The service inside this process.
pub async fn open(instance: &Instance) -> Outcome<Arc<App>> {
    let settings = Settings::load(&ServiceName::parse(ServiceName::DEFAULT)?, &instance.environment());
    let settings = settings.map_err(|problems| problems.to_string())?.settings;
    Ok(boot::app(settings, Clock::system(), Params::OWASP).await?)
}
