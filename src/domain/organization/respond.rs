//! Responses to invitations: accept or decline.

use super::members;
use crate::context::App;
use crate::domain::change::Change;
use crate::domain::session::lifecycle::Subject;
use crate::error::Error;
use crate::mail;
use crate::model::change::{NewMember, OrganizationChange};
use crate::model::event::InvitationData;
use crate::model::ids::{InvitationId, UserId};
use crate::model::mail_domain;
use crate::model::organization::InvitationState;
use crate::model::principal::{Operation, Principal};
use crate::model::time::Time;
use crate::model::verification::TokenPurpose;
use crate::settings::OrgMode;
use crate::store::{Conn, InvitationRow, OrganizationRow, StoreError, Tx, UserRow};

/// Longer than any token that is issued.
const MAX_TOKEN_LEN: usize = 64;

pub struct InvitationDetails {
    pub invitation: InvitationRow,
    pub organization: OrganizationRow,
    /// Who invites; `None` for an operator and for an account that was deleted.
    pub inviter: Option<UserRow>,
}

/// Why the response to an invitation failed.
#[derive(Debug, thiserror::Error)]
pub enum InvitationResponseError {
    /// There is no such invitation, or its link was replaced by a newer one.
    #[error("there is no such invitation")]
    Unknown,
    /// It was answered or revoked, by the given user if logged in, or has expired.
    #[error("the invitation is no longer pending")]
    NotPending(InvitationState, Option<UserId>),
    /// It is for an address other than the account's.
    #[error("the invitation is for another account")]
    WrongAccount,
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for InvitationResponseError {
    fn from(error: StoreError) -> Self {
        InvitationResponseError::Failed(error.into())
    }
}

/// Returns the invitation of a link, in any state. Changes nothing: mail scanners follow links.
pub async fn find_by_token(
    app: &App,
    principal: &Principal,
    token: &str,
) -> Result<InvitationDetails, InvitationResponseError> {
    let mut conn = app.store.read(principal, Operation::PresentSecret).await?;
    let invitation = look_up(app, &mut conn, token).await?;
    let organization =
        conn.organization_find(invitation.organization_id).await?.ok_or(InvitationResponseError::Unknown)?;
    let inviter = match invitation.invited_by_user_id {
        Some(user) => conn.user_find(user).await?,
        None => None,
    };
    Ok(InvitationDetails { invitation, organization, inviter })
}

/// Whether the invited address has an account; `None` where that is not told. Only the mailed link tells, which the owner
/// of the address alone has. The other link was shown to the inviter, who could ask for any address that way: nothing is
/// looked up for it.
pub async fn has_account(
    app: &App,
    principal: &Principal,
    invitation: &InvitationRow,
) -> Result<Option<bool>, StoreError> {
    if !invitation.by_mailed_link {
        return Ok(None);
    }
    let mut conn = app.store.read(principal, Operation::PresentSecret).await?;
    Ok(Some(conn.user_find_by_email(&invitation.email_key).await?.is_some()))
}

async fn look_up(app: &App, conn: &mut Conn, token: &str) -> Result<InvitationRow, InvitationResponseError> {
    if token.len() > MAX_TOKEN_LEN || app.settings.accounts.org_mode == OrgMode::Personal {
        return Err(InvitationResponseError::Unknown);
    }
    for hash in app.secret_keys.token_hashes(TokenPurpose::Invitation, token) {
        if let Some(found) = conn.invitation_find_by_hash(&hash).await? {
            return Ok(found);
        }
    }
    Err(InvitationResponseError::Unknown)
}

/// Returns the invitation if it is pending.
pub(in crate::domain) fn check_pending(
    row: InvitationRow,
    now: Time,
) -> Result<InvitationRow, InvitationResponseError> {
    match row.state_at(now) {
        InvitationState::Pending => Ok(row),
        other => Err(InvitationResponseError::NotPending(other, row.finished_by_user_id)),
    }
}

/// Locks the organization of a link's invitation, and returns the invitation if it is pending.
pub(in crate::domain) async fn lock_pending(
    app: &App,
    tx: &mut Tx,
    token: &str,
) -> Result<InvitationRow, InvitationResponseError> {
    let found = look_up(app, tx, token).await?;
    tx.organization_lock(found.organization_id).await?.ok_or(InvitationResponseError::Unknown)?;
    // Read again: it may have been answered or replaced while this waited for the lock.
    check_pending(look_up(app, tx, token).await?, app.clock.now())
}

/// For a signup that goes on without its invitation: `None` if that is no longer pending.
pub(in crate::domain) fn unless_over(
    locked: Result<InvitationRow, InvitationResponseError>,
) -> Result<Option<InvitationRow>, Error> {
    match locked {
        Ok(invitation) => Ok(Some(invitation)),
        Err(InvitationResponseError::Failed(error)) => Err(error),
        Err(_) => Ok(None),
    }
}

/// As [`lock_pending`], for a signup that kept the id of the invitation until its address was verified.
pub(in crate::domain) async fn lock_pending_by_id(
    app: &App,
    tx: &mut Tx,
    id: InvitationId,
) -> Result<InvitationRow, InvitationResponseError> {
    if app.settings.accounts.org_mode == OrgMode::Personal {
        return Err(InvitationResponseError::Unknown);
    }
    let found = tx.invitation_find(id).await?.ok_or(InvitationResponseError::Unknown)?;
    tx.organization_lock(found.organization_id).await?.ok_or(InvitationResponseError::Unknown)?;
    check_pending(tx.invitation_find(id).await?.ok_or(InvitationResponseError::Unknown)?, app.clock.now())
}

/// Accepts an invitation for the principal, and switches their session to the organization; made is the subject of the next
/// access token.
pub struct Accept<'a> {
    pub token: &'a str,
}

