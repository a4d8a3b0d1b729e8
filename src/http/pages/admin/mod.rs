//! The pages of administrators, `/auth/admin` (docs/reference/administration.md): what they see, and what they do for
//! others.
//!
//! A page begins with [`Administrator`], which says what its reader may see. An act is a type that implements
//! [`act::Act`], and thereby a [`ChangeForm`](super::change_form::ChangeForm).

pub mod act;
mod administrator;
pub mod api_keys;
pub mod audit;
pub mod deliveries;
pub mod delivery;
pub mod jobs;
mod list_query;
mod login_status;
pub mod member_acts;
pub mod organization;
pub mod organization_acts;
pub mod organizations;
pub mod overview;
pub mod people;
pub mod person;
mod person_act;
pub mod person_acts;
pub mod person_new;
pub mod person_parts;
mod person_tables;
pub mod providers;
pub mod settings;

pub use administrator::Administrator;
