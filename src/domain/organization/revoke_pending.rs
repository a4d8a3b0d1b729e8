//! Revocation of pending invitations with their organization, or with the role of their inviter.

use crate::context::App;
use crate::error::Error;
use crate::mail;
use crate::model::change::{Change, OrganizationChange};
use crate::model::ids::{InvitationId, OrganizationId, UserId};
use crate::model::list_place::ListPlace;
use crate::model::organization::{InvitationState, MemberRole};
use crate::model::time::Time;
use crate::store::{InvitationRow, Tx};

const MAX_INVITATIONS: i64 = 1000;

/// Revokes every pending invitation of an organization, with its events.
pub(in crate::domain) async fn revoke_pending(
    app: &App,
    tx: &mut Tx,
    org: OrganizationId,
    actor: Option<UserId>,
) -> Result<(), Error> {
    let ListPlace { at, id } = ListPlace::START;
    let (now, mut after) = (app.clock.now(), (at, InvitationId(id)));
    loop {
        let open = tx.invitations_list(org, true, after, MAX_INVITATIONS).await?;
        let Some(last) = open.last() else { return Ok(()) };
        after = (last.created_at, last.id);
        revoke_each(tx, &open, actor, now).await?;
    }
}

/// Revokes every invitation that can still be accepted, of any organization; returns how many.
pub(in crate::domain) async fn revoke_all(tx: &mut Tx, now: Time) -> Result<u64, Error> {
    let mut revoked = 0;
    loop {
        let pending = tx.invitations_open(MAX_INVITATIONS).await?;
        if pending.is_empty() {
            return Ok(revoked);
        }
        revoked += u64::try_from(pending.len()).unwrap_or_default();
        revoke_each(tx, &pending, None, now).await?;
    }
}

/// Revokes the invitations of a member above the role that they now have, with their events; all of them if the
/// membership ends. Otherwise a demoted member could regain the role through an invitee who accepts later.
///
/// Invitations of operators have no inviter, and stay.
pub(in crate::domain) async fn revoke_above_role(
    app: &App,
    tx: &mut Tx,
    org: OrganizationId,
    inviter: UserId,
    new_role: Option<MemberRole>,
    actor: Option<UserId>,
) -> Result<(), Error> {
    let mut pending = tx.invitations_pending_by(org, inviter).await?;
    pending.retain(|invitation| new_role.is_none_or(|role| invitation.role > role));
    revoke_each(tx, &pending, actor, app.clock.now()).await
}

async fn revoke_each(tx: &mut Tx, pending: &[InvitationRow], actor: Option<UserId>, now: Time) -> Result<(), Error> {
    let mut changes = Vec::new();
    for invitation in pending {
        if invitation.state_at(now) == InvitationState::Pending
            && tx.invitation_finish(invitation.id, InvitationState::Revoked, actor, now).await?
        {
            mail::withdraw_invitation(tx, invitation.id).await?;
            let invitation = invitation.into();
            let (revoked_by_user_id, revoked_at) = (actor, now);
            let ended = OrganizationChange::InvitationEnded { invitation, revoked_by_user_id, revoked_at };
            changes.push(Change::Organization(ended));
        }
    }
    Ok(tx.record_all(&changes).await?)
}
