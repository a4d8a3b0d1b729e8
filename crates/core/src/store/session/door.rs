//! The door to sessions.

use super::row::SessionRow;
use crate::store::{Result, Store};

/// Sessions outside of a transaction.
///
/// - [`get`](Self::get): what the service answers about a session, as it is committed now.
/// - [`get_cached`](Self::get_cached): the same from memory, at most half a second old.
/// - [`for_refresh`](Self::for_refresh): what a refresh decides on, as it is committed now.
/// - [`remembered`](Self::remembered): what a refresh may propose on, of any age.
/// - [`recent`](Self::recent), [`read_recent`](Self::read_recent): the same, at most 0.9 seconds old.
/// - [`advance`](Self::advance), [`advance_remembered`](Self::advance_remembered): writing what a refresh decided.
#[derive(Clone, Copy)]
pub struct SessionStore<'a> {
    pub(super) store: &'a Store,
}

impl Store {
    /// The sessions.
    pub fn sessions(&self) -> SessionStore<'_> {
        SessionStore { store: self }
    }
}

impl SessionStore<'_> {
    /// Writes the token fields of `next`, if the session still has the version that `next` was decided on and has not
    /// ended; `false` means: read again, decide again.
    pub async fn advance(&self, next: SessionRow) -> Result<bool> {
        let mut tx = self.store.begin_autocommit_internal().await?;
        let advanced = tx.session_advance(&next).await?;
        tx.commit().await?;
        if advanced {
            self.remember(next);
        }
        Ok(advanced)
    }
}
