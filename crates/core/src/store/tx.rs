//! A transaction on either engine.

use super::audit_insert::AuditInsert;
use super::conn::{Conn, Inner};
use super::error::{Result, StoreError};
use super::outbox::channel::Channel;
use super::shared::Shared;
use crate::model::audit::AuditKind;
use crate::model::event::{Event, EventKind};
use crate::model::ids::UserId;
use crate::model::organization::MemberRole;
use crate::model::principal::{AccountTarget, Denied, Operation, OwedChecks, Permit, Principal, Reach};
use crate::model::roles::Roles;
use crate::model::time::Time;
use std::collections::HashSet;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A transaction: its writes are visible and durable once [`Tx::commit`] has returned, and not at all before.
///
/// Dropped without a commit, it is rolled back.
pub struct Tx {
    conn: Conn,
    /// The number of entries of the audit log it has recorded.
    entries: u32,
    /// Events that are written to the outbox together, at the latest at the commit.
    pub(super) unwritten: Vec<OutboxEvent>,
    /// The time of the last event that was written.
    pub(super) last_event_at: Option<Time>,
    /// The channels whose workers are woken after the commit.
    wakes: Vec<Channel>,
    /// Who changes what, and how far they may go. `None` in the store's own transactions.
    permitted: Option<(Principal, Permit)>,
    /// What the permit was not compared with yet.
    owed: OwedChecks,
    /// Entries of the audit log that are written together, at the commit.
    pub(super) unwritten_entries: Vec<AuditInsert>,
    /// Accounts of which it has recorded the event that they were changed: one for all changes.
    updated_users: HashSet<UserId>,
    /// What it has written to the audit log, and how often it happened.
    pub(super) audited: Vec<(AuditKind, i64)>,
    /// Set if it changes a session or a user.
    invalidation: Option<SessionInvalidation>,
}

/// An event that its transaction has not written yet.
pub(super) struct OutboxEvent {
    pub(super) event: Event,
    /// As the header of its webhook has it.
    pub(super) traceparent: Option<String>,
}

/// Invalidates the session cache when it is dropped. A transaction holds it to its end, however it ends: from then on
/// no session is served from memory before the change feed was polled.
struct SessionInvalidation(Arc<Shared>);

impl Drop for SessionInvalidation {
    fn drop(&mut self) {
        self.0.sessions.invalidate();
    }
}

impl Tx {
    pub(super) fn new(conn: Conn) -> Self {
        Self {
            conn,
            entries: 0,
            unwritten: Vec::new(),
            last_event_at: None,
            wakes: Vec::new(),
            permitted: None,
            owed: OwedChecks::default(),
            unwritten_entries: Vec::new(),
            updated_users: HashSet::new(),
            audited: Vec::new(),
            invalidation: None,
        }
    }

    pub(super) fn permitted(self, principal: &Principal, permit: Permit) -> Self {
        Self { owed: permit.owed_checks(), permitted: Some((principal.clone(), permit)), ..self }
    }

    fn permit(&self) -> Option<Permit> {
        self.permitted.as_ref().map(|(_, permit)| *permit)
    }

    /// The principal that acts; the process if the transaction was begun without one.
    pub fn principal(&self) -> Principal {
        self.permitted.as_ref().map_or_else(|| Principal::process(&[]), |(principal, _)| principal.clone())
    }

    /// Goes on as another principal with another operation: a stranger has shown whom they are. Fails while a check of the
    /// permit so far is owed.
    pub fn continue_as(&mut self, principal: &Principal, operation: Operation) -> Result<()> {
        self.require_checked()?;
        let permit = principal.require(operation)?;
        self.owed = permit.owed_checks();
        self.permitted = Some((principal.clone(), permit));
        Ok(())
    }

    /// Requires that the permit covers this account, as it was read under its lock.
    pub fn require_account(&mut self, target: AccountTarget) -> Result<()> {
        if let Some(permit) = self.permit() {
            permit.covers(target)?;
        }
        self.owed.account = false;
        Ok(())
    }

