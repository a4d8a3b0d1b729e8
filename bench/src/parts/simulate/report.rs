//! The tables: the measurements, and their linear extrapolation to a million users.

use super::{ASSUMED, EngineStats, Simulation};
use crate::stats::count;
use crate::table::Table;
use std::fmt::Write as _;

/// Users in the extrapolation.
const EXTRAPOLATED_USERS: f64 = 1e6;
const SECONDS_OF_A_DAY: f64 = 86_400.0;
const SECONDS_OF_AN_HOUR: f64 = 3600.0;

impl Simulation {
    /// The assumptions and the tables.
    pub fn text(&self) -> String {
        let assumed = &self.assumed;
        let mut text = format!(
            "A day in {} minutes (seed {}): {} users in the database, of whom {} are played. Assumed: {:.0} % of all \
             users come on a day; each {} visits of {} minutes, {} GET /user and a refresh every {} minutes in each; {} \
             account pages, {} log-ins, {} sign-ups and {} changes of organizations.\n",
            self.minutes,
            self.seed,
            self.users,
            self.played,
            assumed.active_share * 100.0,
            assumed.visits,
            assumed.visit_minutes,
            assumed.asked_per_visit,
            assumed.refresh_minutes,
            assumed.pages,
            assumed.log_ins,
            assumed.sign_ups,
            assumed.changes,
        );
        for engine in &self.engines {
            for failure in &engine.went_wrong {
                let _ = writeln!(text, "{}: {failure}", engine.engine);
            }
        }
        let _ = write!(text, "\n{}\n{}", self.measured(), self.extrapolated());
        text
    }

    /// Whether nothing went wrong.
    pub fn is_clean(&self) -> bool {
        self.engines.iter().all(|engine| engine.went_wrong.is_empty())
    }

    fn measured(&self) -> Table {
        let each = count(self.played);
        let cells = |figures: &EngineStats| {
            vec![
                figures.engine.to_owned(),
                figures.requests.to_string(),
                format!("{:.2} / {:.1}", figures.user_p50_ms, figures.user_p99_ms),
                format!("{:.1}", figures.service_cpu * 1e3 / each),
                dash(figures.database_cpu > 0.0, figures.database_cpu * 1e3 / each),
                format!("{:.2}", figures.bytes_per_user / 1e3),
                format!("{:.2}", figures.growth_bytes / 1e3 / each),
                format!("{:.1}", figures.written_bytes / 1e3 / each),
                format!("{:.0}", figures.service_mb),
                figures.database_mb.map_or_else(|| "-".to_owned(), |megabytes| format!("{megabytes:.0}")),
            ]
        };
        Table {
            title: "Measured: a day of each who comes (written: the process on SQLite, the WAL of PostgreSQL)"
                .to_owned(),
            columns: vec![
                "database",
                "answers of all",
                "GET /user p50 / p99 ms",
                "CPU ms, service",
                "database",
                "kB of a user there",
                "grows by kB",
                "written kB",
                "MB, service",
                "database",
            ],
            rows: self.engines.iter().map(cells).collect(),
        }
    }

    fn extrapolated(&self) -> Table {
        let times = EXTRAPOLATED_USERS * ASSUMED.active_share / count(self.played);
        let cells = |figures: &EngineStats| {
            // The peak hour's share of the work is its share of the requests.
            let peak = count(figures.peak_hour) / count(figures.requests.max(1)) / SECONDS_OF_AN_HOUR;
            vec![
                figures.engine.to_owned(),
                format!("{:.0}", count(figures.requests) * times / SECONDS_OF_A_DAY),
                format!("{:.0}", count(figures.requests) * times * peak),
                format!("{:.0}", count(figures.refreshes) * times * peak),
                format!("{:.2}", figures.service_cpu * times * peak),
                dash(figures.database_cpu > 0.0, figures.database_cpu * times * peak),
                format!("{:.1}", figures.bytes_per_user * EXTRAPOLATED_USERS / 1e9),
                format!("{:.2}", figures.growth_bytes * times / 1e9),
                format!("{:.2}", figures.written_bytes * times * peak / 1e6),
            ]
        };
        Table {
            title: format!(
                "Extrapolated, in proportion: 10⁶ users, of whom {:.0} come on a day",
                EXTRAPOLATED_USERS * ASSUMED.active_share
            ),
            columns: vec![
                "database",
                "requests/s on average",
                "in the peak hour",
                "refreshes/s then",
                "cores of the service then",
                "of the database",
                "database GB",
                "grows by GB a day",
                "written MB/s then",
            ],
            rows: self.engines.iter().map(cells).collect(),
        }
    }
}

fn dash(is_there: bool, figure: f64) -> String {
    if is_there { format!("{figure:.2}") } else { "-".to_owned() }
}
