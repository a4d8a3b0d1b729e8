//! Logging.

/// Log filter and format.
#[derive(Debug)]
pub struct Log {
    /// A tracing filter.
    pub filter: String,
    /// How lines are written.
    pub format: LogFormat,
}

/// How log lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}
