//! Invitations made, sent again and taken back.

use super::refusal::{OrganizationError, Refusal};
use super::rules::{Actor, Seen, lock};
use crate::context::App;
use crate::crypto::token_hash::LinkToken;
use crate::domain::account::identity::Email;
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

/// An organization's invitations that wait for an answer.
const MAX_PENDING: i64 = 100;

/// Who is to be invited, as what.
pub struct NewInvitation<'a> {
    /// E-mail address.
    pub email: &'a str,
    /// The role to be had.
    pub role: MemberRole,
    /// The application's own object; only operators give one, as applications derive rights from it.
    pub metadata: Metadata,
    /// The language of the mail; that of the invited is not known.
    pub locale: Locale,
}

/// An invitation with its link for whoever invites, which is seen only now; another one is mailed to the invited.
pub struct Invited {
    /// The invitation.
    pub invitation: InvitationRow,
    /// The secret part of the link.
    pub token: LinkToken,
}

/// The tokens of the two links.
struct Tokens {
    shown: LinkToken,
    mailed: LinkToken,
}

impl Tokens {
    fn generate() -> Result<Self, Error> {
        Ok(Self { shown: LinkToken::generate()?, mailed: LinkToken::generate()? })
    }

    fn hashes(&self, app: &App) -> InvitationHashes {
        let hash = |token: &LinkToken| app.secret_keys.hash_token(TokenPurpose::Invitation, token.text());
        InvitationHashes { shown: hash(&self.shown), mailed: hash(&self.mailed) }
    }
}

impl Invited {
    /// The link to be handed on.
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

/// Invites somebody.
pub async fn invite(
    app: &App,
    actor: Actor,
    org: OrganizationId,
    new: NewInvitation<'_>,
) -> Result<Invited, OrganizationError> {
    let email = Email::parse(new.email).map_err(OrganizationError::Field)?;
    let tokens = Tokens::generate()?;
    let now = app.clock.now();
    let mut tx = app.store.begin().await?;
    let locked = lock_for_inviting(app, &mut tx, org, actor).await?;
    locked.must_reach(new.role)?;
    refuse_known(app, &mut tx, org, actor, &email).await?;
    must_have_room(app, &mut tx, org).await?;
    let invitation = InvitationRow {
        id: InvitationId(random::uuid_v7(now)?),
        organization_id: org,
        email: email.as_str().to_owned(),
        email_key: email.key(),
        role: new.role,
        metadata: new.metadata,
        proves_address: proves_address(actor),
        invited_by_user_id: actor.user(),
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
    send(app, &mut tx, (&locked.organization, &invitation), (actor, new.locale), &tokens.mailed).await?;
    tx.commit().await?;
    Ok(Invited { invitation, token: tokens.shown })
}

/// Mails the invitation, with a link that proves the address.
async fn send(
    app: &App,
    tx: &mut Tx,
    (organization, invitation): (&OrganizationRow, &InvitationRow),
    (actor, locale): (Actor, Locale),
    token: &LinkToken,
) -> Result<(), Error> {
    let inviter = match actor.user() {
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
    mail::queue_in(app, tx, (&invitation.email, locale), mail).await?;
    Ok(())
}

/// A page shows its link to the inviter, who could sign up with it as anybody: such a link is no proof of an address.
/// An operator can name any address as proved anyway.
fn proves_address(actor: Actor) -> bool {
    actor == Actor::Operator
}

async fn lock_for_inviting(
    app: &App,
    tx: &mut Tx,
    org: OrganizationId,
    actor: Actor,
) -> Result<Seen, OrganizationError> {
    if app.settings.accounts.org_mode == OrgMode::Personal {
        return Err(Refusal::NoInvitations.into());
    }
    let locked = lock(tx, org, actor, MemberRole::Admin).await?;
    locked.must_be_team()?;
    Ok(locked)
}

async fn refuse_known(
    app: &App,
    tx: &mut Tx,
    org: OrganizationId,
    actor: Actor,
    email: &Email,
) -> Result<(), OrganizationError> {
    let refuse = |why: Message| Err(OrganizationError::Field(why));
    if let Some(user) = tx.user_find_by_email(&email.key()).await? {
        if actor.user() == Some(user.id) {
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

async fn must_have_room(app: &App, tx: &mut Tx, org: OrganizationId) -> Result<(), OrganizationError> {
    if tx.invitations_count_open(org, app.clock.now()).await? >= MAX_PENDING {
        return Err(Refusal::TooManyPending.into());
    }
    Ok(())
}

/// The invitation, if it is this organization's and pending or expired of itself.
async fn pending(tx: &mut Tx, org: OrganizationId, id: InvitationId) -> Result<InvitationRow, OrganizationError> {
    let found = tx.invitation_find(id).await?.filter(|row| row.organization_id == org);
    let row = found.ok_or(OrganizationError::NotFound("invitation"))?;
    if row.state == InvitationState::Pending { Ok(row) } else { Err(Refusal::NotPending.into()) }
}

/// Makes new links with a new life, which end those before them, and mails one; also for an invitation that has expired.
pub async fn resend(
    app: &App,
    actor: Actor,
    org: OrganizationId,
    id: InvitationId,
    locale: Locale,
) -> Result<Invited, OrganizationError> {
    let tokens = Tokens::generate()?;
    let now = app.clock.now();
    let mut tx = app.store.begin().await?;
    let locked = lock_for_inviting(app, &mut tx, org, actor).await?;
    let mut invitation = pending(&mut tx, org, id).await?;
    locked.must_reach(invitation.role)?;
    // A page shows the new link to whoever asks for it, who could take an operator's invitation, and the rights that the
    // application derives from its metadata, for themselves.
    if actor != Actor::Operator && (invitation.proves_address || !invitation.metadata.is_none()) {
        return Err(Refusal::OperatorsInvitation.into());
    }
    if invitation.state_at(now) == InvitationState::Expired {
        must_have_room(app, &mut tx, org).await?;
    }
    invitation.expires_at = now + app.settings.accounts.invitation_ttl;
    invitation.proves_address = proves_address(actor);
    // Whoever made the present link answers for it: it ends with their role, no longer with that of the first inviter.
    invitation.invited_by_user_id = actor.user();
    tx.invitation_renew(&invitation, &tokens.hashes(app)).await?;
    send(app, &mut tx, (&locked.organization, &invitation), (actor, locale), &tokens.mailed).await?;
    tx.commit().await?;
    Ok(Invited { invitation, token: tokens.shown })
}

/// Takes an invitation back. One that has expired of itself only leaves the list: nothing changes for anybody.
pub async fn revoke(app: &App, actor: Actor, org: OrganizationId, id: InvitationId) -> Result<(), OrganizationError> {
    let now = app.clock.now();
    let mut tx = app.store.begin().await?;
    let locked = lock(&mut tx, org, actor, MemberRole::Admin).await?;
    let invitation = pending(&mut tx, org, id).await?;
    locked.must_reach(invitation.role)?;
    let by = actor.user();
    if invitation.state_at(now) == InvitationState::Expired {
        tx.invitation_finish(id, InvitationState::Expired, by, invitation.expires_at).await?;
    } else {
        tx.invitation_finish(id, InvitationState::Revoked, by, now).await?;
        let invitation = (&invitation).into();
        tx.outbox_push(&Event::InvitationRevoked { invitation, revoked_by_user_id: by, revoked_at: now }).await?;
    }
    mail::withdraw_invitation(&mut tx, id).await?;
    tx.commit().await?;
    Ok(())
}
