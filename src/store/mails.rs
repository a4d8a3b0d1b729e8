//! Mails: what the operator may see of each, beside its row in the outbox, which holds the sealed mail itself.
//!
//! A mail that is delivered, given up, withdrawn or past its time is erased in the same transaction: its payload is
//! emptied, and `erased_at` says when.

use super::macros::NowSql;
use super::outbox_claim::{Lease, padded};
use super::outbox_settle::Attempt;
use super::{Channel, Conn, Result, Tx};
use crate::model::ids::{EventId, MailId};
use crate::model::time::Time;
use sqlx::QueryBuilder;
use std::time::Duration;
use uuid::Uuid;

/// A mail to be put into the queue.
#[derive(Clone, Copy, Debug)]
pub struct NewMail<'a> {
    /// The mail's id.
    pub id: MailId,
    /// What kind of mail it is.
    pub kind: &'static str,
    /// The sealed mail.
    pub payload: &'a [u8],
    /// To whom.
    pub recipient: &'a str,
    /// The folded address.
    pub recipient_key: &'a str,
    /// Its subject.
    pub subject: &'a str,
    /// The `Message-ID` of all attempts.
    pub message_id: &'a str,
    /// What it is about: it takes the place of one of its kind about the same that still waits.
    pub about: Option<Uuid>,
    /// When it is of no more use.
    pub expires_at: Time,
}

/// A sealed mail as it stands in the outbox.
#[derive(Debug)]
pub struct SealedMail {
    /// The mail.
    pub id: MailId,
    /// The sealed mail.
    pub payload: Vec<u8>,
}

row!(SealedMail { id, payload });

/// A mail that left the queue without being sent.
struct Unsent {
    id: EventId,
    lease: i64,
    attempts: i64,
}

row!(Unsent { id, lease, attempts });

/// What stands in the list of attempts of a mail that was taken out of the queue.
const WITHDRAWN: &str = "withdrawn";
/// The same of a mail that was not sent before its time was over.
const EXPIRED: &str = "expired";
const NOTHING: &[u8] = &[];

/// `$1` now, `$2` no payload. The lease is raised for a place in the list of attempts. The channel is not asked for: it
/// would lead to the index of all that waits.
pub(super) const WITHDRAW: NowSql = dialect_sql!(
    sql("UPDATE outbox SET state = 'failed', lease = lease + 1, payload = $2, finished_at = "),
    at("$1"),
    sql(" WHERE id IN (SELECT id FROM mails WHERE about_id = $3 AND erased_at IS NULL) \
         AND kind = $4 AND state = 'pending' RETURNING id, lease, attempts"),
);

pub(super) const EXPIRE: NowSql = dialect_sql!(
    sql("UPDATE outbox SET state = 'failed', lease = lease + 1, payload = $2, finished_at = "),
    at("$1"),
    sql(" WHERE id IN (SELECT id FROM mails WHERE erased_at IS NULL AND expires_at <= "),
    at("$1"),
    sql(" ORDER BY expires_at LIMIT $3) AND state = 'pending' RETURNING id, lease, attempts"),
);

pub(super) const ANY_EXPIRED: NowSql =
    dialect_sql!(sql("SELECT id FROM mails WHERE erased_at IS NULL AND expires_at <= "), at("$1"), sql(" LIMIT 1"),);

pub(super) const SEALED: &str = "SELECT m.id, o.payload FROM mails m JOIN outbox o ON o.id = m.id \
    WHERE m.id > $1 AND m.erased_at IS NULL ORDER BY m.id LIMIT $2";

/// Most mails whose time is over that one transaction takes out of the queue.
const EXPIRE_BATCH: i64 = 100;

impl Conn {
    /// Whether there may be mails whose time is over.
    pub async fn mails_any_expired(&mut self) -> Result<bool> {
        let found: Option<MailId> =
            on!(self, ANY_EXPIRED, |c, sql, now| sqlx::query_scalar(sql).bind(now).fetch_optional(c))?;
        Ok(found.is_some())
    }

    /// At most `limit` mails after `after` that are not erased, in the order of their ids.
    pub async fn mails_sealed(&mut self, after: MailId, limit: i64) -> Result<Vec<SealedMail>> {
        on!(self, |c| sqlx::query_as(SEALED).bind(after).bind(limit).fetch_all(c))
    }
}

