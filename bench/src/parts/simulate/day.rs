//! The assumed day: who visits when, and what they request. Replace these figures by your own.

use crate::world::records::Operation;
use crate::world::rng::Rng;
use serde::Serialize;
use std::time::Duration;

/// A day.
pub const DAY: Duration = Duration::from_hours(24);

/// Assumptions about a day.
#[derive(Clone, Copy, Serialize)]
pub struct Assumed {
    /// The share of users who are active on a day.
    pub active_share: f64,
    /// Visits per active user.
    pub visits: u32,
    /// Length of a visit in minutes.
    pub visit_minutes: u32,
    /// `GET /user` per visit: one for each request to the application.
    pub asked_per_visit: u32,
    /// Minutes between two refreshes of a visit; the first is at its start.
    pub refresh_minutes: u32,
    /// Account pages per active user.
    pub pages: f64,
    /// Logins per active user: one in ten days.
    pub log_ins: f64,
    /// Signups per active user.
    pub sign_ups: f64,
    /// Changes of organizations per active user: create, invite, accept, change a role, leave.
    pub changes: f64,
}

/// The figures of `docs/concepts/scale.md`.
pub const ASSUMED: Assumed = Assumed {
    active_share: 0.3,
    visits: 4,
    visit_minutes: 30,
    asked_per_visit: 50,
    refresh_minutes: 10,
    pages: 0.5,
    log_ins: 0.1,
    sign_ups: 0.01,
    changes: 0.05,
};

/// Relative number of visits that begin in each hour: few at night, most in the evening.
const HOURS: [usize; 24] = [20, 12, 8, 6, 6, 9, 18, 32, 44, 50, 52, 53, 55, 52, 50, 50, 52, 56, 62, 70, 74, 70, 56, 36];

/// A planned action.
pub struct Planned {
    /// Time of day.
    pub at: Duration,
    /// Number of the user.
    pub who: usize,
    /// The operation.
    pub operation: Operation,
}

/// The day of `active` users, ordered by time.
pub fn plan(active: usize, seed: u64) -> Vec<Planned> {
    let mut rng = Rng::new(seed);
    let mut plan = Vec::new();
    for who in 0..active {
        for _ in 0..ASSUMED.visits {
            visit(&mut plan, &mut rng, who);
        }
        let rest = [
            (Operation::Page, ASSUMED.pages),
            (Operation::LogIn, ASSUMED.log_ins),
            (Operation::SignUp, ASSUMED.sign_ups),
            (Operation::Team, ASSUMED.changes),
        ];
        for (operation, fraction) in rest {
            if rng.fraction() < fraction {
                plan.push(Planned { at: moment(&mut rng), who, operation });
            }
        }
    }
    plan.sort_by_key(|planned| planned.at);
    plan
}

fn visit(plan: &mut Vec<Planned>, rng: &mut Rng, who: usize) {
    let begin = moment(rng);
    let length = Duration::from_mins(ASSUMED.visit_minutes.into());
    let mut add = |after: Duration, operation| plan.push(Planned { at: within_day(begin + after), who, operation });
    for refresh in 0..ASSUMED.visit_minutes / ASSUMED.refresh_minutes {
        add(Duration::from_mins((refresh * ASSUMED.refresh_minutes).into()), Operation::Refresh);
    }
    for _ in 0..ASSUMED.asked_per_visit {
        add(length.mul_f64(rng.fraction()), Operation::User);
    }
}

fn moment(rng: &mut Rng) -> Duration {
    let hours: Vec<(u32, usize)> = (0..).zip(HOURS).collect();
    let hour = rng.weighted(&hours).unwrap_or_default();
    Duration::from_hours(hour.into()) + Duration::from_hours(1).mul_f64(rng.fraction())
}

fn within_day(at: Duration) -> Duration {
    at.checked_sub(DAY).unwrap_or(at)
}
