//! What an operator asks about mails. Only [`Conn::mail_find`] reads the contents of a mail.

use super::outbox::read::{AttemptRow, DeliveryState};
use super::{Channel, Conn, Result};
use crate::model::ids::MailId;
use crate::model::list_place::ListPlace;
use crate::model::time::Time;
use uuid::Uuid;

#[derive(Clone, Debug)]
pub struct MailRow {
    pub id: MailId,
    pub kind: String,
    pub state: DeliveryState,
    pub recipient: String,
    pub subject: String,
    /// The `Message-ID` of all attempts.
    pub message_id: String,
    /// The number of attempts started.
    pub attempts: i64,
    /// Since when, or from when, it is due.
    pub due_at: Time,
    /// When it was last claimed.
    pub leased_at: Option<Time>,
    pub created_at: Time,
    pub expires_at: Time,
    pub finished_at: Option<Time>,
    /// The class of the last attempt's outcome.
    pub last_outcome: Option<String>,
    /// The reply code of the last attempt.
    pub last_status: Option<i64>,
}

row!(MailRow {
    id,
    kind,
    state,
    recipient,
    subject,
    message_id,
    attempts,
    due_at,
    leased_at,
    created_at,
    expires_at,
    finished_at,
    last_outcome,
    last_status,
});

impl MailRow {
    pub fn place(&self) -> ListPlace {
        let at = self.state.entered_at(self.due_at, self.leased_at, self.finished_at);
        ListPlace { at, id: self.id.0 }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct MailFilter<'a> {
    pub state: Option<DeliveryState>,
    /// Only those to this folded address.
    pub recipient_key: Option<&'a str>,
}

/// `m` is the mail, `o` its row in the outbox.
macro_rules! select_mail {
    ($rest:literal) => {
        concat!(
            "SELECT m.id, o.kind, o.state, m.recipient, m.subject, m.message_id, o.attempts, o.due_at, o.leased_at, \
             o.created_at, m.expires_at, o.finished_at, \
             (SELECT a.outcome FROM outbox_attempts a WHERE a.delivery_id = m.id ORDER BY a.lease DESC LIMIT 1) \
             AS last_outcome, \
             (SELECT a.status FROM outbox_attempts a WHERE a.delivery_id = m.id ORDER BY a.lease DESC LIMIT 1) \
             AS last_status ",
            $rest
        )
    };
}

const OF_ID: &str = select_mail!("FROM mails m JOIN outbox o ON o.id = m.id WHERE m.id = $1");
/// `$1` is the limit, `$2` after which id.
pub(super) const ALL: &str =
    select_mail!("FROM mails m JOIN outbox o ON o.id = m.id WHERE m.id < $2 ORDER BY m.id DESC LIMIT $1");
pub(super) const TO: &str = select_mail!(
    "FROM mails m JOIN outbox o ON o.id = m.id WHERE m.id < $2 AND m.recipient_key = $3 ORDER BY m.id DESC LIMIT $1"
);
pub(super) const TO_IN_STATE: &str = select_mail!(
    "FROM mails m JOIN outbox o ON o.id = m.id WHERE m.id < $2 AND m.recipient_key = $3 AND o.state = $4 \
     ORDER BY m.id DESC LIMIT $1"
);
/// One text for each state, as each state has an index of its own; `$2` is the queue, `$3` and `$4` after which place.
pub(super) const PENDING: &str = select_mail!(
    "FROM outbox o JOIN mails m ON m.id = o.id WHERE o.channel = $2 AND o.state = 'pending' \
     AND (o.due_at, o.id) < ($3, $4) ORDER BY o.due_at DESC, o.id DESC LIMIT $1"
);
pub(super) const PROCESSING: &str = select_mail!(
    "FROM outbox o JOIN mails m ON m.id = o.id WHERE o.channel = $2 AND o.state = 'processing' \
     AND (o.leased_at, o.id) < ($3, $4) ORDER BY o.leased_at DESC, o.id DESC LIMIT $1"
);
pub(super) const DELIVERED: &str = select_mail!(
    "FROM outbox o JOIN mails m ON m.id = o.id WHERE o.channel = $2 AND o.state = 'delivered' \
     AND (o.finished_at, o.id) < ($3, $4) ORDER BY o.finished_at DESC, o.id DESC LIMIT $1"
);
pub(super) const FAILED: &str = select_mail!(
    "FROM outbox o JOIN mails m ON m.id = o.id WHERE o.channel = $2 AND o.state = 'failed' \
     AND (o.finished_at, o.id) < ($3, $4) ORDER BY o.finished_at DESC, o.id DESC LIMIT $1"
);

/// `$1` is the mail, `$2` its kind.
pub(super) const LATER: &str = "SELECT later.id FROM mails this \
    JOIN mails later ON later.recipient_key = this.recipient_key AND later.id > this.id \
    JOIN outbox o ON o.id = later.id \
    WHERE this.id = $1 AND later.about_id = this.about_id AND o.kind = $2 LIMIT 1";

impl Conn {
    /// What a mail is about; `None` without such a mail, or if it is about nothing.
    pub async fn mail_about(&mut self, id: MailId) -> Result<Option<Uuid>> {
        let about: Option<Option<Uuid>> = fetch_optional_scalar!(self, "SELECT about_id FROM mails WHERE id = $1", id)?;
        Ok(about.flatten())
    }

