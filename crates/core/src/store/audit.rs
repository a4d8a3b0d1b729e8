//! The audit log.

use super::audit_insert::AuditInsert;
use super::values::with_rows;
use super::{Conn, Result, Tx};
use crate::model::audit::AuditKind;
use crate::model::auth_method::AuthMethods;
use crate::model::change::{AccountChange, AuditDraft, Change, Described, OrganizationChange};
use crate::model::event::Event;
use crate::model::ids::{AuditId, OrganizationId, SessionId, UserId};
use crate::model::list_place::ListPlace;
use crate::model::time::Time;
use crate::random;
use serde::Deserialize;

#[derive(Clone, Debug)]
pub struct AuditRow {
    pub id: AuditId,
    /// When it happened; of several tries, the last one.
    pub at: Time,
    /// Whose account; `None` for tries at accounts that do not exist.
    pub user_id: Option<UserId>,
    /// What happened: the name of an [`AuditKind`], possibly one of a newer version.
    pub kind: String,
    /// Who did it: `user`, `operator`, `unknown`, or `key:` and the name of an API key.
    pub actor: String,
    /// The account of the actor, if there is one.
    pub actor_user_id: Option<UserId>,
    /// The session in which it was done, or which it is about.
    pub session_id: Option<SessionId>,
    /// The client's address, if there was one.
    pub address: String,
    /// The browser's description of itself, if there was one.
    pub user_agent: String,
    /// What the kind alone does not say, such as a new username.
    pub detail: String,
    pub times: i64,
    pub organization_id: Option<OrganizationId>,
    pub subject_id: Option<UserId>,
    /// What the kind alone does not say, as a JSON object with members by kind; `None` in entries of versions before
    /// 0.4.0.
    pub fields: Option<String>,
}

row!(AuditRow {
    id,
    at,
    user_id,
    kind,
    actor,
    actor_user_id,
    session_id,
    address,
    user_agent,
    detail,
    times,
    organization_id,
    subject_id,
    fields,
});

impl AuditRow {
    /// What happened; `None` if only a newer version knows it.
    pub fn kind(&self) -> Option<AuditKind> {
        AuditKind::parse(&self.kind)
    }

    pub fn place(&self) -> ListPlace {
        ListPlace { at: self.at, id: self.id.0 }
    }
}

macro_rules! entry {
    () => {
        "id, at, user_id, kind, actor, actor_user_id, session_id, address, user_agent, detail, times, \
         organization_id, subject_id, fields"
    };
}
pub(super) use entry;

macro_rules! select_audit {
    ($rest:literal) => {
        concat!("SELECT ", entry!(), " FROM audit ", $rest)
    };
}

/// The most entries of a statement: an action seldom has more, and each number of rows is a statement to prepare.
const ENTRIES: usize = 8;
const INSERT_ENTRIES: &str = "INSERT INTO audit (id, at, user_id, kind, actor, actor_user_id, session_id, address, \
    user_agent, detail, times, organization_id, subject_id, fields) VALUES";

const OF_API_KEYS: &str = select_audit!(
    "WHERE user_id IS NULL AND kind IN ($4, $5, $6, $7) AND (at, id) < ($1, $2) ORDER BY at DESC, id DESC LIMIT $3"
);

/// By the account: without the sign, SQLite takes the index of the kind, which has everyone's logins.
const LOGINS: &str = "SELECT at, address, fields, detail FROM audit WHERE user_id = $1 AND at >= $2 AND at <= $3 \
    AND kind || '' = $4 ORDER BY at, id LIMIT $5";

impl Conn {
    /// At most `limit` entries about a user, the latest first, after a place.
    pub async fn audit_list_of_user(&mut self, user: UserId, after: ListPlace, limit: i64) -> Result<Vec<AuditRow>> {
        fetch_all!(
            self,
            select_audit!("WHERE user_id = $1 AND (at, id) < ($2, $3) ORDER BY at DESC, id DESC LIMIT $4"),
            user,
            after.at,
            after.id,
            limit
        )
    }

    /// At most `limit` entries about API keys, the latest first, after a place.
    pub async fn audit_list_of_api_keys(&mut self, after: ListPlace, limit: i64) -> Result<Vec<AuditRow>> {
        let kinds = AuditKind::OF_API_KEYS.map(AuditKind::as_str);
        fetch_all!(self, OF_API_KEYS, after.at, after.id, limit, kinds[0], kinds[1], kinds[2], kinds[3])
    }

    /// The logins of a user from `from` to `until`, the oldest first; at most `limit`.
    pub async fn audit_logins(
        &mut self,
        user: UserId,
        (from, until): (Time, Time),
        limit: i64,
    ) -> Result<Vec<LoginRow>> {
        fetch_all!(self, LOGINS, user, from, until, AuditKind::LoggedIn.as_str(), limit)
    }
}

