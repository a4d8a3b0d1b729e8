//! Invitations: create, resend, revoke.

use super::refusal::{OrganizationError, Refusal};
use super::rules::{MembershipView, Principal, lock};
use crate::context::App;
use crate::crypto::token_hash::LinkToken;
use crate::domain::account::identity::EmailAddress;
use crate::error::Error;
use crate::mail::{self, Mail};
use crate::messages::{Locale, Message};
use crate::model::event::{Event, InvitationData};
use crate::model::ids::{InvitationId, OrganizationId};
use crate::model::metadata::Metadata;
use crate::model::organization::{InvitationState, MemberRole};
use crate::model::verification::TokenPurpose;
use crate::random;
use crate::settings::OrgMode;
use crate::store::{InvitationHashes, InvitationRow, OrganizationRow, Tx};

/// Pending invitations per organization.
const MAX_PENDING: i64 = 100;

/// An invitation to create.
pub struct NewInvitation<'a> {
    /// Email address.
    pub email: &'a str,
    /// The role on acceptance.
    pub role: MemberRole,
    /// The application's own object. Only operators may set one, because applications derive permissions from it.
    pub metadata: Metadata,
    /// The language of the email; that of the invitee is not known.
    pub locale: Locale,
}

/// A new invitation with the link for the inviter, available only now; another link is mailed to the invitee.
pub struct CreatedInvitation {
    /// The invitation.
    pub invitation: InvitationRow,
    /// The secret part of the link.
    pub token: LinkToken,
}

/// The tokens of the two links.
struct InvitationTokens {
    shown: LinkToken,
    mailed: LinkToken,
}

impl InvitationTokens {
    fn generate() -> Result<Self, Error> {
        Ok(Self { shown: LinkToken::generate()?, mailed: LinkToken::generate()? })
    }

    fn hashes(&self, app: &App) -> InvitationHashes {
        let hash = |token: &LinkToken| app.secret_keys.hash_token(TokenPurpose::Invitation, token.text());
        InvitationHashes { shown: hash(&self.shown), mailed: hash(&self.mailed) }
    }
}

impl CreatedInvitation {
    /// The link for the inviter to pass on.
    pub fn link(&self, app: &App) -> String {
        format!("{}/auth/invitations/{}", app.settings.server.base_url.as_str(), self.token.text())
    }
}

impl From<&InvitationRow> for InvitationData {
    fn from(row: &InvitationRow) -> Self {
        Self {
            invitation_id: row.id,
            organization_id: row.organization_id,
            email: row.email.clone(),
            role: row.role,
            metadata: row.metadata.clone(),
        }
    }
}

/// Invites an email address.
pub async fn invite(
    app: &App,
    principal: Principal,
    org: OrganizationId,
    new: NewInvitation<'_>,
) -> Result<CreatedInvitation, OrganizationError> {
    let email = EmailAddress::parse(new.email).map_err(OrganizationError::Field)?;
    let tokens = InvitationTokens::generate()?;
    let now = app.clock.now();
    let mut tx = app.store.begin().await?;
    let locked = lock_team(app, &mut tx, org, principal).await?;
    locked.require_rank(new.role)?;
    reject_duplicate(app, &mut tx, org, principal, &email).await?;
    require_pending_capacity(app, &mut tx, org).await?;
    let invitation = InvitationRow {
        id: InvitationId(random::uuid_v7(now)?),
        organization_id: org,
        email: email.as_str().to_owned(),
        email_key: email.key(),
        role: new.role,
        metadata: new.metadata,
        proves_address: verifies_address(principal),
        invited_by_user_id: principal.user(),
        state: InvitationState::Pending,
        created_at: now,
        expires_at: now + app.settings.accounts.invitation_ttl,
        finished_at: None,
        finished_by_user_id: None,
    };
    tx.invitation_create(&invitation, &tokens.hashes(app)).await?;
    tx.outbox_push(&Event::InvitationCreated {
        invitation: (&invitation).into(),
        invited_by_user_id: invitation.invited_by_user_id,
        expires_at: invitation.expires_at,
    })
    .await?;
    send(app, &mut tx, &locked.organization, &invitation, principal, new.locale, &tokens.mailed).await?;
    tx.commit().await?;
    Ok(CreatedInvitation { invitation, token: tokens.shown })
}

/// Emails the invitation.
async fn send(
    app: &App,
    tx: &mut Tx,
    organization: &OrganizationRow,
    invitation: &InvitationRow,
    principal: Principal,
    locale: Locale,
    token: &LinkToken,
) -> Result<(), Error> {
    let inviter = match principal.user() {
        Some(user) => tx.user_find(user).await?.map(|user| user.username),
        None => None,
    };
    let mail = Mail::Invitation {
        invitation: invitation.id,
        organization: &organization.name,
        inviter: inviter.as_deref(),
        role: invitation.role,
        token,
        expires_at: invitation.expires_at,
    };
    mail::queue_in(app, tx, &invitation.email, locale, mail).await?;
    Ok(())
}

