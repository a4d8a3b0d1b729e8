//! What a process knows of its database at a moment, and what it has counted: for the metrics.

use std::time::Duration;

/// The connections of a process that serve requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConnectionUse {
    pub limit: usize,
    pub in_use: usize,
    pub waiting: usize,
    /// How many were given up since the start: the server did not answer, or was not the right one.
    pub lost: u64,
    /// How often the server refused another one since the start, or none became free in time.
    pub refused: u64,
    /// For how long the database was away since the start, together.
    pub away: Duration,
    pub is_away: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionCacheUse {
    /// How often a session was found since the start.
    pub hits: u64,
    /// How often the database was read instead.
    pub misses: u64,
    pub sessions: usize,
    /// The time since the process last asked which sessions others have changed; grows while no request comes.
    pub age: Duration,
    /// How often asking failed since the start.
    pub failed_polls: u64,
}
