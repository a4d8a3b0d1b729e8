//! Login with an account at a provider: begun, returned, and what is asked in between.
//!
//! A login begins with [`begin`](begin::begin), which stores a row; it comes back once, to the browser that began it
//! ([`returned`](returned::returned)), and only then the provider is asked. What the person must be asked next waits,
//! sealed, in the same row ([`waiting`]), and [`proceed`] goes on with the answers.

pub mod begin;
pub mod claim;
pub mod connect;
pub mod connections;
pub mod known;
pub mod mailed_code;
pub mod newcomer;
pub mod outcome;
pub mod proceed;
pub mod refusal;
pub mod returned;
pub mod types;
pub mod waiting;
pub mod whose;