impl Change<InvitationResponseError> for Accept<'_> {
    const OPERATION: Operation = Operation::AcceptInvitation;
    type Made = Option<Subject>;

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<Option<Subject>, InvitationResponseError> {
        let invitation = lock_pending(app, tx, self.token).await?;
        let user = tx.user_lock_own().await?.ok_or(InvitationResponseError::Unknown)?;
        require_invited(&invitation, &user)?;
        join(app, tx, &invitation, user.id).await?;
        let Some(session) = tx.principal().actor().session() else { return Ok(None) };
        tx.session_set_organization(session, invitation.organization_id).await?;
        let row = tx.session_find(session).await?.filter(|row| row.ended_at.is_none());
        Ok(row.as_ref().and_then(Subject::of))
    }
}

fn require_invited(invitation: &InvitationRow, user: &UserRow) -> Result<(), InvitationResponseError> {
    if invitation.email_key == mail_domain::key(&user.email) {
        Ok(())
    } else {
        Err(InvitationResponseError::WrongAccount)
    }
}

/// Adds the invitee as a member and marks the invitation as accepted, with their events. An existing member keeps their
/// role.
pub(in crate::domain) async fn join(
    app: &App,
    tx: &mut Tx,
    invitation: &InvitationRow,
    user: UserId,
) -> Result<(), Error> {
    let now = app.clock.now();
    let data = InvitationData::from(invitation);
    let org = invitation.organization_id;
    if tx.member_role(org, user).await?.is_none()
        && let Some(organization) = tx.organization_find(org).await?
    {
        let member = NewMember {
            user_id: user,
            role: invitation.role,
            is_initial_membership: false,
            invitation_id: Some(invitation.id),
            metadata: data.metadata.clone(),
        };
        members::insert(tx, &organization, member).await?;
    }
    tx.invitation_finish(invitation.id, InvitationState::Accepted, Some(user), now).await?;
    mail::withdraw_invitation(tx, invitation.id).await?;
    let (accepted_by_user_id, accepted_at) = (user, now);
    tx.record_organization(OrganizationChange::InvitationAccepted {
        invitation: data,
        accepted_by_user_id,
        accepted_at,
    })
    .await?;
    Ok(())
}

/// Declines an invitation. The holder of the link may do so without an account; a logged-in account must be the
/// invitee's.
pub struct Decline<'a> {
    pub token: &'a str,
}

impl Change<InvitationResponseError> for Decline<'_> {
    const OPERATION: Operation = Operation::DeclineInvitation;
    type Made = ();

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<(), InvitationResponseError> {
        let (now, user) = (app.clock.now(), tx.principal().user_id());
        let invitation = lock_pending(app, tx, self.token).await?;
        if let Some(user) = user {
            let user = tx.user_lock(user).await?.ok_or(InvitationResponseError::Unknown)?;
            require_invited(&invitation, &user)?;
        }
        tx.invitation_finish(invitation.id, InvitationState::Declined, user, now).await?;
        mail::withdraw_invitation(tx, invitation.id).await?;
        let data = InvitationData::from(&invitation);
        let (revoked_by_user_id, revoked_at) = (user, now);
        tx.record_organization(OrganizationChange::InvitationEnded {
            invitation: data,
            revoked_by_user_id,
            revoked_at,
        })
        .await?;
        Ok(())
    }
}