    /// Whether a later mail of the same kind about the same was written to the same address.
    pub async fn mail_has_later(&mut self, id: MailId, kind: &str) -> Result<bool> {
        let later: Option<MailId> = fetch_optional_scalar!(self, LATER, id, kind)?;
        Ok(later.is_some())
    }

    /// At most `limit` mails that pass the filter, newest first, after a place.
    pub async fn mails_list(&mut self, filter: &MailFilter<'_>, place: ListPlace, limit: i64) -> Result<Vec<MailRow>> {
        let after = place.id;
        match (filter.recipient_key, filter.state) {
            (None, None) => fetch_all!(self, ALL, limit, after),
            (None, Some(state)) => {
                let sql = match state {
                    DeliveryState::Pending => PENDING,
                    DeliveryState::Processing => PROCESSING,
                    DeliveryState::Delivered => DELIVERED,
                    DeliveryState::Failed => FAILED,
                };
                self.mails_of_state(sql, place, limit).await
            }
            (Some(to), None) => {
                fetch_all!(self, TO, limit, after, to)
            }
            (Some(to), Some(state)) => fetch_all!(self, TO_IN_STATE, limit, after, to, state),
        }
    }

    /// The newest mails of both queues by the text of a state.
    async fn mails_of_state(&mut self, sql: &'static str, after: ListPlace, limit: i64) -> Result<Vec<MailRow>> {
        let mut rows: Vec<MailRow> = Vec::new();
        for queue in Channel::Mail.queues() {
            let found: Vec<MailRow> = fetch_all!(self, sql, limit, queue.as_str(), after.at, after.id)?;
            rows.extend(found);
        }
        rows.sort_by_key(|row| std::cmp::Reverse((row.place().at, row.id)));
        rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        Ok(rows)
    }

    /// The mail with this id, and its sealed contents; empty if it was erased.
    pub async fn mail_find(&mut self, id: MailId) -> Result<Option<(MailRow, Vec<u8>)>> {
        let Some(row) = self.mail_find_row(id).await? else { return Ok(None) };
        let sealed: Option<Vec<u8>> = fetch_optional_scalar!(self, "SELECT payload FROM outbox WHERE id = $1", id)?;
        Ok(sealed.map(|sealed| (row, sealed)))
    }

    /// The mail with this id, without its contents.
    pub async fn mail_find_row(&mut self, id: MailId) -> Result<Option<MailRow>> {
        fetch_optional!(self, OF_ID, id)
    }

    /// The recorded attempts of a mail, oldest first.
    pub async fn mail_attempts(&mut self, id: MailId) -> Result<Vec<AttemptRow>> {
        self.outbox_attempts(id.into()).await
    }
}
