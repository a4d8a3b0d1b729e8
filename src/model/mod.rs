//! The data types: ids, roles, events and other values that every other module may use. Nothing here does I/O.

pub mod api_key;
pub mod audit;
pub mod auth_method;
pub mod device;
pub mod event;
pub mod event_schema;
pub mod external_id;
pub mod finding;
pub mod gate_value;
pub mod hex;
pub mod ids;
pub mod list_place;
pub mod mail_domain;
pub mod metadata;
pub mod network;
pub mod organization;
pub mod placeholder_email;
pub mod roles;
pub mod session;
pub mod signing;
pub mod strict_json;
pub mod time;
pub mod trace;
pub mod verification;
pub mod visible;
