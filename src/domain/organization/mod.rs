//! Organizations and their members: create, change, delete; invite, join, leave.
//!
//! Every use case locks the organization's row before it reads, so that rules over several rows hold under concurrency:
//! if two owners leave at the same time, one of them stays.

pub mod delete;
pub mod first_organization;
pub mod invite;
pub mod lookup;
pub mod manage;
pub mod members;
pub mod name;
pub mod read;
pub mod refusals;
pub mod respond;
pub mod revoke_pending;
pub mod rules;
