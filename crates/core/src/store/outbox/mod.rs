//! The outbox: deliveries, from the transaction that causes them until their clean-up.
//!
//! pending → (claim) processing → (settle) delivered, failed, or pending again with a later `due_at`. Each claim
//! increments `lease`, a fencing token: a change to a claimed delivery names the lease of its claim, and if no row
//! changes, the reaper has taken the claim back and nothing is written. All times come from one clock (`now_sql!`).

pub(super) mod cause;
pub(super) mod channel;
pub(super) mod claim;
mod claim_mails;
pub(super) mod listen;
pub(super) mod maintain;
pub(super) mod push;
pub(super) mod read;
pub(super) mod replay;
pub(super) mod settle;
pub(super) mod stats;
pub(super) mod subject_order;
#[cfg(test)]
mod tests;
