//! Requests that share a statement on PostgreSQL, and with it a round trip and a commit: [`advances`] writes refreshes,
//! [`reads`] reads sessions. A request that arrives while a statement is under way joins the next one.

mod advances;
pub(super) mod queue;
pub(super) mod reads;
