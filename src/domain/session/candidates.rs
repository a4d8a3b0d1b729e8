//! The sessions of the refresh tokens of one request, read in one statement: whether a token is forged is known only
//! once its session is, and an attacker may send many.

use crate::context::App;
use crate::crypto::refresh_token::PresentedRefreshToken;
use crate::error::Error;
use crate::model::ids::SessionId;
use crate::store::SessionRow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The sessions that tokens claim, as they are committed. All are read when the first is needed.
pub struct CandidateSessions {
    ids: Vec<SessionId>,
    /// `None`: not read yet. Of the sessions that are not in it, each is read by itself.
    read: Option<HashMap<SessionId, Option<SessionRow>>>,
}

impl CandidateSessions {
    pub fn of<'a>(tokens: impl IntoIterator<Item = &'a PresentedRefreshToken>) -> Self {
        let mut ids: Vec<SessionId> = tokens.into_iter().map(PresentedRefreshToken::session).collect();
        ids.sort_unstable();
        ids.dedup();
        Self { ids, read: None }
    }

    /// The session of a token, if the token is authentic.
    pub async fn find(&mut self, app: &App, presented: &PresentedRefreshToken) -> Result<Option<SessionRow>, Error> {
        // Boxed: the future would be part of every request's, and few requests need it.
        let row = Box::pin(self.row(app, presented.session())).await?;
        Ok(row.filter(|row| presented.verify(&app.secret_keys, &row.nonce)))
    }

    /// The session has changed, or may have: it is read again.
    pub fn forget(&mut self, id: SessionId) {
        if let Some(read) = &mut self.read {
            read.remove(&id);
        }
    }

    async fn row(&mut self, app: &App, id: SessionId) -> Result<Option<SessionRow>, Error> {
        let mut read = match self.read.take() {
            Some(read) => read,
            None => self.ids.iter().copied().zip(app.store.sessions().read_all(&self.ids).await?).collect(),
        };
        if let Entry::Vacant(free) = read.entry(id) {
            free.insert(app.store.sessions().read(id).await?);
        }
        let row = read.get(&id).cloned().flatten();
        self.read = Some(read);
        Ok(row)
    }
}
