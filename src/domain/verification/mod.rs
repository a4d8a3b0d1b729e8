//! What a mailed link or code does: it verifies an email address, resets a password, or undoes a change
//! (docs/reference/browser.md 10).
//!
//! Following a link shows control of a mailbox and nothing more: whether the same person created the account is a
//! separate question, which [`OwnershipEvidence`](verify_email::OwnershipEvidence) answers
//! (docs/concepts/decisions/0005-first-verification-of-an-address.md).

pub mod email_change;
pub mod email_undo;
pub mod failed_mail;
pub mod missing_address;
pub mod password_reset;
pub mod password_reset_mail;
pub mod password_reset_request;
pub mod verify_email;
