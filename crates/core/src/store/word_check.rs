//! How far the check has come that compares each user's words with the user: one row of `word_passes`, which all
//! processes share.

use super::sql::Sql;
use super::{Conn, Result, Tx};
use crate::model::ids::UserId;
use crate::model::time::{Time, micros};
use std::time::Duration;
use uuid::Uuid;

const IS_DUE: Sql = now_sql!("SELECT count(*) FROM word_passes WHERE due_at <= ", "");
/// `$1`: now; `$2`: until when the part is claimed.
const CLAIM: Sql = dialect_sql!(
    sql("UPDATE word_passes SET began_at = COALESCE(began_at, "),
    at("$1"),
    sql("), due_at = "),
    at("$2"),
    sql(" WHERE due_at <= "),
    at("$1"),
    sql(" RETURNING began_at, after_id"),
);
const GO_ON: Sql = dialect_sql!(sql("UPDATE word_passes SET after_id = $2, due_at = "), at("$1"));

/// The part of the check that this process works on.
#[derive(Debug)]
pub struct WordCheckRow {
    /// When the first pass of this database began.
    pub began_at: Time,
    /// After this user the part begins; `None`: with the first one.
    pub after: Option<UserId>,
}

struct ClaimedRow {
    began_at: Time,
    after_id: Option<Uuid>,
}

row!(ClaimedRow { began_at, after_id });

impl Conn {
    /// Whether there is a part to work on.
    pub async fn word_check_is_due(&mut self) -> Result<bool> {
        let due: i64 = fetch_scalar!(self, IS_DUE, self.sql_now())?;
        Ok(due > 0)
    }
}

impl Tx {
    /// Claims the part that is due; `None` if another process has it. After `lease` others may take it again.
    pub async fn word_check_claim(&mut self, lease: Duration) -> Result<Option<WordCheckRow>> {
        let now = self.sql_now();
        let claimed: Option<ClaimedRow> = fetch_optional!(self, CLAIM, now, now + micros(lease))?;
        Ok(claimed.map(|row| WordCheckRow { began_at: row.began_at, after: row.after_id.map(UserId) }))
    }

    /// Ends the part: the next one begins after this user, `None` for the next pass, and not before `pause` is over.
    pub async fn word_check_go_on(&mut self, after: Option<UserId>, pause: Duration) -> Result<()> {
        execute!(self, GO_ON, self.sql_now() + micros(pause), after).map(drop)
    }
}
