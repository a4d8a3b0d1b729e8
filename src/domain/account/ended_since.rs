//! What ended of an account between a backup and its deletion, as the audit log says, which outlives the account. Where
//! the log does not tell which one of several ended, all of them count as ended.

use crate::model::audit::AuditKind;
use crate::model::ids::{AuditId, UserId};
use crate::model::list_place::ListPlace;
use crate::model::time::Time;
use crate::store::{AuditRow, Conn, IdentityRow, PasskeyRow, StoreError};
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::time::Duration;

const PAGE: i64 = 500;
/// The undo of a change of address ends what was added up to 72 hours before the change, and the change may be as old.
const REACH_OF_UNDO: Duration = Duration::from_hours(2 * 72);

/// The entries about an account that are newer than a backup.
pub(super) struct EndedSince {
    entries: Vec<AuditRow>,
    /// Whether the address was verified, which ended every way in before it.
    is_claimed: bool,
}

/// The entries about an account, the latest first.
pub(super) async fn entries(conn: &mut Conn, user: UserId) -> Result<Vec<AuditRow>, StoreError> {
    let (mut entries, mut after) = (Vec::new(), ListPlace::START);
    loop {
        let page = conn.audit_list_of_user(user, after, PAGE).await?;
        let Some(last) = page.last().map(AuditRow::place) else { return Ok(entries) };
        entries.extend(page);
        after = last;
    }
}

impl EndedSince {
    /// `known` are the entries of the backup, in which the address of the account was verified or not.
    pub(super) fn new(now: Vec<AuditRow>, known: &HashSet<AuditId>, was_verified: bool) -> Self {
        let entries = now.into_iter().filter(|entry| !known.contains(&entry.id)).collect();
        let since = Self { entries, is_claimed: false };
        Self { is_claimed: !was_verified && since.has(&[AuditKind::EmailVerified]), ..since }
    }

    fn has(&self, kinds: &[AuditKind]) -> bool {
        kinds.iter().any(|kind| self.of(*kind).next().is_some())
    }

    fn of(&self, kind: AuditKind) -> impl Iterator<Item = &AuditRow> {
        self.entries.iter().filter(move |entry| entry.kind() == Some(kind))
    }

    /// Whether the undo of a change of address may have ended what was added at this time.
    fn is_undone(&self, added_at: Time) -> bool {
        self.of(AuditKind::EmailChangeUndone).any(|undo| undo.at - REACH_OF_UNDO <= added_at)
    }

    pub(super) fn password(&self) -> bool {
        let ends = [AuditKind::PasswordChanged, AuditKind::PasswordReset, AuditKind::EmailChangeUndone];
        self.is_claimed || self.has(&ends)
    }

    pub(super) fn app(&self, added_at: Time) -> bool {
        self.is_claimed || self.is_undone(added_at) || self.has(&[AuditKind::TotpDisabled, AuditKind::TotpEnabled])
    }

    pub(super) fn recovery_codes(&self, added_at: Time) -> bool {
        self.app(added_at) || self.has(&[AuditKind::RecoveryCodesCreated, AuditKind::RecoveryCodeUsed])
    }

    pub(super) fn passkey(&self, passkey: &PasskeyRow) -> bool {
        let is_renamed = self.has(&[AuditKind::PasskeyRenamed]);
        let mut removed = self.of(AuditKind::PasskeyRemoved).map(|entry| entry.detail.as_str());
        self.is_claimed
            || self.is_undone(passkey.created_at)
            // Without a name, all of them.
            || removed.any(|name| name.is_empty() || is_renamed || name == passkey.name)
    }

    pub(super) fn identity(&self, identity: &IdentityRow) -> bool {
        let mut removed = self.of(AuditKind::IdentityRemoved);
        self.is_claimed
            || self.is_undone(identity.created_at)
            || removed.any(|entry| match field(entry, "issuer") {
                Some(issuer) => issuer == identity.issuer,
                None => entry.detail == identity.provider.as_str(),
            })
    }

    pub(super) fn email_changed(&self) -> bool {
        self.has(&[AuditKind::EmailChanged, AuditKind::EmailChangeUndone, AuditKind::EmailReleased])
    }

    /// When the account was disabled, if it was not enabled again.
    pub(super) fn disabled_at(&self) -> Option<Time> {
        let kinds = [AuditKind::AccountDisabled, AuditKind::AccountEnabled];
        let last = self.entries.iter().find(|entry| entry.kind().is_some_and(|kind| kinds.contains(&kind)))?;
        (last.kind() == Some(AuditKind::AccountDisabled)).then_some(last.at)
    }
}

/// A member of an entry's fields, which entries of versions before 0.4.0 do not have.
fn field(entry: &AuditRow, name: &str) -> Option<String> {
    let fields: Map<String, Value> = serde_json::from_str(entry.fields.as_deref()?).ok()?;
    fields.get(name)?.as_str().map(str::to_owned)
}
