//! Mailed links and codes: they verify an email address, reset a password, or undo a change (docs/protocol.md 10).
//!
//! Opening a link changes nothing. Each link is valid once, for a limited time, and until the next email about the same
//! thing. Following one shows control of a mailbox and nothing more: whether the same person created the account is a
//! separate question, which [`OwnershipEvidence`](verify_email::OwnershipEvidence) answers
//! (docs/decisions/0005-first-verification-of-an-address.md).

pub mod code_failures;
pub mod email_change;
pub mod email_undo;
pub mod link;
pub mod mails;
pub mod missing_address;
pub mod password_reset;
pub mod password_reset_mail;
pub mod password_reset_request;
pub mod request;
pub mod token;
pub mod token_check;
pub mod verify_email;
