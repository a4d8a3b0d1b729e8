//! Removing old invitations.

use super::sql::Sql;
use super::{Result, Tx};
use crate::model::time::Time;

/// The condition is repeated in the DELETE: an expired invitation may get another link meanwhile.
pub(super) const CLEAN_FINISHED: Sql = dialect_sql!(
    sql("WITH c AS MATERIALIZED (SELECT id FROM invitations WHERE state <> 'pending' AND finished_at < $1 \
         ORDER BY finished_at LIMIT $2"),
    postgres(" FOR UPDATE SKIP LOCKED"),
    sql(") DELETE FROM invitations WHERE id IN (SELECT id FROM c) AND state <> 'pending' AND finished_at < $1"),
);

pub(super) const CLEAN_EXPIRED: Sql = dialect_sql!(
    sql("WITH c AS MATERIALIZED (SELECT id FROM invitations WHERE state = 'pending' AND expires_at < $1 \
         ORDER BY expires_at LIMIT $2"),
    postgres(" FOR UPDATE SKIP LOCKED"),
    sql(") DELETE FROM invitations WHERE id IN (SELECT id FROM c) AND state = 'pending' AND expires_at < $1"),
);

impl Tx {
    /// Removes at most `limit` invitations that were answered or revoked before `before`, and as many that expired
    /// before it; returns how many. Zero: none is left, except those that other transactions have locked.
    pub async fn invitations_clean(&mut self, before: Time, limit: i64) -> Result<u64> {
        let mut removed = 0;
        for text in [CLEAN_FINISHED, CLEAN_EXPIRED] {
            removed += execute!(self, text, before, limit)?;
        }
        Ok(removed)
    }
}
