//! Deliveries of webhooks and mails as one list, for the pages of administrators.

use super::delivery;
use super::list::{ListRange, Listing};
use crate::model::ids::{EventId, MailId};
use crate::model::list_place::ListPlace;
use crate::model::time::Time;
use crate::random;
use crate::store::{AttemptRow, Conn, DeliveryFilter, DeliveryRow, DeliveryState, MailFilter, MailRow, Result};
use std::time::Duration;
use uuid::Uuid;

/// Deliveries that a page reads at most, those that do not fit included.
const MAX_READ: u32 = 2000;
/// Deliveries that are read at a time where not all may fit.
const AT_ONCE: u32 = 500;
/// Longer than any retention: no filter by age.
const MAX_AGE: Duration = Duration::from_hours(50 * 365 * 24);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    Webhook,
    Mail,
}

/// The id of a delivery as it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryKey {
    Event(EventId),
    Mail(MailId),
}

impl DeliveryKey {
    /// Reads `evt_…` or the id of a mail.
    pub fn parse(text: &str) -> Option<Self> {
        let event = EventId::from_wire(text).map(Self::Event);
        event.or_else(|| Uuid::try_parse(text).ok().map(MailId).map(Self::Mail))
    }
}

/// The delivery of an event or of a mail.
#[derive(Clone, Debug)]
pub enum AnyDelivery {
    Event(DeliveryRow),
    /// Of a mail, without its text.
    Mail(MailRow),
}

/// Runs the same expression on either row.
macro_rules! of_either {
    ($delivery:expr, |$row:ident| $value:expr) => {
        match $delivery {
            AnyDelivery::Event($row) => $value,
            AnyDelivery::Mail($row) => $value,
        }
    };
}

impl AnyDelivery {
    pub fn id(&self) -> String {
        match self {
            AnyDelivery::Event(row) => row.id.wire(),
            AnyDelivery::Mail(row) => row.id.to_string(),
        }
    }

    pub fn kind(&self) -> &str {
        of_either!(self, |row| &row.kind)
    }

    pub const fn state(&self) -> DeliveryState {
        of_either!(self, |row| row.state)
    }

    pub const fn attempts(&self) -> i64 {
        match self {
            AnyDelivery::Event(row) => row.recorded,
            AnyDelivery::Mail(row) => row.attempts,
        }
    }

    pub const fn created_at(&self) -> Time {
        of_either!(self, |row| row.created_at)
    }

    pub const fn due_at(&self) -> Time {
        of_either!(self, |row| row.due_at)
    }

    pub const fn finished_at(&self) -> Option<Time> {
        of_either!(self, |row| row.finished_at)
    }

    pub fn last_outcome(&self) -> Option<&str> {
        of_either!(self, |row| row.last_outcome.as_deref())
    }

    pub const fn last_status(&self) -> Option<i64> {
        of_either!(self, |row| row.last_status)
    }

    fn place(&self) -> ListPlace {
        of_either!(self, |row| row.place())
    }
}

/// Which deliveries a list has. In a list of one state, times are those at which it was entered; else of creation.
#[derive(Clone, Copy, Debug)]
pub struct DeliverySearch<'a> {
    pub channel: Channel,
    pub state: Option<DeliveryState>,
    pub kind: Option<&'a str>,
    /// Only those from this time on.
    pub since: Option<Time>,
    /// Only those before this time.
    pub until: Option<Time>,
}

impl DeliverySearch<'_> {
    /// The place after which the list begins: `after`, or that of the end of its span of time.
    fn begin(&self, after: ListPlace) -> ListPlace {
        let Some(until) = self.until else { return after };
        let end = if self.state.is_some() {
            ListPlace { at: until, id: Uuid::nil() }
        } else {
            // The list goes by ids, which begin with the time of creation.
            ListPlace { at: until, id: random::uuid_v7_min(until) }
        };
        let is_earlier = if self.state.is_some() { (end.at, end.id) < (after.at, after.id) } else { end.id < after.id };
        if is_earlier { end } else { after }
    }

    fn is_too_old(&self, delivery: &AnyDelivery) -> bool {
        let at = if self.state.is_some() { delivery.place().at } else { delivery.created_at() };
        self.since.is_some_and(|since| at < since)
    }

    async fn part(&self, conn: &mut Conn, range: ListRange) -> Result<Listing<AnyDelivery>> {
        match self.channel {
            Channel::Webhook => {
                let filter = DeliveryFilter { state: self.state, kind: None, since: MAX_AGE };
                let Listing { data, next, is_cut } = delivery::events(conn, &filter, range).await?;
                Ok(Listing { data: data.into_iter().map(AnyDelivery::Event).collect(), next, is_cut })
            }
            Channel::Mail => {
                let filter = MailFilter { state: self.state, recipient_key: None };
                let Listing { data, next, is_cut } = delivery::mails(conn, &filter, range).await?;
                Ok(Listing { data: data.into_iter().map(AnyDelivery::Mail).collect(), next, is_cut })
            }
        }
    }
}

/// Lists deliveries that fit. It reads at most [`MAX_READ`] of them, as one kind may be rare.
pub async fn search(conn: &mut Conn, search: &DeliverySearch<'_>, range: ListRange) -> Result<Listing<AnyDelivery>> {
    let limit = usize::try_from(range.limit).unwrap_or(usize::MAX);
    let part_limit = if search.kind.is_some() { AT_ONCE } else { range.limit + 1 };
    let (mut after, mut read) = (search.begin(range.after), 0);
    let mut data: Vec<AnyDelivery> = Vec::new();
    while read < MAX_READ {
        let part = search.part(conn, ListRange { after, limit: part_limit }).await?;
        for delivery in part.data {
            if search.is_too_old(&delivery) {
                return Ok(Listing { data, next: None, is_cut: false });
            }
            if search.kind.is_some_and(|kind| kind != delivery.kind()) {
                continue;
            }
            if data.len() == limit {
                let next = data.last().map(AnyDelivery::place);
                return Ok(Listing { data, next, is_cut: false });
            }
            data.push(delivery);
        }
        let Some(next) = part.next else { return Ok(Listing { data, next: None, is_cut: false }) };
        (after, read) = (next, read + part_limit);
    }
    Ok(Listing { data, next: Some(after), is_cut: true })
}

/// One delivery with its attempts, oldest first; without an event's payload and a mail's text.
pub async fn find(conn: &mut Conn, key: DeliveryKey) -> Result<Option<(AnyDelivery, Vec<AttemptRow>)>> {
    let (found, attempts) = match key {
        DeliveryKey::Event(id) => {
            let found = conn.outbox_find(id).await?.map(|(row, _)| AnyDelivery::Event(row));
            (found, conn.outbox_attempts(id.into()).await?)
        }
        DeliveryKey::Mail(id) => (conn.mail_find_row(id).await?.map(AnyDelivery::Mail), conn.mail_attempts(id).await?),
    };
    Ok(found.map(|found| (found, attempts)))
}
