//! What mailed links and codes do: they prove an address, set a new password, or take a change back (contract.md 7).
//!
//! Looking at a link changes nothing; each is good once, for a time, and until the next mail about the same thing. Whoever
//! follows one has shown that a mailbox is theirs, and no more than that: whether they also made the account is a
//! question of its own, which [`Holder`] answers (docs/decisions/0005-first-proof-of-an-address.md).

mod change_email;
mod issue;
mod kind;
mod link;
mod prove;
mod reset;
mod reset_request;
mod sign_up;
mod undo;
mod verification;

pub use change_email::{
    ChangeEmailError, begin_email_change, cancel_email_change, confirm_email_change, pending_email,
};
pub use issue::{Asked, CODE_TTL, RESEND_AFTER};
pub use kind::Kind;
pub use link::{find, find_by_link};
pub use prove::{Holder, Proof, ProveError, Proved, prove};
pub use reset::{Reset, ResetError, Unproved, find_reset, reset};
pub use reset_request::{answer_reset_requests, request_reset};
pub use undo::{UndoError, Undone, find_undo, undo};
pub use verification::{ResendError, request_proof, resend, resend_to, unproved};

pub(in crate::domain) use sign_up::begin as begin_sign_up;
pub(in crate::domain) use verification::request as request_verification;
