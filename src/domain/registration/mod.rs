//! How an account comes into being: who may sign up, direct and invited sign-up, and sign-ups that wait for the
//! verification of their email address.

pub mod admission;
pub mod availability;
pub mod first_organization;
pub mod form;
pub mod invited;
pub mod new_account;
pub mod pending;
pub mod sign_up;
