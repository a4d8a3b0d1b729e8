//! The order within a subject: its events are sent one after the other.
//!
//! A claim decides by the state of the rows alone, so no crash can let two of a subject go at once, or a later one
//! before an earlier one. What it sets aside (`waits`) is only kept out of its sight, so that its cost does not grow with the
//! events of one subject. Passing the turn on brings the next one of the subject back into sight; forgotten, it delays
//! the subject until the reaper does it.
//!
//! An attempt's end and a claim that sees it under way may overlap. So either passes the turn on after its own commit: the
//! later of the two sees what the other has done. Nearly always nothing waits, so this is looked up first, by a reader.

use crate::model::ids::DeliveryId;
use crate::store::sql::Sql;
use crate::store::values::{among, padded, with_rows};
use crate::store::{Conn, OUTBOX_BATCH, Result, Tx};

/// The first that waits of each of these subjects, unless another one is being sent, whose end passes the turn on.
pub(super) const NEXT: &str = "WITH b (subject) AS (VALUES) \
    SELECT (SELECT CASE WHEN o.subject = b.subject THEN o.id END FROM outbox o \
    WHERE o.state = 'pending' AND o.waits IS NOT NULL AND o.subject >= b.subject ORDER BY o.subject, o.id LIMIT 1) \
    FROM b WHERE b.subject NOT IN (SELECT o.subject FROM outbox o \
    WHERE o.state = 'processing' AND o.subject IS NOT NULL ORDER BY o.subject)";

/// Whether any event waits for another one of its subject: nearly always none does. By the order of the index, as in a
/// claim: for `EXISTS` PostgreSQL reads the table once most rows wait.
pub(super) const SOME_WAIT: &str = "SELECT (SELECT subject FROM outbox \
    WHERE state = 'pending' AND waits IS NOT NULL AND subject > '' ORDER BY subject LIMIT 1) IS NOT NULL";

/// One that is locked is being passed on.
pub(super) const PASS: Sql = dialect_sql!(
    sql("UPDATE outbox SET waits = NULL WHERE id IN (SELECT id FROM outbox WHERE id IN (VALUES) \
         AND state = 'pending' AND waits IS NOT NULL"),
    postgres(" FOR UPDATE SKIP LOCKED"),
    sql(")"),
);

/// The next subjects that have some waiting: one look into the index for each.
pub(super) const WAITING: &str = "WITH RECURSIVE b (subject, number) AS (SELECT (SELECT min(subject) FROM outbox \
    WHERE state = 'pending' AND waits IS NOT NULL AND subject > $1), 1 UNION ALL SELECT (SELECT min(subject) FROM outbox \
    WHERE state = 'pending' AND waits IS NOT NULL AND subject > b.subject), number + 1 FROM b \
    WHERE subject IS NOT NULL AND number < 128) SELECT subject FROM b WHERE subject IS NOT NULL ORDER BY number";

impl Tx {
    /// Lets these be claimed, which [`Conn::outbox_next_turns`] found; returns how many there were.
    pub async fn outbox_pass_turns(&mut self, next: &[DeliveryId]) -> Result<u64> {
        execute!(self, PASS, |sql| among(sql, next))
    }
}

impl Conn {
    /// The next event of each of these subjects that waits, and may be claimed now. To be read after the commit that
    /// ended an attempt or found one under way.
    pub async fn outbox_next_turns(&mut self, subjects: &[String]) -> Result<Vec<DeliveryId>> {
        let mut found = Vec::new();
        let some_wait: bool = fetch_scalar!(self, SOME_WAIT)?;
        if !some_wait {
            return Ok(found);
        }
        for subjects in subjects.chunks(OUTBOX_BATCH) {
            let next: Vec<Option<DeliveryId>> = fetch_scalars!(self, NEXT, |sql| {
                with_rows(sql, padded(subjects), |mut row, subject| {
                    row.push_bind(subject.as_str());
                })
            })?;
            found.extend(next.into_iter().flatten());
        }
        Ok(found)
    }

    /// The next subjects after one, in the order of their texts, that have events waiting; at most [`OUTBOX_BATCH`].
    pub async fn outbox_waiting_subjects(&mut self, after: &str) -> Result<Vec<String>> {
        fetch_scalars!(self, WAITING, after)
    }
}
