//! An aim, and one figure that the guard checks against it.

use crate::instance::Engine;

/// What is aimed at: a row of the table in docs/concepts/performance.md.
pub struct Aim {
    row: &'static str,
    /// On SQLite and on PostgreSQL.
    values: [f64; 2],
    kind: Kind,
}

/// What a figure is, and with it the room to its aim that only a regression exceeds, whatever else the machine does.
#[derive(Clone, Copy)]
enum Kind {
    /// A ratio to what was measured in the same run; it is to be high.
    Ratio,
    /// A quotient of two latencies, each of which is noisy; it is to be low.
    Times,
    /// Another machine hardly changes them; few are to be used.
    Megabytes,
    /// As much the machine's as ours; few are to pass.
    Millis,
}

enum Bound {
    AtLeast(f64),
    AtMost(f64),
}

pub struct Check {
    aim: &'static Aim,
    engine: Engine,
    /// Of several figures with the same aim, which one.
    detail: String,
    value: f64,
}

impl Aim {
    /// A ratio that is to be high.
    pub const fn ratio(row: &'static str, values: [f64; 2]) -> Self {
        Self { row, values, kind: Kind::Ratio }
    }

    /// A quotient of latencies that is to be low.
    pub const fn times(row: &'static str, values: [f64; 2]) -> Self {
        Self { row, values, kind: Kind::Times }
    }

    /// Megabytes that are to be few.
    pub const fn megabytes(row: &'static str, values: [f64; 2]) -> Self {
        Self { row, values, kind: Kind::Megabytes }
    }

    /// Milliseconds that are to be few.
    pub const fn millis(row: &'static str, values: [f64; 2]) -> Self {
        Self { row, values, kind: Kind::Millis }
    }

    pub fn check(&'static self, engine: Engine, value: f64) -> Check {
        self.check_one(engine, String::new(), value)
    }

    /// One of several figures of an engine.
    pub fn check_one(&'static self, engine: Engine, detail: String, value: f64) -> Check {
        Check { aim: self, engine, detail, value }
    }

    /// The aim as the page prints it: one value, or that on SQLite and that on PostgreSQL.
    pub fn cell(&self) -> String {
        let [sqlite, postgres] = self.values.map(|value| value.to_string());
        let values = if sqlite == postgres { sqlite } else { format!("{sqlite}; {postgres}") };
        values + self.kind.unit()
    }

    fn value(&self, engine: Engine) -> f64 {
        let [sqlite, postgres] = self.values;
        match engine {
            Engine::Sqlite => sqlite,
            Engine::Postgres => postgres,
        }
    }
}

impl Kind {
    fn unit(self) -> &'static str {
        match self {
            Kind::Ratio | Kind::Times => "",
            Kind::Megabytes => " MB",
            Kind::Millis => " ms",
        }
    }

    fn bound(self, aim: f64) -> Bound {
        match self {
            Kind::Ratio => Bound::AtLeast(aim * 0.75),
            Kind::Times => Bound::AtMost(aim * 2.0),
            Kind::Megabytes => Bound::AtMost(aim * 1.2),
            Kind::Millis => Bound::AtMost(aim * 3.0),
        }
    }
}

impl Check {
    /// Whether the figure is not beyond its bound.
    pub fn passes(&self) -> bool {
        match self.bound() {
            Bound::AtLeast(least) => self.value >= least,
            Bound::AtMost(most) => self.value <= most,
        }
    }

    pub fn line(&self) -> String {
        let Self { aim, engine, detail, value } = self;
        let word = if self.passes() { "ok    " } else { "BROKEN" };
        let (limit, bound) = match self.bound() {
            Bound::AtLeast(least) => ("least", least),
            Bound::AtMost(most) => ("most", most),
        };
        let detail = if detail.is_empty() { String::new() } else { format!(", {detail}") };
        let (row, engine, aim) = (aim.row, engine.name(), aim.value(*engine));
        format!("{word} {row}, {engine}{detail}: {value:.2} (aim {aim:.2}, at {limit} {bound:.2})")
    }

    fn bound(&self) -> Bound {
        self.aim.kind.bound(self.aim.value(self.engine))
    }
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
