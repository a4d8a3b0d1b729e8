//! What the processes of a service tell each other about their settings, in the one row of the instance.

use super::sql::NowSql;
use super::{Conn, Result, Store, Tx};
use crate::model::event::EventKinds;
use crate::model::time::Time;
use std::time::Duration;

/// How long a process counts as running after its last heartbeat.
pub const HEARTBEAT_TTL: Duration = Duration::from_mins(1);

/// `$1`: now; `$2`: before which a heartbeat has expired.
const RENEW: NowSql = dialect_sql!(
    sql("UPDATE instance SET settings = $3, settings_at = "),
    at("$1"),
    sql(" WHERE id = 1 AND (settings IS NULL OR settings = $3 OR settings_at < "),
    at("$2"),
    sql(")"),
);
const RENEW_WEBHOOKS: NowSql =
    now_sql!("UPDATE instance SET webhooks = TRUE, webhook_events = $2, webhooks_at = ", " WHERE id = 1");
const LIVE_WEBHOOKS: NowSql =
    dialect_sql!(sql("SELECT webhook_events FROM instance WHERE id = 1 AND webhooks AND webhooks_at >= "), at("$1"));
const LIVE_SETTINGS: NowSql =
    dialect_sql!(sql("SELECT settings FROM instance WHERE id = 1 AND settings_at >= "), at("$1"));
const END_WEBHOOKS: NowSql = dialect_sql!(
    sql("UPDATE instance SET webhooks = FALSE WHERE id = 1 AND webhooks AND (webhooks_at IS NULL OR webhooks_at < "),
    at("$1"),
    sql(")"),
);

impl Conn {
    /// The settings of the process that came first.
    pub async fn instance_settings(&mut self) -> Result<Option<String>> {
        let found: Option<Option<String>> = with_engine!(self, |c| {
            sqlx::query_scalar("SELECT settings FROM instance WHERE id = 1").fetch_optional(c)
        })?;
        Ok(found.flatten())
    }

    /// As [`Conn::instance_settings`], if that process still runs.
    pub async fn instance_live_settings(&mut self) -> Result<Option<String>> {
        let found: Option<Option<String>> = with_engine!(self, LIVE_SETTINGS, |c, sql, now| {
            sqlx::query_scalar(sql).bind(now - ttl_micros()).fetch_optional(c)
        })?;
        Ok(found.flatten())
    }

    /// When the process that came first last sent a heartbeat, by its clock or the server's.
    pub async fn instance_settings_at(&mut self) -> Result<Option<Time>> {
        let found: Option<Option<Time>> = with_engine!(self, |c| {
            sqlx::query_scalar("SELECT settings_at FROM instance WHERE id = 1").fetch_optional(c)
        })?;
        Ok(found.flatten())
    }

    /// The kinds of event that a running process with webhooks sends; `None` if there is no such process.
    pub async fn instance_live_webhooks(&mut self) -> Result<Option<EventKinds>> {
        let found: Option<Option<String>> = with_engine!(self, LIVE_WEBHOOKS, |c, sql, now| {
            sqlx::query_scalar(sql).bind(now - ttl_micros()).fetch_optional(c)
        })?;
        Ok(found.flatten().map(|text| EventKinds::parse_text(&text)))
    }
}

impl Tx {
    /// Makes these the settings that others are compared with, unless those of another process are and it still runs.
    /// Returns whether they are.
    pub async fn instance_renew_settings(&mut self, settings: &str) -> Result<bool> {
        let renewed =
            execute!(self, RENEW, |sql, now| { sqlx::query(sql).bind(now).bind(now - ttl_micros()).bind(settings) })?;
        Ok(renewed > 0)
    }

    /// Records that a process with webhooks runs.
    pub async fn instance_renew_webhooks(&mut self, events: EventKinds) -> Result<()> {
        execute!(self, RENEW_WEBHOOKS, |sql, now| sqlx::query(sql).bind(now).bind(events.to_text()))?;
        Ok(())
    }

    /// Records that the service has no webhooks, unless a process with webhooks still runs.
    pub async fn instance_end_webhooks(&mut self) -> Result<()> {
        execute!(self, END_WEBHOOKS, |sql, now| sqlx::query(sql).bind(now - ttl_micros()))?;
        Ok(())
    }

    /// Deletes this process's heartbeat at shutdown; running processes renew theirs.
    pub async fn instance_release(&mut self, settings: &str, webhooks: bool) -> Result<()> {
        execute!(self, |c| {
            sqlx::query("UPDATE instance SET settings = NULL WHERE id = 1 AND settings = $1").bind(settings)
        })?;
        if webhooks {
            execute!(self, |c| sqlx::query("UPDATE instance SET webhooks_at = NULL WHERE id = 1"))?;
        }
        Ok(())
    }
}

impl Store {
    /// Sets the kinds that [`Tx::record`] stores from now on.
    pub fn set_events(&self, events: EventKinds) {
        self.shared.set_events(events);
    }
}

fn ttl_micros() -> i64 {
    crate::model::time::micros(HEARTBEAT_TTL)
}
