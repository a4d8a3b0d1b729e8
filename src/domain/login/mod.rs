//! Login by password, passkey and second factor. All of them end in [`complete`], which alone decides whether a session
//! is opened.

pub mod complete;
pub(in crate::domain) mod limited;
pub mod passkey;
pub mod password;
pub mod pending;
pub mod prompt;
pub mod second_factor;
