//! [`SessionStore`]: the public functions for sessions outside of a transaction. Their bodies stand by subject in `read`,
//! `group` and `memory`.

use super::row::SessionRow;
use crate::store::{Result, Store};

/// Sessions outside of a transaction.
///
/// - [`get`](Self::get): what a session shows, as it is committed now.
/// - [`get_cached`](Self::get_cached): the same from memory, at most half a second old.
/// - [`read`](Self::read): what decides on its refresh tokens, too, as it is committed now.
/// - [`read_all`](Self::read_all): the same of several, in one statement.
/// - [`in_memory`](Self::in_memory): a session that is in memory, without a statement; of its tokens, what never changes.
/// - [`recent`](Self::recent): the same from memory, at most 0.9 seconds old.
/// - [`remembered`](Self::remembered): the same from memory, of any age, to propose on.
/// - [`advance`](Self::advance), [`advance_remembered`](Self::advance_remembered): writing what a refresh decided.
#[derive(Clone, Copy)]
pub struct SessionStore<'a> {
    pub(super) store: &'a Store,
}

impl Store {
    pub fn sessions(&self) -> SessionStore<'_> {
        SessionStore { store: self }
    }
}

impl SessionStore<'_> {
    /// Writes the token fields of `next`, if the session still has the version that `next` was decided on and has not
    /// ended; `false` means: read again, decide again.
    pub async fn advance(&self, next: SessionRow) -> Result<bool> {
        let cache = &self.store.shared.sessions.cache;
        let at = cache.now();
        let mut tx = self.store.begin_autocommit_internal().await?;
        let advanced = tx.session_advance(&next).await?;
        tx.commit().await?;
        if advanced {
            cache.replace_tokens(next, at);
        }
        Ok(advanced)
    }
}
