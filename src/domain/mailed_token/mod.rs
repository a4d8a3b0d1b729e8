//! Mailed links and codes: issued, mailed, found again and checked (docs/reference/browser.md 10). What a valid one
//! does stands in [`registration`](super::registration) and [`verification`](super::verification).
//!
//! Opening a link changes nothing. Each link is valid once, for a limited time, and until the next email about the same
//! thing.

pub mod link;
pub mod mails;
pub mod own_code;
pub mod request;
pub mod token;
pub mod token_check;
