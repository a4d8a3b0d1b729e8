//! Invitations taken back with something else: with the organization, or with the role of whoever made them.

use crate::context::App;
use crate::error::Error;
use crate::mail;
use crate::model::event::Event;
use crate::model::ids::{OrganizationId, UserId};
use crate::model::organization::{InvitationState, MemberRole};
use crate::store::{InvitationRow, Tx};

/// More invitations than this are never pending.
const INVITATIONS: i64 = 1000;

/// Revokes every invitation of an organization that can still be accepted, with its events.
pub(in crate::domain) async fn revoke_pending(
    app: &App,
    tx: &mut Tx,
    org: OrganizationId,
    by: Option<UserId>,
) -> Result<(), Error> {
    let pending = tx.invitations_pending(org, INVITATIONS).await?;
    revoke_each(app, tx, &pending, by).await
}

/// Revokes what a member invited beyond the role that is left to them, with its events: everything where the membership
/// ends. Else who loses a role could keep it through somebody who accepts later.
///
/// Invitations of operators are nobody's, and stay.
pub(in crate::domain) async fn revoke_beyond(
    app: &App,
    tx: &mut Tx,
    (org, inviter): (OrganizationId, UserId),
    left: Option<MemberRole>,
    by: Option<UserId>,
) -> Result<(), Error> {
    let mut pending = tx.invitations_pending_by(org, inviter).await?;
    pending.retain(|invitation| left.is_none_or(|left| invitation.role > left));
    revoke_each(app, tx, &pending, by).await
}

async fn revoke_each(app: &App, tx: &mut Tx, pending: &[InvitationRow], by: Option<UserId>) -> Result<(), Error> {
    let now = app.clock.now();
    let mut events = Vec::new();
    for invitation in pending {
        if invitation.state_at(now) == InvitationState::Pending
            && tx.invitation_finish(invitation.id, InvitationState::Revoked, by, now).await?
        {
            mail::withdraw_invitation(tx, invitation.id).await?;
            let invitation = invitation.into();
            events.push(Event::InvitationRevoked { invitation, revoked_by_user_id: by, revoked_at: now });
        }
    }
    Ok(tx.outbox_push_all(&events).await?)
}
