//! Times, durations and roles as people read them.

use crate::clock::Time;
use crate::domain::organizations::{MemberRole, OrganizationKind};
use std::time::Duration;

/// A member's role.
pub const fn role(role: MemberRole) -> &'static str {
    match role {
        MemberRole::Owner => "Owner",
        MemberRole::Admin => "Admin",
        MemberRole::Member => "Member",
    }
}

/// What an organization is for.
pub const fn kind(kind: OrganizationKind) -> &'static str {
    match kind {
        OrganizationKind::Personal => "Personal",
        OrganizationKind::Team => "Team",
    }
}

/// A day: `21 November 2025`, in UTC.
pub fn day(at: Time) -> String {
    formatted(at, "%-d %B %Y")
}

/// A moment: `21 November 2025, 11:47 UTC`. The page's script shows it in the reader's own time zone.
pub fn moment(at: Time) -> String {
    formatted(at, "%-d %B %Y, %H:%M UTC")
}

fn formatted(at: Time, format: &str) -> String {
    match jiff::Timestamp::from_microsecond(at.as_micros()) {
        Ok(timestamp) => timestamp.strftime(format).to_string(),
        Err(_) => at.to_string(),
    }
}

/// A time to wait, rounded up so that waiting it is enough: `1 second`, `2 minutes`, `3 hours`.
pub fn duration(wait: Duration) -> String {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    let (count, unit) = match seconds.max(1) {
        seconds @ ..=90 => (seconds, "second"),
        seconds @ ..=5_400 => (seconds.div_ceil(60), "minute"),
        seconds => (seconds.div_ceil(3_600), "hour"),
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{plural}")
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
