//! Use cases on one's own account, and those of operators and backends on any: create, change, export, disable, delete.

pub mod activity;
pub mod change_password;
pub mod create;
pub mod delete;
pub mod details;
mod ended_since;
pub mod export;
pub mod identities;
pub mod language;
pub mod last_admin;
pub mod login_status;
pub mod operator;
pub mod overview;
pub mod own_name;
pub mod reauthentication;
pub mod recover;
mod replace_email;
pub mod stored_addresses;
pub mod stored_words;
pub mod unlock;
pub mod update;
