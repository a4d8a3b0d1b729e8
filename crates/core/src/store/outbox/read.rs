//! The operator's queries of the outbox: the list of deliveries, and the details of one.
//!
//! A list of one state scans that state's own index, newest first by the time of the state; a list of all scans the
//! primary key, whose ids sort by creation. Payloads are read for a single delivery only.

use super::settle::micros;
use crate::model::ids::{DeliveryId, EventId};
use crate::model::list_place::ListPlace;
use crate::model::names::names;
use crate::model::time::Time;
use crate::random;
use crate::store::sql::Sql;
use crate::store::{Conn, Result};
use std::time::Duration;

names! {
    /// The state of a delivery (docs/reference/webhooks.md 13.5).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum DeliveryState {
        Pending = "pending",
        Processing = "processing",
        Delivered = "delivered",
        /// It failed, and is not retried.
        Failed = "failed",
    }
}

impl DeliveryState {
    /// Of a delivery's times, the one by which lists of this state are ordered.
    pub(in crate::store) fn entered_at(self, due: Time, leased: Option<Time>, finished: Option<Time>) -> Time {
        match self {
            Self::Pending => due,
            Self::Processing => leased.unwrap_or(due),
            Self::Delivered | Self::Failed => finished.unwrap_or(due),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct DeliveryFilter<'a> {
    pub state: Option<DeliveryState>,
    pub kind: Option<&'a str>,
    /// Only those that entered the state, or without a state were created, no longer ago than this.
    pub since: Duration,
}

#[derive(Clone, Debug)]
pub struct DeliveryRow {
    pub id: EventId,
    pub kind: String,
    pub state: DeliveryState,
    /// The number of attempts started since it was recorded or last replayed.
    pub attempts: i64,
    /// The number of recorded attempts, including those before a replay.
    pub recorded: i64,
    /// Since when, or from when, it is due.
    pub due_at: Time,
    /// When it was last claimed.
    pub leased_at: Option<Time>,
    /// When its event happened.
    pub created_at: Time,
    pub finished_at: Option<Time>,
    /// The class of the last attempt's outcome.
    pub last_outcome: Option<String>,
    /// The status of the last attempt's response.
    pub last_status: Option<i64>,
}

row!(DeliveryRow {
    id,
    kind,
    state,
    attempts,
    recorded,
    due_at,
    leased_at,
    created_at,
    finished_at,
    last_outcome,
    last_status,
});

impl DeliveryRow {
    pub fn place(&self) -> ListPlace {
        let at = self.state.entered_at(self.due_at, self.leased_at, self.finished_at);
        ListPlace { at, id: self.id.0 }
    }
}

#[derive(Clone, Debug)]
pub struct AttemptRow {
    /// 1 for the first since the event was recorded or replayed.
    pub attempt: i64,
    /// When it started, by the clock of its process.
    pub started_at: Time,
    pub duration_us: i64,
    pub outcome: String,
    pub status: Option<i64>,
    /// The beginning of the response's body.
    pub response: Vec<u8>,
}

row!(AttemptRow { attempt, started_at, duration_us, outcome, status, response });

/// The most attempts that are returned for a delivery, the newest ones.
const MAX_ATTEMPTS: i64 = 1000;

macro_rules! delivery_columns {
    () => {
        "SELECT id, kind, state, attempts, due_at, leased_at, created_at, finished_at, \
         (SELECT count(*) FROM outbox_attempts a WHERE a.delivery_id = outbox.id) AS recorded, \
         (SELECT a.outcome FROM outbox_attempts a WHERE a.delivery_id = outbox.id ORDER BY a.lease DESC LIMIT 1) \
         AS last_outcome, \
         (SELECT a.status FROM outbox_attempts a WHERE a.delivery_id = outbox.id ORDER BY a.lease DESC LIMIT 1) \
         AS last_status FROM outbox "
    };
}

/// The list of one state, for every kind and for one: `$1` since when, `$2` the limit, `$3` and `$4` after which place,
/// `$5` the kind.
macro_rules! list_sql {
    ($state:literal, $time:literal) => {
        [
            list_sql!(@text $state, $time, ""),
            list_sql!(@text $state, $time, " AND kind = $5"),
        ]
    };
    (@text $state:literal, $time:literal, $kind:literal) => {
        Sql {
            sqlite: concat!(delivery_columns!(), "WHERE channel = 'webhook' AND state = '", $state, "' AND ", $time,
                " >= $1 AND (", $time, ", id) < ($3, $4)", $kind, " ORDER BY ", $time, " DESC, id DESC LIMIT $2"),
            postgres: concat!(delivery_columns!(), "WHERE channel = 'webhook' AND state = '", $state, "' AND ", $time,
                " >= (now() + $1::bigint * interval '1 microsecond') AND (", $time, ", id) < ($3, $4)", $kind,
                " ORDER BY ", $time, " DESC, id DESC LIMIT $2"),
        }
    };
}

pub(super) const LIST_PENDING: [Sql; 2] = list_sql!("pending", "due_at");
pub(super) const LIST_PROCESSING: [Sql; 2] = list_sql!("processing", "leased_at");
pub(super) const LIST_DELIVERED: [Sql; 2] = list_sql!("delivered", "finished_at");
pub(super) const LIST_FAILED: [Sql; 2] = list_sql!("failed", "finished_at");

/// The list of every state: `$1` the least id, `$2` the limit, `$3` after which id, `$4` the kind.
pub(super) const LIST_ALL: [&str; 2] = [
    concat!(delivery_columns!(), "WHERE id >= $1 AND id < $3 AND channel = 'webhook' ORDER BY id DESC LIMIT $2"),
    concat!(
        delivery_columns!(),
        "WHERE id >= $1 AND id < $3 AND channel = 'webhook' AND kind = $4 ORDER BY id DESC LIMIT $2"
    ),
];

pub(super) const ATTEMPTS: &str = "SELECT attempt, started_at, duration_us, outcome, status, response \
    FROM outbox_attempts WHERE delivery_id = $1 ORDER BY lease DESC LIMIT $2";

impl Conn {
    /// At most `limit` deliveries that pass the filter, newest first, after a place.
    pub async fn outbox_list(
        &mut self,
        filter: &DeliveryFilter<'_>,
        after: ListPlace,
        limit: i64,
    ) -> Result<Vec<DeliveryRow>> {
        let texts = match filter.state {
            None => return self.list_all(filter, after, limit).await,
            Some(DeliveryState::Pending) => LIST_PENDING,
            Some(DeliveryState::Processing) => LIST_PROCESSING,
            Some(DeliveryState::Delivered) => LIST_DELIVERED,
            Some(DeliveryState::Failed) => LIST_FAILED,
        };
        let since = self.sql_now().saturating_sub(micros(filter.since));
        let [of_all_kinds, of_one_kind] = texts;
        match filter.kind {
            None => fetch_all!(self, of_all_kinds, since, limit, after.at, after.id),
            Some(kind) => fetch_all!(self, of_one_kind, since, limit, after.at, after.id, kind),
        }
    }

    async fn list_all(
        &mut self,
        filter: &DeliveryFilter<'_>,
        after: ListPlace,
        limit: i64,
    ) -> Result<Vec<DeliveryRow>> {
        // An event's id starts with the time of its creation.
        let least = EventId(random::uuid_v7_min(self.now() - filter.since));
        let after = after.id;
        let [of_all_kinds, of_one_kind] = LIST_ALL;
        match filter.kind {
            None => fetch_all!(self, of_all_kinds, least, limit, after),
            Some(kind) => fetch_all!(self, of_one_kind, least, limit, after, kind),
        }
    }

    /// The delivery with this id, and its payload.
    pub async fn outbox_find(&mut self, id: EventId) -> Result<Option<(DeliveryRow, Vec<u8>)>> {
        let row: Option<DeliveryRow> =
            fetch_optional!(self, concat!(delivery_columns!(), "WHERE id = $1 AND channel = 'webhook'"), id)?;
        let Some(row) = row else { return Ok(None) };
        let payload: Option<Vec<u8>> = fetch_optional_scalar!(self, "SELECT payload FROM outbox WHERE id = $1", id)?;
        Ok(payload.map(|payload| (row, payload)))
    }

    /// The recorded attempts of a delivery, oldest first.
    pub async fn outbox_attempts(&mut self, id: DeliveryId) -> Result<Vec<AttemptRow>> {
        let mut attempts: Vec<AttemptRow> = fetch_all!(self, ATTEMPTS, id, MAX_ATTEMPTS)?;
        attempts.reverse();
        Ok(attempts)
    }
}
