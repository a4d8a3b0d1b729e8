//! Active sessions of a user: list them, end one, end all others.

use crate::context::App;
use crate::domain::change::{Change, lock_account};
use crate::domain::directory::list::ListRange;
use crate::domain::directory::session::{self, SessionRecord};
use crate::domain::identity::notify_admins::notify_admins;
use crate::error::Error;
use crate::mail::AdminNotice;
use crate::model::change::AccountChange;
use crate::model::ids::{SessionId, UserId};
use crate::model::principal::{Operation, Principal};
use crate::model::session::EndReason;
use crate::refusal::ChangeError;
use crate::store::Tx;

/// A user with more can end all others.
const MAX_LISTED_SESSIONS: u32 = 200;

/// The live sessions of a user, seen from one of them.
pub struct ActiveSessions {
    /// The one that asks.
    pub current: SessionRecord,
    /// The newest others, the newest first.
    pub others: Vec<SessionRecord>,
}

/// Lists the live sessions of a user; `None` if the current one has just ended. It is read by itself: who opens many
/// sessions must not hide it, and with it the button that ends them.
pub async fn list(
    app: &App,
    principal: &Principal,
    user: UserId,
    current: SessionId,
) -> Result<Option<ActiveSessions>, Error> {
    let (now, range) = (app.clock.now(), ListRange::first(MAX_LISTED_SESSIONS));
    let mut conn = app.store.read_own(principal, Operation::ListSessions, user).await?;
    let found = session::find(&mut conn, &app.settings, now, user, current).await?;
    let Some(current) = found else { return Ok(None) };
    let mut others = session::list(&mut conn, &app.settings, now, user, range).await?.data;
    others.retain(|session| session.id != current.id);
    Ok(Some(ActiveSessions { current, others }))
}

pub enum Which {
    One(SessionId),
    AllBut(SessionId),
    All,
}

/// Ends sessions of a user; made is the number of those that had not ended before.
pub struct EndSessions {
    pub user: UserId,
    pub which: Which,
}

impl Change for EndSessions {
    const OPERATION: Operation = Operation::EndSessions;
    type Made = u64;

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<u64, ChangeError> {
        let (user, reason) = (self.user, EndReason::Ended.as_str());
        let account = lock_account(tx, user).await?;
        let (ended, change) = match self.which {
            Which::One(session) => {
                let ended = tx.session_end_of_user(user, session, reason).await?;
                (u64::from(ended), AccountChange::SessionEnded(session))
            }
            Which::AllBut(session) => {
                (tx.sessions_end_others(user, session, reason).await?, AccountChange::SessionsEnded)
            }
            Which::All => (tx.sessions_end_of_user(user, reason).await?, AccountChange::SessionsEnded),
        };
        if ended > 0 {
            tx.record_account(user, change).await?;
            notify_admins(app, tx, &account, account.roles, AdminNotice::SessionsEnded).await?;
        }
        Ok(ended)
    }
}
