//! What the invited do: accept or decline.

use super::refusal::OrganizationError;
use crate::context::App;
use crate::domain::account::identity::fold;
use crate::domain::session::lifecycle::Subject;
use crate::error::Error;
use crate::mail;
use crate::model::event::{Event, InvitationData};
use crate::model::ids::{InvitationId, SessionId, UserId};
use crate::model::organization::InvitationState;
use crate::model::time::Time;
use crate::model::verification::TokenPurpose;
use crate::settings::OrgMode;
use crate::store::{Conn, InvitationRow, OrganizationRow, StoreError, Tx, UserRow};

/// No token of ours is longer.
const TOKEN_MAX: usize = 64;

/// An invitation as the invited sees it.
pub struct Answer {
    /// The invitation.
    pub invitation: InvitationRow,
    /// Where to.
    pub organization: OrganizationRow,
}

/// Why an invitation was not answered.
#[derive(Debug, thiserror::Error)]
pub enum AnswerError {
    /// There is no such invitation, or its link was replaced by a newer one.
    #[error("there is no such invitation")]
    Unknown,
    /// It was answered or taken back, perhaps by somebody who was logged in, or has expired.
    #[error("the invitation is no longer pending")]
    Over(InvitationState, Option<UserId>),
    /// It is for another address than that of the account.
    #[error("the invitation is for somebody else")]
    WrongAccount,
    /// A fault of ours.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for AnswerError {
    fn from(error: StoreError) -> Self {
        AnswerError::Failed(error.into())
    }
}

impl From<OrganizationError> for AnswerError {
    fn from(error: OrganizationError) -> Self {
        match error {
            OrganizationError::Failed(error) => AnswerError::Failed(error),
            _ => AnswerError::Unknown,
        }
    }
}

/// The invitation of a link, whatever has become of it. Looking changes nothing: mail scanners follow links.
pub async fn find_by_token(app: &App, token: &str) -> Result<Answer, AnswerError> {
    let mut conn = app.store.read().await?;
    let invitation = look_up(app, &mut conn, token).await?;
    let organization = conn.organization_find(invitation.organization_id).await?.ok_or(AnswerError::Unknown)?;
    Ok(Answer { invitation, organization })
}

async fn look_up(app: &App, conn: &mut Conn, token: &str) -> Result<InvitationRow, AnswerError> {
    if token.len() > TOKEN_MAX || app.settings.accounts.org_mode == OrgMode::Personal {
        return Err(AnswerError::Unknown);
    }
    for hash in app.secret_keys.token_hashes(TokenPurpose::Invitation, token) {
        if let Some(found) = conn.invitation_find_by_hash(&hash).await? {
            return Ok(found);
        }
    }
    Err(AnswerError::Unknown)
}

/// The invitation of a link, if it can be answered now.
pub(in crate::domain) fn check_open(row: InvitationRow, now: Time) -> Result<InvitationRow, AnswerError> {
    match row.state_at(now) {
        InvitationState::Pending => Ok(row),
        other => Err(AnswerError::Over(other, row.finished_by_user_id)),
    }
}

/// Locks the organization of a link's invitation, and gives the invitation if it can be answered now.
pub(in crate::domain) async fn lock_open(app: &App, tx: &mut Tx, token: &str) -> Result<InvitationRow, AnswerError> {
    let found = look_up(app, tx, token).await?;
    tx.organization_lock(found.organization_id).await?.ok_or(AnswerError::Unknown)?;
    // Once more, as it may have been answered or replaced while this waited.
    check_open(look_up(app, tx, token).await?, app.clock.now())
}

/// The same, where a sign-up kept the invitation until its address was proved.
pub(in crate::domain) async fn lock_open_by_id(
    app: &App,
    tx: &mut Tx,
    id: InvitationId,
) -> Result<InvitationRow, AnswerError> {
    if app.settings.accounts.org_mode == OrgMode::Personal {
        return Err(AnswerError::Unknown);
    }
    let found = tx.invitation_find(id).await?.ok_or(AnswerError::Unknown)?;
    tx.organization_lock(found.organization_id).await?.ok_or(AnswerError::Unknown)?;
    check_open(tx.invitation_find(id).await?.ok_or(AnswerError::Unknown)?, app.clock.now())
}

/// Accepts an invitation for a user, whose session then is in the organization; gives what its access token says.
pub async fn accept(app: &App, token: &str, user: UserId, session: SessionId) -> Result<Option<Subject>, AnswerError> {
    let mut tx = app.store.begin().await?;
    let invitation = lock_open(app, &mut tx, token).await?;
    let user = tx.user_lock(user).await?.ok_or(AnswerError::Unknown)?;
    must_be_invited(&invitation, &user)?;
    join(app, &mut tx, &invitation, user.id).await?;
    tx.session_set_organization(session, invitation.organization_id).await?;
    let row = tx.session_find(session).await?.filter(|row| row.ended_at.is_none());
    tx.commit().await?;
    Ok(row.as_ref().map(Subject::from))
}

fn must_be_invited(invitation: &InvitationRow, user: &UserRow) -> Result<(), AnswerError> {
    if invitation.email_key == fold(&user.email) { Ok(()) } else { Err(AnswerError::WrongAccount) }
}

/// Makes the invited a member and the invitation accepted, with their events; who is a member already stays what they
/// are.
pub(in crate::domain) async fn join(
    app: &App,
    tx: &mut Tx,
    invitation: &InvitationRow,
    user: UserId,
) -> Result<(), Error> {
    let now = app.clock.now();
    let data = InvitationData::from(invitation);
    let org = invitation.organization_id;
    if tx.member_role(org, user).await?.is_none() {
        tx.membership_create(org, user, invitation.role).await?;
        tx.outbox_push(&Event::MembershipCreated {
            organization_id: org,
            user_id: user,
            role: invitation.role,
            is_initial_membership: false,
            invitation_id: Some(invitation.id),
            metadata: data.metadata.clone(),
        })
        .await?;
    }
    tx.invitation_finish(invitation.id, InvitationState::Accepted, Some(user), now).await?;
    mail::withdraw_invitation(tx, invitation.id).await?;
    tx.outbox_push(&Event::InvitationAccepted { invitation: data, accepted_by_user_id: user, accepted_at: now })
        .await?;
    Ok(())
}

/// Declines an invitation. Whoever has the link may, without an account too; an account must be the invited one's.
pub async fn decline(app: &App, token: &str, user: Option<UserId>) -> Result<(), AnswerError> {
    let now = app.clock.now();
    let mut tx = app.store.begin().await?;
    let invitation = lock_open(app, &mut tx, token).await?;
    if let Some(user) = user {
        let user = tx.user_lock(user).await?.ok_or(AnswerError::Unknown)?;
        must_be_invited(&invitation, &user)?;
    }
    tx.invitation_finish(invitation.id, InvitationState::Declined, user, now).await?;
    mail::withdraw_invitation(&mut tx, invitation.id).await?;
    let data = InvitationData::from(&invitation);
    tx.outbox_push(&Event::InvitationRevoked { invitation: data, revoked_by_user_id: user, revoked_at: now }).await?;
    tx.commit().await?;
    Ok(())
}