impl Tx {
    /// Puts a mail into the queue.
    pub async fn mail_push(&mut self, mail: &NewMail<'_>) -> Result<()> {
        if let Some(about) = mail.about {
            self.mail_withdraw(mail.kind, about).await?;
        }
        let created_at = self.now();
        changed!(
            self,
            now_sql!(
                "INSERT INTO outbox (id, channel, kind, payload, state, attempts, lease, started, interrupted, \
                 due_at, created_at) VALUES ($2, 'mail', $3, $4, 'pending', 0, 0, FALSE, FALSE, ",
                ", $5)"
            ),
            |sql, now| sqlx::query(sql).bind(now).bind(mail.id).bind(mail.kind).bind(mail.payload).bind(created_at)
        )?;
        changed!(self, |c| {
            sqlx::query(
                "INSERT INTO mails (id, recipient, recipient_key, subject, message_id, about_id, expires_at) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7)",
            )
            .bind(mail.id)
            .bind(mail.recipient)
            .bind(mail.recipient_key)
            .bind(mail.subject)
            .bind(mail.message_id)
            .bind(mail.about)
            .bind(mail.expires_at)
        })?;
        self.ring_outbox_on_commit(Channel::Mail);
        Ok(())
    }

    /// Removes a mail that was put into the queue in this transaction, as if it had never been.
    pub async fn mail_discard(&mut self, id: MailId) -> Result<()> {
        changed!(self, |c| sqlx::query("DELETE FROM outbox WHERE id = $1").bind(id))?;
        Ok(())
    }

    /// Takes mails of a kind about something out of the queue, unless they are just being sent.
    pub async fn mail_withdraw(&mut self, kind: &str, about: Uuid) -> Result<()> {
        let withdrawn: Vec<Unsent> = on!(self, WITHDRAW, |c, sql, now| {
            sqlx::query_as(sql).bind(now).bind(NOTHING).bind(about).bind(kind).fetch_all(c)
        })?;
        self.note_unsent(&withdrawn, WITHDRAWN).await
    }

    /// Takes mails whose time is over out of the queue, a batch of them; returns which. Those that are just being sent
    /// are left alone.
    pub async fn mails_expire(&mut self) -> Result<Vec<MailId>> {
        let expired: Vec<Unsent> = on!(self, EXPIRE, |c, sql, now| {
            sqlx::query_as(sql).bind(now).bind(NOTHING).bind(EXPIRE_BATCH).fetch_all(c)
        })?;
        self.note_unsent(&expired, EXPIRED).await?;
        Ok(expired.into_iter().map(|mail| MailId(mail.id.0)).collect())
    }

    async fn note_unsent(&mut self, unsent: &[Unsent], outcome: &'static str) -> Result<()> {
        let attempt = |number| Attempt {
            number,
            started_at: self.now(),
            duration: Duration::ZERO,
            outcome,
            status: None,
            response: Vec::new(),
        };
        let attempts: Vec<(Lease, Attempt)> =
            unsent.iter().map(|mail| (Lease { id: mail.id, number: mail.lease }, attempt(mail.attempts))).collect();
        let attempts: Vec<_> = attempts.iter().map(|(lease, attempt)| (*lease, attempt)).collect();
        self.outbox_record(&attempts).await?;
        let ids: Vec<EventId> = unsent.iter().map(|mail| mail.id).collect();
        self.mails_erase(&ids).await
    }

    /// Forgets what stands in mails that need not be sent any more.
    pub(super) async fn mails_erase(&mut self, ids: &[EventId]) -> Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        let now = self.now();
        on!(self, |c| async {
            let mut query = QueryBuilder::new("UPDATE outbox SET payload = ");
            query.push_bind(NOTHING).push(" WHERE id IN (");
            let mut list = query.separated(", ");
            padded(ids).for_each(|id| {
                list.push_bind(*id);
            });
            query.push(")").build().execute(c).await.map(drop)
        })?;
        on!(self, |c| async {
            let mut query = QueryBuilder::new("UPDATE mails SET erased_at = ");
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
        let changed = changed!(self, |c| {
            sqlx::query("UPDATE outbox SET payload = $3 WHERE id = $1 AND payload = $2")
                .bind(old.id)
                .bind(old.payload.as_slice())
                .bind(new)
        })?;
        Ok(changed > 0)
    }
}
