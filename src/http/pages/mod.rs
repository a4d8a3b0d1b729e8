//! The pages, one file each: HTML forms that work without JavaScript (contract.md 7).

pub mod account;
pub mod account_confirm;
pub mod account_delete;
pub mod home;
pub mod invitation;
pub mod language;
pub mod login;
pub mod logout;
pub mod organization;
pub mod organization_delete;
pub mod organization_invitations;
pub mod organization_members;
mod organization_refused;
pub mod organizations;
pub mod passkey_log_in;
pub mod passkeys;
pub mod recovery_codes;
pub mod second_factor;
pub mod signup;
mod submission;
pub mod two_factor;
mod visit;
