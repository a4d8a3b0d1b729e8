//! A day as it is assumed: who comes when, and what they ask for. These are the figures to replace by one's own.

use crate::world::dice::Dice;
use crate::world::records::Operation;
use serde::Serialize;
use std::time::Duration;

/// A day.
pub const DAY: Duration = Duration::from_hours(24);

/// What is assumed of a day.
#[derive(Clone, Copy, Serialize)]
pub struct Assumed {
    /// Of all users, so many come on a day.
    pub active_share: f64,
    /// Visits of each who comes.
    pub visits: u32,
    /// Minutes of a visit.
    pub visit_minutes: u32,
    /// `GET /user` in a visit: each request of the application asks.
    pub asked_per_visit: u32,
    /// Minutes between two refreshes of a visit; the first is at its begin.
    pub refresh_minutes: u32,
    /// Account pages for each who comes.
    pub pages: f64,
    /// Log-ins for each who comes: one in ten days.
    pub log_ins: f64,
    /// Sign-ups for each who comes.
    pub sign_ups: f64,
    /// Changes of organizations for each who comes: made, invited, accepted, role, left.
    pub changes: f64,
}

/// The figures of `docs/scale.md`.
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

/// How many visits begin in each hour, relative to each other: little at night, most in the evening.
const HOURS: [usize; 24] = [20, 12, 8, 6, 6, 9, 18, 32, 44, 50, 52, 53, 55, 52, 50, 50, 52, 56, 62, 70, 74, 70, 56, 36];

/// Something that somebody does.
pub struct Planned {
    /// When in the day.
    pub at: Duration,
    /// Who, by number.
    pub who: usize,
    /// What.
    pub operation: Operation,
}

/// The day of so many people who come, in its order.
pub fn plan(active: usize, seed: u64) -> Vec<Planned> {
    let mut dice = Dice::new(seed);
    let mut plan = Vec::new();
    for who in 0..active {
        for _ in 0..ASSUMED.visits {
            visit(&mut plan, &mut dice, who);
        }
        let rest = [
            (Operation::Page, ASSUMED.pages),
            (Operation::LogIn, ASSUMED.log_ins),
            (Operation::SignUp, ASSUMED.sign_ups),
            (Operation::Team, ASSUMED.changes),
        ];
        for (operation, share) in rest {
            if dice.share() < share {
                plan.push(Planned { at: moment(&mut dice), who, operation });
            }
        }
    }
    plan.sort_by_key(|planned| planned.at);
    plan
}

fn visit(plan: &mut Vec<Planned>, dice: &mut Dice, who: usize) {
    let begin = moment(dice);
    let length = Duration::from_mins(ASSUMED.visit_minutes.into());
    let mut add = |after: Duration, operation| plan.push(Planned { at: within_day(begin + after), who, operation });
    for refresh in 0..ASSUMED.visit_minutes / ASSUMED.refresh_minutes {
        add(Duration::from_mins((refresh * ASSUMED.refresh_minutes).into()), Operation::Refresh);
    }
    for _ in 0..ASSUMED.asked_per_visit {
        add(length.mul_f64(dice.share()), Operation::User);
    }
}

fn moment(dice: &mut Dice) -> Duration {
    let hours: Vec<(u32, usize)> = (0..).zip(HOURS).collect();
    let hour = dice.weighted(&hours).unwrap_or_default();
    Duration::from_hours(hour.into()) + Duration::from_hours(1).mul_f64(dice.share())
}

fn within_day(at: Duration) -> Duration {
    at.checked_sub(DAY).unwrap_or(at)
}
