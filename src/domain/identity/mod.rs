//! What names an account: its email address and username, the rules for both and for a new password, and the errors
//! that say what is wrong with one of them.
//!
//! Sessions, organizations and every other use case build on this module, so it imports none of them.

pub mod address_list;
pub mod availability;
pub mod field_errors;
pub mod identifiers;
pub mod new_password;

pub(in crate::domain) mod notify_admins;
pub(in crate::domain) mod reserved_name;
pub mod visible_name;
