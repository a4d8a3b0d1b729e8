//! Mails: what the operator may see of each, beside its row in the outbox, which holds the sealed mail itself.

use super::outbox_claim::Lease;
use super::outbox_settle::Attempt;
use super::{Channel, Result, Tx};
use crate::clock::Time;
use crate::domain::ids::{EventId, MailId};
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

/// A mail that was taken out of the queue before it was sent.
struct Withdrawn {
    id: EventId,
    lease: i64,
    attempts: i64,
}

row!(Withdrawn { id, lease, attempts });

/// What stands in the list of attempts of a mail that was taken out of the queue.
const WITHDRAWN: &str = "withdrawn";

/// The lease is raised for a place in the list of attempts.
const WITHDRAW: super::macros::NowSql = dialect_sql!(
    sql("UPDATE outbox SET state = 'failed', lease = lease + 1, payload = $2, finished_at = "),
    at("$1"),
    sql(" WHERE id IN (SELECT id FROM mails WHERE about_id = $3 AND erased_at IS NULL) \
         AND channel = 'mail' AND kind = $4 AND state = 'pending' RETURNING id, lease, attempts"),
);

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

    /// Takes mails of a kind about something out of the queue, unless they are just being sent.
    pub async fn mail_withdraw(&mut self, kind: &str, about: Uuid) -> Result<()> {
        let erased: &[u8] = &[];
        let withdrawn: Vec<Withdrawn> = on!(self, WITHDRAW, |c, sql, now| {
            sqlx::query_as(sql).bind(now).bind(erased).bind(about).bind(kind).fetch_all(c)
        })?;
        let now = self.now();
        for mail in withdrawn {
            let attempt = Attempt {
                number: mail.attempts,
                started_at: now,
                duration: Duration::ZERO,
                outcome: WITHDRAWN,
                status: None,
                response: Vec::new(),
            };
            self.outbox_record(&[(Lease { id: mail.id, number: mail.lease }, &attempt)]).await?;
            changed!(self, |c| {
                sqlx::query("UPDATE mails SET erased_at = $2 WHERE id = $1").bind(mail.id).bind(now)
            })?;
        }
        Ok(())
    }
}