#[derive(Clone, Debug)]
pub struct LoginRow {
    pub at: Time,
    pub address: String,
    fields: Option<String>,
    detail: String,
}

row!(LoginRow { at, address, fields, detail });

impl LoginRow {
    pub fn had_two_factors(&self) -> bool {
        #[derive(Deserialize)]
        struct LoginFields {
            #[serde(default)]
            methods: Vec<String>,
        }
        match &self.fields {
            Some(fields) => serde_json::from_str::<LoginFields>(fields)
                .is_ok_and(|fields| AuthMethods::parse_text(&fields.methods.join(",")).has_second_factor()),
            // Of a version before 0.4.0, which has one of these words here and no fields.
            None => ["second factor", "passkey"].contains(&self.detail.as_str()),
        }
    }
}

impl Tx {
    /// Records a change: its events, its entry in the audit log and, once this is committed, its line in the log.
    pub async fn record(&mut self, change: Change<'_>) -> Result<()> {
        self.end_development(&change).await?;
        let Described { entry, events } = change.described();
        let new: Vec<Event> = events.into_iter().filter(|event| self.is_new(event)).collect();
        self.outbox_push(new).await?;
        self.record_entry(entry)
    }

    /// As [`record`](Self::record), of many changes in few round trips.
    pub async fn record_all(&mut self, changes: &[Change<'_>]) -> Result<()> {
        let mut all = Vec::new();
        for change in changes {
            self.end_development(change).await?;
            let Described { entry, events } = change.described();
            all.extend(events.into_iter().filter(|event| self.is_new(event)));
            self.record_entry(entry)?;
        }
        self.outbox_push(all).await
    }

    pub async fn record_account(&mut self, user: UserId, change: AccountChange<'_>) -> Result<()> {
        self.record(Change::Account(user, change)).await
    }

    pub async fn record_organization(&mut self, change: OrganizationChange<'_>) -> Result<()> {
        self.record(Change::Organization(change)).await
    }

    /// Here, so that no use case can forget it.
    async fn end_development(&mut self, change: &Change<'_>) -> Result<()> {
        match change {
            // By the reader of the mailbox: what the account is called is verified now.
            Change::Account(user, AccountChange::PasswordReset) => {
                self.dev_account_delete(*user).await?;
            }
            Change::Account(user, change) if change.ends_development() => self.dev_account_take(*user).await?,
            _ => {}
        }
        Ok(())
    }

    /// One event says that an account was changed, however often it was.
    fn is_new(&mut self, event: &Event) -> bool {
        match event {
            Event::UserUpdated { user_id } => self.note_updated(*user_id),
            _ => true,
        }
    }

    fn record_entry(&mut self, entry: Option<AuditDraft>) -> Result<()> {
        if let Some(draft) = entry {
            let at = self.now();
            let id = AuditId(random::uuid_v7_with_counter(at, self.next_entry())?);
            let principal = self.principal();
            self.unwritten_entries.push(AuditInsert::new(id, at, principal, draft));
        }
        Ok(())
    }

    pub(super) async fn audit_write(&mut self) -> Result<()> {
        if self.unwritten_entries.is_empty() {
            return Ok(());
        }
        let principal = self.principal();
        let mut entries = std::mem::take(&mut self.unwritten_entries);
        for entry in &mut entries {
            entry.opened(&principal);
        }
        for rows in entries.chunks(ENTRIES) {
            execute!(self, INSERT_ENTRIES, |sql| {
                with_rows(sql, rows, |mut row, entry| {
                    let actor = entry.actor();
                    row.push_bind(entry.id).push_bind(entry.at).push_bind(entry.owner).push_bind(entry.kind.as_str());
                    row.push_bind(actor.actor_name()).push_bind(actor.user_id()).push_bind(entry.session);
                    row.push_bind(actor.address()).push_bind(actor.user_agent()).push_bind(entry.detail.as_str());
                    row.push_bind(1_i64).push_bind(entry.organization).push_bind(entry.subject);
                    row.push_bind(entry.fields.as_deref());
                })
            })?;
        }
        self.audited.extend(entries.iter().map(|entry| (entry.kind, 1)));
        self.unwritten_entries = entries;
        Ok(())
    }

    /// Removes at most `limit` entries from before `before`; returns how many.
    pub async fn audit_delete_old(&mut self, before: Time, limit: i64) -> Result<u64> {
        let sql = "DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE at < $1 ORDER BY at, id LIMIT $2)";
        execute!(self, sql, before, limit)
    }
}

#[cfg(test)]
#[path = "audit_tests.rs"]
mod tests;
