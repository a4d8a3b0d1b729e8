//! One figure that the guard checks against its aim.

/// A measured figure, its aim, and the bound that only a regression is beyond, whatever else the machine does.
pub struct Check {
    what: String,
    value: f64,
    aim: f64,
    bound: Bound,
}

enum Bound {
    AtLeast(f64),
    AtMost(f64),
}

/// Room of a ratio to what was measured in the same run.
const RATIO_ROOM: f64 = 0.75;
/// Room of megabytes, which another machine hardly changes.
const MEMORY_ROOM: f64 = 1.2;
/// Room of a time, which is the machine's as much as ours.
const TIME_ROOM: f64 = 3.0;

impl Check {
    /// A ratio that is to be high.
    pub fn ratio(what: String, value: f64, aim: f64) -> Self {
        Self { what, value, aim, bound: Bound::AtLeast(aim * RATIO_ROOM) }
    }

    /// Megabytes that are to be few.
    pub fn megabytes(what: String, value: f64, aim: f64) -> Self {
        Self { what, value, aim, bound: Bound::AtMost(aim * MEMORY_ROOM) }
    }

    /// Milliseconds that are to be few.
    pub fn millis(what: String, value: f64, aim: f64) -> Self {
        Self { what, value, aim, bound: Bound::AtMost(aim * TIME_ROOM) }
    }

    /// Whether the figure is not beyond its bound.
    pub fn passes(&self) -> bool {
        match self.bound {
            Bound::AtLeast(least) => self.value >= least,
            Bound::AtMost(most) => self.value <= most,
        }
    }

    /// What `check` prints of it.
    pub fn line(&self) -> String {
        let word = if self.passes() { "ok    " } else { "BROKEN" };
        let (limit, bound) = match self.bound {
            Bound::AtLeast(least) => ("least", least),
            Bound::AtMost(most) => ("most", most),
        };
        format!("{word} {}: {:.2} (aim {:.2}, at {limit} {bound:.2})", self.what, self.value, self.aim)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figure_beyond_its_bound_is_broken() {
        for (check, passes) in [
            (Check::ratio("a".to_owned(), 0.61, 0.8), true),
            (Check::ratio("a".to_owned(), 0.59, 0.8), false),
            (Check::megabytes("a".to_owned(), 21.5, 18.0), true),
            (Check::megabytes("a".to_owned(), 21.7, 18.0), false),
            (Check::millis("a".to_owned(), 299.0, 100.0), true),
            (Check::millis("a".to_owned(), 301.0, 100.0), false),
        ] {
            assert_eq!(check.passes(), passes, "{}", check.line());
        }
    }
}
