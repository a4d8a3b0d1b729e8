//! What an error of SQLite means for its transaction.

use crate::store::StoreError;

/// Primary result codes that undo the failed statement only: ERROR, TOOBIG, CONSTRAINT, MISMATCH, RANGE.
const STATEMENT_ONLY: [u32; 5] = [1, 18, 19, 20, 25];

/// Whether SQLite may have rolled the whole transaction back with this error (its documentation names FULL, IOERR,
/// NOMEM, BUSY and INTERRUPT); an error of unknown cause counts as such.
pub(in crate::store) fn ends_transaction(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Database(database) => !database
            .code()
            .and_then(|code| code.parse::<u32>().ok())
            .is_some_and(|code| STATEMENT_ONLY.contains(&(code & 0xff))),
        sqlx::Error::RowNotFound | sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => false,
        _ => true,
    }
}

pub(super) fn not_committed(error: &sqlx::Error) -> StoreError {
    StoreError::NotCommitted(error.to_string())
}
