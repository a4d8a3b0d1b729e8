//! Failed tries: recorded in memory by requests, written in batches (write-behind).
//!
//! A request must cost the same whether or not the account exists, so it only records in memory, for accounts that do
//! not exist too. The number of rows is bounded: for each account, kind, detail and hour there are at most [`SLOTS`], which
//! hold a count and the last device; devices in different networks mostly have different rows. A detail is one of few: a
//! word of ours, or a stored API key, never what was typed.

use super::{ApiKeyRow, Store, StoreError, Tx};
use crate::crypto::parts_hash::name_uuid;
use crate::model::api_key::KeyFault;
use crate::model::audit::AuditKind;
use crate::model::device::Device;
use crate::model::ids::{AuditId, UserId};
use crate::model::principal::{Actor, Operation};
use crate::model::provider::ProviderName;
use crate::model::time::Time;
use parking_lot::Mutex;
use serde_json::json;
use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

const SLOTS: u8 = 4;
const WINDOW_SECONDS: i64 = 3600;
/// The number of rows written in one transaction: a few milliseconds in which no other transaction writes.
const CHUNK: usize = 200;
/// Beyond this many unwritten rows further ones are dropped until the next write.
const MAX_WAITING: usize = 20_000;
/// The same for tries that a limit refused: no limit bounds how many accounts they name.
const MAX_WAITING_OF_LIMITED: usize = 100;

#[derive(Default)]
pub struct FailedAttempts {
    waiting: Mutex<HashMap<AuditId, Tries>>,
}

struct Tries {
    what: What,
    actor: Actor,
    last_at: Time,
    times: i64,
}

struct What {
    kind: AuditKind,
    user: Option<UserId>,
    detail: Cow<'static, str>,
    /// The same as JSON.
    fields: Option<String>,
}

impl FailedAttempts {
    /// Records a try at an account, or at one that does not exist.
    pub fn record(&self, kind: AuditKind, user: Option<UserId>, device: &Device, now: Time) {
        self.record_for(kind, "", user, device, now);
    }

    /// As [`FailedAttempts::record`], with a detail; there must be few of them. Also for a password that was right and
    /// led to no session.
    pub fn record_for(&self, kind: AuditKind, detail: &'static str, user: Option<UserId>, device: &Device, now: Time) {
        // As in the entry of a try that was right.
        let fields = (!detail.is_empty()).then(|| json!({"what": detail}).to_string());
        self.count(What { kind, user, detail: Cow::Borrowed(detail), fields }, device, now);
    }

    /// Records an API key that was refused; `None`: one that is not stored.
    pub fn record_api_key(&self, key: Option<&ApiKeyRow>, fault: KeyFault, device: &Device, now: Time) {
        let result = fault.as_str();
        let (detail, fields) = match key {
            Some(ApiKeyRow { id, name, .. }) => {
                let fields = json!({"name": name, "key_id": id, "result": result});
                (Cow::Owned(format!("{name} {id} {result}")), fields)
            }
            None => (Cow::Borrowed(result), json!({"result": result})),
        };
        let fields = Some(fields.to_string());
        self.count(What { kind: AuditKind::ApiKeyRefused, user: None, detail, fields }, device, now);
    }

    /// Records a login with a provider that was refused: why, in one word; and for whose account, if it was to be connected
    /// with one.
    pub fn record_provider(
        &self,
        provider: &ProviderName,
        reason: &'static str,
        user: Option<UserId>,
        device: &Device,
        now: Time,
    ) {
        let fields = Some(json!({"provider": provider.as_str(), "reason": reason}).to_string());
        let detail = Cow::Owned(format!("{provider} {reason}"));
        self.count(What { kind: AuditKind::ProviderRefused, user, detail, fields }, device, now);
    }

    /// Records that an administrator's change was refused for the roles of the account: the pattern of its route, and
    /// the operation.
    pub fn record_admin_refused(
        &self,
        user: UserId,
        (route, operation): (&str, Operation),
        device: &Device,
        now: Time,
    ) {
        let fields = Some(json!({"path": route, "operation": format!("{operation:?}")}).to_string());
        let what =
            What { kind: AuditKind::AdminRefused, user: Some(user), detail: Cow::Owned(route.to_owned()), fields };
        self.count_by(what, Actor::user(user, None, device.clone()), device, now);
    }

