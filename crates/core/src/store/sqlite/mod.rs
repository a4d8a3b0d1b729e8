//! SQLite: one writer whose durable commit concurrent transactions share (group commit), a pool of readers, and an
//! inline reader.

mod copy;
mod database;
mod errors;
mod inline;
mod options;
mod refusals;
mod schema;
mod soundness;
mod write_tx;
mod writer;

pub use copy::{CopyError, HeldFile, sqlite_copy, sqlite_settle, sqlite_verify};
pub(super) use database::SqliteDatabase;
pub(super) use errors::ends_transaction;
pub(super) use inline::Inline;
pub(super) use schema::{noted_base_url, taken_steps, unexpected_objects};
pub use soundness::{Soundness, sqlite_soundness};
pub(super) use write_tx::WriteTx;
