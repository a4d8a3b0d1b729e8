//! Certificates that are valid, but not for long.

use super::report::Report;
use crate::clock::Clock;
use crate::model::finding::{Finding, FindingCode};
use crate::model::time::Time;
use std::time::Duration;

/// Who renews automatically does so a month before; what is left then is for people.
const SOON: Duration = Duration::from_hours(14 * 24);

/// Warns of a certificate that ends soon; `None` is a server without TLS.
pub(super) fn examine(report: &mut Report, check: &'static str, server: &str, end: Option<Time>, clock: &Clock) {
    let Some(end) = end.filter(|end| *end < clock.now() + SOON) else { return };
    let at = end.to_string();
    let day = at.split('T').next().unwrap_or_default();
    let message = format!(
        "the certificate of {server} expires on {day}: renew it, and check why that did not happen automatically"
    );
    report.found(check, Finding::new(FindingCode::CertificateEnds, message));
}
