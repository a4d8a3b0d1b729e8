//! Mails: what the operator may see of each, beside its row in the outbox, which holds the sealed mail itself.
//!
//! A mail that is delivered, failed or expired is erased in the same transaction: its payload is emptied, and `erased_at`
//! is set. One that became void before it was sent is removed.

use super::outbox::claim::Lease;
use super::outbox::settle::Attempt;
use super::sql::Sql;
use super::values::padded;
use super::{Channel, Conn, Queue, Result, Tx};
use crate::model::ids::{DeliveryId, MailId};
use crate::model::time::Time;
use sqlx::QueryBuilder;
use std::time::Duration;
use uuid::Uuid;

/// A mail to be put into the queue.
#[derive(Clone, Copy, Debug)]
pub struct NewMail<'a> {
    pub id: MailId,
    /// Where it waits: [`Queue::Mail`] or [`Queue::Notice`].
    pub queue: Queue,
    pub kind: &'static str,
    /// The sealed mail.
    pub payload: &'a [u8],
    pub recipient: &'a str,
    /// The folded address.
    pub recipient_key: &'a str,
    pub subject: &'a str,
    /// The `Message-ID` of all attempts.
    pub message_id: &'a str,
    /// What it is about; [`Tx::mail_withdraw`] and [`Tx::mail_is_pending`] find it by that.
    pub about: Option<Uuid>,
    pub expires_at: Time,
}

/// A sealed mail as it stands in the outbox.
#[derive(Debug)]
pub struct SealedMail {
    pub id: MailId,
    pub payload: Vec<u8>,
}

row!(SealedMail { id, payload });

/// A mail that expired before it was sent.
struct Unsent {
    id: DeliveryId,
    lease: i64,
    attempts: i64,
}

row!(Unsent { id, lease, attempts });

/// The outcome that is recorded for a mail that expired before it was sent.
const EXPIRED: &str = "expired";
const NOTHING: &[u8] = &[];

const PUSH: Sql = now_sql!(
    "INSERT INTO outbox (id, channel, kind, payload, state, attempts, lease, started, interrupted, due_at, created_at) \
     VALUES ($2, $6, $3, $4, 'pending', 0, 0, FALSE, FALSE, ",
    ", $5)"
);

/// There is no condition on the channel: it would make the planner use the index of all pending deliveries.
pub(super) const WITHDRAW: &str = "DELETE FROM outbox \
    WHERE id IN (SELECT id FROM mails WHERE about_id = $1 AND erased_at IS NULL) AND kind = $2 AND state = 'pending'";

pub(super) const IS_PENDING: &str = "SELECT id FROM outbox \
    WHERE id IN (SELECT id FROM mails WHERE about_id = $1 AND erased_at IS NULL) AND kind = $2 AND state = 'pending' \
    LIMIT 1";

/// `$1` now, `$2` no payload. The lease is incremented to make room in the list of attempts.
pub(super) const EXPIRE: Sql = dialect_sql!(
    sql("UPDATE outbox SET state = 'failed', lease = lease + 1, payload = $2, finished_at = "),
    at("$1"),
    sql(" WHERE id IN (SELECT id FROM mails WHERE erased_at IS NULL AND expires_at <= "),
    at("$1"),
    sql(" ORDER BY expires_at LIMIT $3) AND state = 'pending' RETURNING id, lease, attempts"),
);

pub(super) const ANY_EXPIRED: Sql =
    dialect_sql!(sql("SELECT id FROM mails WHERE erased_at IS NULL AND expires_at <= "), at("$1"), sql(" LIMIT 1"),);

pub(super) const SEALED: &str = "SELECT m.id, o.payload FROM mails m JOIN outbox o ON o.id = m.id \
    WHERE m.id > $1 AND m.erased_at IS NULL ORDER BY m.id LIMIT $2";

/// The most expired mails that one transaction removes from the queue.
const EXPIRE_BATCH: i64 = 100;

impl Conn {
    pub async fn mails_any_expired(&mut self) -> Result<bool> {
        let found: Option<MailId> = fetch_optional_scalar!(self, ANY_EXPIRED, self.sql_now())?;
        Ok(found.is_some())
    }

    /// At most `limit` mails after `after` that are not erased, in the order of their ids.
    pub async fn mails_sealed(&mut self, after: MailId, limit: i64) -> Result<Vec<SealedMail>> {
        fetch_all!(self, SEALED, after, limit)
    }
}

