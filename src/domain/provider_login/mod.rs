//! Login with an account at a provider: begun, called back, and what is asked in between.
//!
//! A login begins with [`begin`](authorize::begin), which stores a row; its callback counts once, from the browser that
//! began it ([`handle`](callback::handle)), and only then the provider is asked. What the person must be asked next
//! waits, sealed, in the same row ([`pending`]), and [`proceed`] goes on with the answers.

pub mod authorize;
pub mod callback;
pub mod claim_account;
pub mod connect;
pub mod connections;
pub mod log_in;
pub mod mailed_code;
pub mod outcome;
pub mod pending;
pub mod proceed;
pub mod refusal;
pub mod sign_up;
pub mod state;
pub mod types;
