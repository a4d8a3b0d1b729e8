//! Entries of the audit log about organizations.
//!
//! What a member does stands in that member's own log, and what an operator or a backend does to a member in the log of
//! that one: nobody reads where another person was.

use super::rules::Principal;
use crate::model::audit::{Actor, AuditEntry, AuditKind};
use crate::model::ids::UserId;
use crate::store::{InvitationRow, OrganizationRow, StoreError, Tx};

/// Records a change of an organization, of this member if it is of one.
pub(super) async fn record(
    tx: &mut Tx,
    principal: Principal<'_>,
    kind: AuditKind,
    organization: &OrganizationRow,
    member: Option<UserId>,
    more: &str,
) -> Result<(), StoreError> {
    let user = principal.user().or(member);
    let mut detail = format!("{} ({})", organization.name, organization.id);
    if let Some(member) = member.filter(|member| Some(*member) != user) {
        detail = format!("{detail}, {member}");
    }
    if !more.is_empty() {
        detail = format!("{detail}, {more}");
    }
    tx.audit_push(&AuditEntry { kind, user, actor: principal.actor(), detail: &detail }).await
}

/// Records a change of an invitation.
pub(super) async fn record_invitation(
    tx: &mut Tx,
    principal: Principal<'_>,
    kind: AuditKind,
    organization: &OrganizationRow,
    invitation: &InvitationRow,
) -> Result<(), StoreError> {
    let more = format!("{}, {}", invitation.role.as_str(), invitation.id);
    record(tx, principal, kind, organization, None, &more).await
}

/// Records that the actor has become a member by an invitation.
pub(in crate::domain) async fn record_joined(
    tx: &mut Tx,
    actor: &Actor,
    invitation: &InvitationRow,
) -> Result<(), StoreError> {
    let Some(organization) = tx.organization_find(invitation.organization_id).await? else { return Ok(()) };
    let (by, member) = (Principal::User(actor), actor.user_id());
    record(tx, by, AuditKind::MemberAdded, &organization, member, invitation.role.as_str()).await
}
