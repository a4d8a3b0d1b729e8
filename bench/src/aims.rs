//! Every aim, in the order of the table in docs/concepts/performance.md, which a test compares with the checks of the parts.

use crate::check::Aim;

/// What surrounds every route, and nothing else.
pub static HEALTH: Aim = Aim::ratio("`/auth/health`, of the bare route", [0.85, 0.85]);
/// Applications send it for each of their own requests.
pub static USER: Aim = Aim::ratio("`GET /user`, of the bare route", [0.75, 0.75]);
/// Proxies ask it.
pub static GATE_BY_ACCESS: Aim = Aim::ratio("Gate by access cookie, of `GET /user`", [0.85, 0.85]);
/// As above, once the access token has expired.
pub static GATE_BY_REFRESH: Aim = Aim::ratio("Gate by refresh token alone, of `GET /user`", [0.75, 0.75]);
/// The session of API v2.
pub static SESSION: Aim = Aim::ratio("`GET /session`, of the bare route", [0.7, 0.7]);
/// On SQLite of bare durable commits, on PostgreSQL of the same statements from pgbench.
pub static REFRESH: Aim = Aim::ratio("Refresh, of bare durable commits; of pgbench", [1.2, 0.76]);
/// From the start of the process.
pub static READY: Aim = Aim::millis("Ready with a new database", [100.0, 200.0]);
/// Some seconds after the start.
pub static IDLE: Aim = Aim::megabytes("Memory idle", [24.0, 22.0]);
/// Of all the seeded users.
pub static AFTER_REQUESTS: Aim = Aim::megabytes("Memory after 100,000 requests of 10,000 users", [28.0, 24.0]);
/// All of them in the process's memory.
pub static FULL: Aim = Aim::megabytes("Memory with 100,000 sessions in use", [85.0, 85.0]);
/// Logins cannot be more than the hashes they are made of.
pub static LOGINS: Aim = Aim::ratio("Logins, of the bare library's hashes", [0.9, 0.9]);
/// What logins do to all other requests.
pub static DURING_LOGINS: Aim = Aim::times("p99 of `GET /user` during logins, times that without", [3.0, 3.0]);
/// The lower limit: a bare client's posts, or the bare statements.
pub static WEBHOOKS: Aim = Aim::ratio("Webhooks at 0 ms, of the lower limit", [0.7, 0.7]);
/// Where the receiver takes most of the time.
pub static SLOW_WEBHOOKS: Aim = Aim::ratio("Webhooks at 50 ms, of the lower limit", [0.95, 0.95]);
/// What webhooks cost the action that causes them.
pub static SIGNUPS: Aim = Aim::ratio("Signups with webhooks on, of those with them off", [0.95, 0.95]);
/// By the beginning of a name.
pub static SEARCH: Aim = Aim::millis("Search for users by API v2, p99", [150.0, 150.0]);
/// By words, filters and domain, as administrators do; each kind.
pub static PEOPLE: Aim = Aim::millis("Search for people by administrators, p99", [150.0, 150.0]);