/// Whether the links of an invitation verify its address. The inviter sees a link on the page and could sign up with
/// any address by it, so it verifies nothing. An operator may declare any address verified anyway.
fn verifies_address(principal: Principal) -> bool {
    principal == Principal::Operator
}

async fn lock_team(
    app: &App,
    tx: &mut Tx,
    org: OrganizationId,
    principal: Principal,
) -> Result<MembershipView, OrganizationError> {
    if app.settings.accounts.org_mode == OrgMode::Personal {
        return Err(Refusal::NoInvitations.into());
    }
    let locked = lock(tx, org, principal, MemberRole::Admin).await?;
    locked.require_team()?;
    Ok(locked)
}

async fn reject_duplicate(
    app: &App,
    tx: &mut Tx,
    org: OrganizationId,
    principal: Principal,
    email: &EmailAddress,
) -> Result<(), OrganizationError> {
    let refuse = |why: Message| Err(OrganizationError::Field(why));
    if let Some(user) = tx.user_find_by_email(&email.key()).await? {
        if principal.user() == Some(user.id) {
            return refuse(Message::new("invite-own-address"));
        }
        if tx.member_role(org, user.id).await?.is_some() {
            return refuse(Message::new("invite-member-already"));
        }
    }
    if let Some(earlier) = tx.invitation_find_pending(org, &email.key()).await? {
        let now = app.clock.now();
        if earlier.state_at(now) == InvitationState::Pending {
            return refuse(Message::new("invite-invited-already"));
        }
        tx.invitation_finish(earlier.id, InvitationState::Expired, None, earlier.expires_at).await?;
    }
    Ok(())
}

async fn require_pending_capacity(app: &App, tx: &mut Tx, org: OrganizationId) -> Result<(), OrganizationError> {
    if tx.invitations_count_pending(org, app.clock.now()).await? >= MAX_PENDING {
        return Err(Refusal::TooManyPending.into());
    }
    Ok(())
}

/// Finds an invitation of this organization that is pending, or expired without an answer.
async fn find_pending(tx: &mut Tx, org: OrganizationId, id: InvitationId) -> Result<InvitationRow, OrganizationError> {
    let found = tx.invitation_find(id).await?.filter(|row| row.organization_id == org);
    let row = found.ok_or(OrganizationError::NotFound("invitation"))?;
    if row.state == InvitationState::Pending { Ok(row) } else { Err(Refusal::NotPending.into()) }
}

/// Replaces the links of a pending or expired invitation by new ones with a new lifetime, and emails one.
pub async fn resend(
    app: &App,
    principal: Principal,
    org: OrganizationId,
    id: InvitationId,
    locale: Locale,
) -> Result<CreatedInvitation, OrganizationError> {
    let tokens = InvitationTokens::generate()?;
    let now = app.clock.now();
    let mut tx = app.store.begin().await?;
    let locked = lock_team(app, &mut tx, org, principal).await?;
    let mut invitation = find_pending(&mut tx, org, id).await?;
    locked.require_rank(invitation.role)?;
    // The page shows the new link to the member who resends, who could take for themselves an operator's invitation
    // and the permissions that the application derives from its metadata.
    if principal != Principal::Operator && (invitation.proves_address || !invitation.metadata.is_none()) {
        return Err(Refusal::OperatorsInvitation.into());
    }
    if invitation.state_at(now) == InvitationState::Expired {
        require_pending_capacity(app, &mut tx, org).await?;
    }
    invitation.expires_at = now + app.settings.accounts.invitation_ttl;
    invitation.proves_address = verifies_address(principal);
    // The member who resends becomes the inviter: the new link is revoked with their role.
    invitation.invited_by_user_id = principal.user();
    tx.invitation_renew(&invitation, &tokens.hashes(app)).await?;
    send(app, &mut tx, &locked.organization, &invitation, principal, locale, &tokens.mailed).await?;
    tx.commit().await?;
    Ok(CreatedInvitation { invitation, token: tokens.shown })
}

/// Revokes an invitation. An expired one is only removed from the list, without an event.
pub async fn revoke(
    app: &App,
    principal: Principal,
    org: OrganizationId,
    id: InvitationId,
) -> Result<(), OrganizationError> {
    let now = app.clock.now();
    let mut tx = app.store.begin().await?;
    let locked = lock(&mut tx, org, principal, MemberRole::Admin).await?;
    let invitation = find_pending(&mut tx, org, id).await?;
    locked.require_rank(invitation.role)?;
    let actor = principal.user();
    if invitation.state_at(now) == InvitationState::Expired {
        tx.invitation_finish(id, InvitationState::Expired, actor, invitation.expires_at).await?;
    } else {
        tx.invitation_finish(id, InvitationState::Revoked, actor, now).await?;
        let invitation = (&invitation).into();
        tx.outbox_push(&Event::InvitationRevoked { invitation, revoked_by_user_id: actor, revoked_at: now }).await?;
    }
    mail::withdraw_invitation(&mut tx, id).await?;
    tx.commit().await?;
    Ok(())
}