impl Tx {
    pub async fn mail_push(&mut self, mail: &NewMail<'_>) -> Result<()> {
        let (present, created_at) = (self.sql_now(), self.now());
        execute!(self, PUSH, present, mail.id, mail.kind, mail.payload, created_at, mail.queue.as_str())?;
        let sql = "INSERT INTO mails (id, recipient, recipient_key, subject, message_id, about_id, expires_at) \
            VALUES ($1, $2, $3, $4, $5, $6, $7)";
        execute!(
            self,
            sql,
            mail.id,
            mail.recipient,
            mail.recipient_key,
            mail.subject,
            mail.message_id,
            mail.about,
            mail.expires_at
        )?;
        self.wake_outbox_on_commit(Channel::Mail);
        Ok(())
    }

    /// Removes a mail that was put into the queue in this transaction, without a trace.
    pub async fn mail_discard(&mut self, id: MailId) -> Result<()> {
        execute!(self, "DELETE FROM outbox WHERE id = $1", id).map(drop)
    }

    /// Whether a mail of a kind about something waits in the queue, and is not being sent.
    pub async fn mail_is_pending(&mut self, kind: &str, about: Uuid) -> Result<bool> {
        let found: Option<MailId> = fetch_optional_scalar!(self, IS_PENDING, about, kind)?;
        Ok(found.is_some())
    }

    /// Removes the mails of a kind about something from the queue, except those that are being sent: to an operator, a mail
    /// that failed is one that its recipient lacks.
    pub async fn mail_withdraw(&mut self, kind: &str, about: Uuid) -> Result<()> {
        execute!(self, WITHDRAW, about, kind).map(drop)
    }

    /// Removes a batch of expired mails from the queue, except those that are being sent; returns their ids.
    pub async fn mails_expire(&mut self) -> Result<Vec<MailId>> {
        let expired: Vec<Unsent> = fetch_all!(self, EXPIRE, self.sql_now(), NOTHING, EXPIRE_BATCH)?;
        self.record_expired(&expired).await?;
        Ok(expired.into_iter().map(|mail| MailId(mail.id.0)).collect())
    }

    async fn record_expired(&mut self, expired: &[Unsent]) -> Result<()> {
        let attempt = |number| Attempt {
            number,
            started_at: self.now(),
            duration: Duration::ZERO,
            outcome: EXPIRED,
            status: None,
            response: Vec::new(),
        };
        let attempts: Vec<(Lease, Attempt)> =
            expired.iter().map(|mail| (Lease { id: mail.id, number: mail.lease }, attempt(mail.attempts))).collect();
        let attempts: Vec<_> = attempts.iter().map(|(lease, attempt)| (*lease, attempt)).collect();
        self.outbox_record(&attempts).await?;
        let ids: Vec<DeliveryId> = expired.iter().map(|mail| mail.id).collect();
        self.mails_erase(&ids).await
    }

    /// Erases the contents of mails that will not be sent any more.
    pub(super) async fn mails_erase(&mut self, ids: &[DeliveryId]) -> Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        let now = self.now();
        with_engine!(self, "UPDATE outbox SET payload = ", |c, sql| async {
            let mut query = QueryBuilder::new(sql);
            query.push_bind(NOTHING).push(" WHERE id IN (");
            let mut list = query.separated(", ");
            padded(ids).for_each(|id| {
                list.push_bind(*id);
            });
            query.push(")").build().execute(c).await.map(drop)
        })?;
        with_engine!(self, "UPDATE mails SET erased_at = ", |c, sql| async {
            let mut query = QueryBuilder::new(sql);
            query.push_bind(now).push(" WHERE id IN (");
            let mut list = query.separated(", ");
            padded(ids).for_each(|id| {
                list.push_bind(*id);
            });
            query.push(")").build().execute(c).await.map(drop)
        })
    }

    /// Replaces a sealed mail by the same one sealed with another key, unless it was erased meanwhile.
    pub async fn mail_reseal(&mut self, old: &SealedMail, new: &[u8]) -> Result<bool> {
        let sql = "UPDATE outbox SET payload = $3 WHERE id = $1 AND payload = $2";
        Ok(execute!(self, sql, old.id, old.payload.as_slice(), new)? > 0)
    }
}
