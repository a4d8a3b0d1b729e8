//! The pages, one file each: HTML forms that work without JavaScript (contract.md 7).

pub mod account;
pub mod home;
pub mod login;
pub mod logout;
pub mod signup;
mod visit;
