//! One ratio that the guard checks.

/// A measured ratio and its lower bound.
pub struct RatioCheck {
    /// What was measured against what.
    pub what: String,
    /// The ratio.
    pub ratio: f64,
    /// The lower bound.
    pub minimum: f64,
}

impl RatioCheck {
    /// Whether the ratio is not below its bound.
    pub fn passes(&self) -> bool {
        self.ratio >= self.minimum
    }

    /// What `check` prints of it.
    pub fn line(&self) -> String {
        let word = if self.passes() { "ok    " } else { "BROKEN" };
        format!("{word} {}: {:.2} (at least {:.2})", self.what, self.ratio, self.minimum)
    }
}