    fn count(&self, what: What, device: &Device, now: Time) {
        self.count_by(what, Actor::unknown(device.clone()), device, now);
    }

    fn count_by(&self, what: What, actor: Actor, device: &Device, now: Time) {
        let id = row_of(&what, device, now);
        let mut waiting = self.waiting.lock();
        let most = if what.kind == AuditKind::LoginLimited { MAX_WAITING_OF_LIMITED } else { MAX_WAITING };
        let room = waiting.len() < most;
        match waiting.entry(id) {
            Entry::Occupied(mut tries) => {
                let tries = tries.get_mut();
                tries.times += 1;
                tries.last_at = now;
                tries.actor = actor;
            }
            Entry::Vacant(free) if room => {
                free.insert(Tries { what, actor, last_at: now, times: 1 });
            }
            Entry::Vacant(_) => {}
        }
    }

    pub async fn write(&self, store: &Store) -> Result<(), StoreError> {
        let noted = std::mem::take(&mut *self.waiting.lock());
        let mut rows: Vec<(AuditId, Tries)> = noted.into_iter().collect();
        // The same order in all processes, so that two of them that write the same rows cannot deadlock.
        rows.sort_unstable_by_key(|(id, _)| *id);
        while !rows.is_empty() {
            let rest = rows.split_off(rows.len().min(CHUNK));
            if let Err(error) = write_chunk(store, &rows).await {
                rows.extend(rest);
                self.put_back(rows);
                return Err(error);
            }
            rows = rest;
        }
        Ok(())
    }

    /// Keeps what was not written for the next time, in addition to what was recorded meanwhile.
    fn put_back(&self, rows: Vec<(AuditId, Tries)>) {
        let mut waiting = self.waiting.lock();
        for (id, tries) in rows {
            match waiting.entry(id) {
                Entry::Occupied(mut newer) => newer.get_mut().times += tries.times,
                Entry::Vacant(free) => {
                    free.insert(tries);
                }
            }
        }
    }
}

/// The id of the row that counts such tries, the same in every process.
fn row_of(what: &What, device: &Device, now: Time) -> AuditId {
    let window = now.as_seconds().div_euclid(WINDOW_SECONDS).to_be_bytes();
    let place = name_uuid(&[b"place", device.subnet().as_bytes()]);
    let slot = [place.as_bytes()[0] % SLOTS];
    let user = what.user.map(|user| user.0).unwrap_or_default();
    let (kind, detail) = (what.kind.as_str().as_bytes(), what.detail.as_bytes());
    AuditId(name_uuid(&[b"failed tries", kind, detail, user.as_bytes(), &window, &slot]))
}

/// Adds to the row of such tries, if there is one.
const ADD: &str = "INSERT INTO audit (id, at, user_id, kind, actor, address, user_agent, detail, times, subject_id, \
    fields, actor_user_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (id) DO UPDATE SET at = excluded.at, \
    address = excluded.address, user_agent = excluded.user_agent, times = audit.times + excluded.times";

async fn write_chunk(store: &Store, rows: &[(AuditId, Tries)]) -> Result<(), StoreError> {
    let mut tx = store.begin_internal().await?;
    for (id, tries) in rows {
        tx.add_tries(*id, tries).await?;
    }
    tx.commit().await
}

impl Tx {
    async fn add_tries(&mut self, id: AuditId, tries: &Tries) -> Result<(), StoreError> {
        let What { kind, user, detail, fields } = &tries.what;
        execute!(
            self,
            ADD,
            id,
            tries.last_at,
            *user,
            kind.as_str(),
            tries.actor.actor_name(),
            tries.actor.address(),
            tries.actor.user_agent(),
            detail.as_ref(),
            tries.times,
            *user,
            fields.as_deref(),
            tries.actor.user_id()
        )?;
        self.audited.push((*kind, tries.times));
        Ok(())
    }
}
