//! Times in UTC, in whole microseconds.

use std::fmt;
use std::time::Duration;

/// A time in UTC, in microseconds, so that either database stores it without loss.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(i64);

impl Time {
    /// Of what has not happened, where a time is stored all the same.
    pub const NEVER: Self = Self(0);

    /// The time `micros` microseconds after the Unix epoch.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Microseconds since the Unix epoch.
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// Whole seconds since the Unix epoch, as in JWT's `NumericDate` (RFC 7519, 2).
    pub const fn as_seconds(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }

    /// Reads a time as it is shown, or any other of RFC 3339.
    pub fn parse(text: &str) -> Option<Self> {
        text.parse::<jiff::Timestamp>().ok().map(|timestamp| Self(timestamp.as_microsecond()))
    }

    /// The duration since `earlier`; zero if it is later.
    pub fn since(self, earlier: Time) -> Duration {
        Duration::from_micros(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }
}

impl std::ops::Add<Duration> for Time {
    type Output = Time;

    fn add(self, by: Duration) -> Time {
        Time(self.0.saturating_add(micros(by)))
    }
}

impl std::ops::Sub<Duration> for Time {
    type Output = Time;

    fn sub(self, by: Duration) -> Time {
        Time(self.0.saturating_sub(micros(by)))
    }
}

/// RFC 3339 in UTC with `Z`, the form of every timestamp on the wire.
impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_microsecond(self.0) {
            Ok(timestamp) => write!(f, "{timestamp:.6}"),
            Err(_) => write!(f, "{}us", self.0),
        }
    }
}

impl fmt::Debug for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl serde::Serialize for Time {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A time to wait in seconds, rounded up.
pub fn whole_seconds(wait: Duration) -> u64 {
    (wait.as_secs() + u64::from(wait.subsec_nanos() > 0)).max(1)
}

pub fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}
