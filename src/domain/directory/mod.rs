//! The read side: what there is of each thing as one list and one record, for API v2, pages, commands and exports.
//!
//! Each list is newest first and goes on after a [`ListPlace`](crate::model::list_place::ListPlace); each record says
//! the same names everywhere. A caller opens the connection, and so says who reads and why.

pub mod api_key;
pub mod audit;
pub mod audit_export;
pub mod delivery;
pub mod delivery_search;
pub mod findings;
pub mod identity;
pub mod invitation;
pub mod list;
pub mod member;
pub mod organization;
pub mod overview;
pub mod people;
pub mod people_place;
pub mod provider;
pub mod search;
pub mod session;
pub mod user;
