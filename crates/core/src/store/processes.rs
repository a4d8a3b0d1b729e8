//! What the processes of a service tell each other: their settings, each in a row of its own, and whether one of them has
//! webhooks, in the row of the instance.

use super::sql::Sql;
use super::{Conn, Result, Store, Tx};
use crate::model::event::EventKinds;
use crate::model::ids::ProcessId;
use crate::model::time::{Time, micros};
use std::time::Duration;

/// How long a process counts as running after its last heartbeat. Who was killed is compared no longer.
pub const PROCESS_TTL: Duration = Duration::from_secs(15);
/// How long events are stored for the processes with webhooks after the last heartbeat of one: longer, as what is not
/// stored is lost.
const WEBHOOKS_TTL: Duration = Duration::from_mins(1);
/// The heartbeats of the previous version, whose process has its settings in the row of the instance.
const PREVIOUS_TTL: Duration = Duration::from_mins(1);

const RENEW: Sql = dialect_sql!(
    sql("INSERT INTO processes (id, settings, seen_at) VALUES ($2, $3, "),
    at("$1"),
    sql(") ON CONFLICT (id) DO UPDATE SET settings = excluded.settings, seen_at = excluded.seen_at"),
);
/// `$1`: before which a heartbeat has expired; `$2`: the same of the previous version.
const RUNNING: Sql = dialect_sql!(
    sql("SELECT settings FROM processes WHERE seen_at >= "),
    at("$1"),
    sql(" UNION ALL SELECT settings FROM instance WHERE id = 1 AND settings IS NOT NULL AND settings_at >= "),
    at("$2"),
);
const REMOVE_EXPIRED: Sql = now_sql!("DELETE FROM processes WHERE seen_at < ", "");
const RENEW_WEBHOOKS: Sql =
    now_sql!("UPDATE instance SET webhooks = TRUE, webhook_events = $2, webhooks_at = ", " WHERE id = 1");
const LIVE_WEBHOOKS: Sql =
    dialect_sql!(sql("SELECT webhook_events FROM instance WHERE id = 1 AND webhooks AND webhooks_at >= "), at("$1"));
const END_WEBHOOKS: Sql = dialect_sql!(
    sql("UPDATE instance SET webhooks = FALSE WHERE id = 1 AND webhooks AND (webhooks_at IS NULL OR webhooks_at < "),
    at("$1"),
    sql(")"),
);

impl Conn {
    /// The settings of each process that runs.
    pub async fn processes_running(&mut self) -> Result<Vec<String>> {
        let now = self.sql_now();
        fetch_scalars!(self, RUNNING, now - micros(PROCESS_TTL), now - micros(PREVIOUS_TTL))
    }

    /// When a process last sent a heartbeat, by its clock or the server's.
    pub async fn processes_last_seen(&mut self) -> Result<Option<Time>> {
        fetch_scalar!(self, "SELECT max(seen_at) FROM processes")
    }

    /// The kinds of event that a running process with webhooks sends; `None` if there is no such process.
    pub async fn instance_live_webhooks(&mut self) -> Result<Option<EventKinds>> {
        let found: Option<Option<String>> =
            fetch_optional_scalar!(self, LIVE_WEBHOOKS, self.sql_now() - micros(WEBHOOKS_TTL))?;
        Ok(found.flatten().map(|text| EventKinds::parse_text(&text)))
    }
}

impl Tx {
    /// Records that a process runs, and its settings.
    pub async fn process_renew(&mut self, id: ProcessId, settings: &str) -> Result<()> {
        execute!(self, RENEW, self.sql_now(), id, settings).map(drop)
    }

    /// Removes the processes that ended without a word.
    pub async fn processes_remove_expired(&mut self) -> Result<()> {
        execute!(self, REMOVE_EXPIRED, self.sql_now() - micros(PROCESS_TTL)).map(drop)
    }

    /// Removes a process, which ends; running processes with webhooks renew the sign of that.
    pub async fn process_remove(&mut self, id: ProcessId, webhooks: bool) -> Result<()> {
        execute!(self, "DELETE FROM processes WHERE id = $1", id)?;
        if webhooks {
            execute!(self, "UPDATE instance SET webhooks_at = NULL WHERE id = 1")?;
        }
        Ok(())
    }

    /// Records that a process with webhooks runs.
    pub async fn instance_renew_webhooks(&mut self, events: EventKinds) -> Result<()> {
        execute!(self, RENEW_WEBHOOKS, self.sql_now(), events.to_text()).map(drop)
    }

    /// Records that the service has no webhooks, unless a process with webhooks still runs.
    pub async fn instance_end_webhooks(&mut self) -> Result<()> {
        execute!(self, END_WEBHOOKS, self.sql_now() - micros(WEBHOOKS_TTL)).map(drop)
    }
}

impl Store {
    /// Sets the kinds that [`Tx::record`] stores from now on.
    pub fn set_events(&self, events: EventKinds) {
        self.shared.set_events(events);
    }
}
