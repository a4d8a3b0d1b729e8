//! The pages of administrators, `/auth/admin` (docs/reference/administration.md): what they see, and what they do for
//! others.
//!
//! A page begins with [`Administrator`], which says what its reader may see. An act is a type that implements
//! [`act::Act`]: one form by GET, the act itself by POST.

pub mod act;
mod administrator;
pub mod audit;
pub mod jobs;
pub mod overview;
pub mod people;
pub mod person;
pub mod person_act;
pub mod person_acts;
pub mod person_new;
pub mod person_parts;
mod person_tables;
mod query;
mod standing;

pub use administrator::Administrator;
