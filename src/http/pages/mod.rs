//! The pages, one file each: HTML forms that work without JavaScript (contract.md 7).

pub mod account;
pub mod account_activity;
pub mod account_confirm;
pub mod account_delete;
pub mod account_export;
pub mod account_password;
pub mod account_security;
pub mod account_sessions;
pub mod account_username;
pub mod home;
pub mod invitation;
pub mod language;
mod limited;
pub mod login;
pub mod logout;
pub mod organization;
pub mod organization_delete;
pub mod organization_invitations;
pub mod organization_members;
mod organization_refused;
pub mod organizations;
pub mod recovery_codes;
pub mod second_factor;
pub mod signup;
mod submission;
pub mod two_factor;
mod visit;