    /// Requires a permit for one's own account, whose platform roles do not matter, or for every account.
    pub fn require_own(&mut self, user: UserId) -> Result<()> {
        match self.permit().map(|permit| permit.reach()) {
            Some(Reach::Ordinary | Reach::Member(_)) => Err(Denied::OtherAccount.into()),
            Some(Reach::Any | Reach::Others(_) | Reach::Own(_)) | None => {
                self.require_account(AccountTarget::new(user, Roles::NONE))
            }
        }
    }

    /// Requires that a person acts, whose permit covers their own account.
    pub fn require_user(&mut self) -> Result<UserId> {
        let user = self.principal().user_id().ok_or(Denied::OtherAccount)?;
        self.require_own(user)?;
        Ok(user)
    }

    /// The role with which the principal acts in an organization, in which they have `role`.
    pub fn require_role(&mut self, role: Option<MemberRole>) -> Result<MemberRole> {
        let granted = match self.permit() {
            Some(permit) => permit.role_in(role)?,
            None => MemberRole::Owner,
        };
        self.owed.role = false;
        Ok(granted)
    }

    /// Whether the permit depends on the role in an organization.
    pub fn acts_as_member(&self) -> bool {
        self.permit().is_some_and(|permit| matches!(permit.reach(), Reach::Member(_)))
    }

    fn require_checked(&self) -> Result<()> {
        match self.permit() {
            Some(permit) if self.owed != OwedChecks::default() => Err(StoreError::Unchecked(permit.operation())),
            _ => Ok(()),
        }
    }

    /// Notes that an account was changed; `false` if that was noted before.
    pub(super) fn note_updated(&mut self, user: UserId) -> bool {
        self.updated_users.insert(user)
    }

    pub(super) fn stores(&self, kind: EventKind) -> bool {
        self.conn.shared.events().contains(kind)
    }

    /// Wakes the workers of a channel after the commit.
    pub(super) fn wake_outbox_on_commit(&mut self, channel: Channel) {
        if !self.wakes.contains(&channel) {
            self.wakes.push(channel);
        }
    }

    /// Must be called by every function that changes what [`SessionStore::get`](super::SessionStore::get) reads, so
    /// that this process sees the change from the next request on.
    pub(super) fn invalidates_sessions(&mut self) {
        let shared = &self.conn.shared;
        self.invalidation.get_or_insert_with(|| SessionInvalidation(shared.clone()));
    }

    /// The number of the next entry of the audit log within this transaction.
    pub(super) fn next_entry(&mut self) -> u32 {
        self.entries += 1;
        self.entries
    }

    /// Commits what a refusal leaves behind, such as the count of a wrong code, and returns the refusal: no rollback may
    /// lift a limit.
    pub async fn commit_refusal<E>(self, refusal: E) -> Result<E> {
        self.commit().await?;
        Ok(refusal)
    }

    /// Commits, and returns when the commit is durable.
    pub async fn commit(mut self) -> Result<()> {
        self.require_checked()?;
        self.outbox_write().await?;
        self.audit_write().await?;
        let Conn { inner, shared, poisoned, .. } = self.conn;
        if poisoned {
            return Err(StoreError::Poisoned);
        }
        match inner {
            Inner::SqliteWrite(write_tx) => write_tx.commit().await?,
            Inner::PostgresTx(pooled) => pooled.commit().await?,
            Inner::PostgresAutocommit(_) | Inner::PostgresRead(_) | Inner::SqliteRead(_) => {}
        }
        shared.audited.add(&self.audited);
        self.unwritten_entries.iter().for_each(AuditInsert::log);
        for channel in self.wakes {
            shared.outbox_wakeups.wake(channel);
        }
        Ok(())
    }

    /// Rolls the transaction back, and returns when the connection is free again.
    pub async fn rollback(self) -> Result<()> {
        if let Inner::PostgresTx(pooled) = self.conn.inner {
            pooled.rollback().await?;
        }
        Ok(())
    }
}

impl Deref for Tx {
    type Target = Conn;

    fn deref(&self) -> &Conn {
        &self.conn
    }
}

impl DerefMut for Tx {
    fn deref_mut(&mut self) -> &mut Conn {
        &mut self.conn
    }
}
