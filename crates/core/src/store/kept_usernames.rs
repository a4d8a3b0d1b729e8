//! Usernames that an account gave up or was deleted with. Each is its person's alone for a time: applications that know
//! people by their usernames would take the next one who has it for the same person.

use super::{Conn, Constraint, Result, StoreError, Tx};
use crate::model::audit;
use crate::model::ids::UserId;
use crate::model::time::Time;

pub struct KeptUsernameRow {
    /// The folded name.
    pub username_key: String,
    pub expires_at: Time,
}

row!(KeptUsernameRow { username_key, expires_at });

const KEPT_FOR: &str = "SELECT user_id FROM kept_usernames WHERE username_key = $1 AND expires_at > $2";
const OF_USER: &str = "SELECT username_key, expires_at FROM kept_usernames WHERE user_id = $1 ORDER BY expires_at";
const IS_TAKEN: &str = "SELECT EXISTS (SELECT 1 FROM users WHERE username_key = $1) \
    OR EXISTS (SELECT 1 FROM kept_usernames WHERE username_key = $1 AND expires_at > $2)";
/// The previous version, which may run beside, lets another have a name that is kept: it stays the first one's.
const KEEP: &str = "INSERT INTO kept_usernames (username_key, user_id, expires_at) \
    SELECT username_key, id, $3 FROM users WHERE id = $1 AND username_key <> $2 \
    ON CONFLICT (username_key) DO UPDATE SET user_id = excluded.user_id, expires_at = excluded.expires_at \
    WHERE kept_usernames.user_id = excluded.user_id OR kept_usernames.expires_at <= $4";
const DELETE_EXPIRED: &str = "DELETE FROM kept_usernames WHERE username_key IN \
    (SELECT username_key FROM kept_usernames WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";

impl Conn {
    /// Whether an account has a folded username, or it is kept for the person who had it.
    pub async fn username_is_taken(&mut self, username_key: &str) -> Result<bool> {
        fetch_scalar!(self, IS_TAKEN, username_key, self.now())
    }

    /// The names that a person alone can have again.
    pub async fn kept_usernames_of_user(&mut self, user: UserId) -> Result<Vec<KeptUsernameRow>> {
        fetch_all!(self, OF_USER, user)
    }
}

impl Tx {
    /// Keeps the username that an account has for its person, unless it is `next`; before it goes.
    pub(super) async fn username_keep(&mut self, user: UserId, next: &str) -> Result<()> {
        let now = self.now();
        execute!(self, KEEP, user, next, now + audit::RETENTION, now).map(drop)
    }

    /// Refuses a username that is kept for another person, as the index refuses one that an account has. Asked once the
    /// account has it: a transaction that gives the name up has ended by then.
    pub(super) async fn username_take(&mut self, user: UserId, username_key: &str) -> Result<()> {
        let kept: Option<UserId> = fetch_optional_scalar!(self, KEPT_FOR, username_key, self.now())?;
        match kept {
            None => Ok(()),
            Some(person) if person == user => {
                execute!(self, "DELETE FROM kept_usernames WHERE username_key = $1", username_key).map(drop)
            }
            Some(_) => Err(StoreError::Constraint(Constraint::UserUsername)),
        }
    }

    /// Removes at most `limit` names whose time is over; returns how many.
    pub async fn kept_usernames_delete_expired(&mut self, limit: i64) -> Result<u64> {
        execute!(self, DELETE_EXPIRED, self.now(), limit)
    }
}

#[cfg(test)]
#[path = "kept_usernames_tests.rs"]
mod tests;
