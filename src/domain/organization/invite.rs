//! Invitations: create, resend, revoke.

use super::refusals::{
    ALREADY_MEMBER, NO_INVITATIONS, NOT_PENDING, OPERATORS_INVITATION, TOO_MANY_PENDING, UNVERIFIED,
};
use super::rules::{MembershipView, lock};
use crate::context::App;
use crate::crypto::token_hash::LinkToken;
use crate::domain::change::Change;
use crate::domain::identity::identifiers::EmailAddress;
use crate::error::Error;
use crate::mail::{self, Mail};
use crate::messages::{Locale, Message};
use crate::model::change::OrganizationChange;
use crate::model::ids::{InvitationId, OrganizationId, UserId};
use crate::model::mail_domain;
use crate::model::metadata::Metadata;
use crate::model::organization::{InvitationState, MemberRole};
use crate::model::principal::{Operation, Principal};
use crate::model::user_label::UserLabel;
use crate::model::verification::TokenPurpose;
use crate::random;
use crate::rate_limit::RateLimit;
use crate::refusal::{ChangeError, Refusal};
use crate::settings::{EmailVerification, OrgMode};
use crate::store::{InvitationHashes, InvitationRow, Tx, UserRow};

/// Pending invitations per organization.
const MAX_PENDING: i64 = 100;

/// Invites an address.
pub struct Invite<'a> {
    pub org: OrganizationId,
    pub email: &'a str,
    pub role: MemberRole,
    /// The application's own object. Only operators and backends may set one: applications derive permissions from it.
    pub metadata: Metadata,
    /// Whether to mail a link. The other one verifies nothing, unless an operator vouches for the address.
    pub send_mail: bool,
    /// The language of the email, if no account tells that of the invitee.
    pub locale: Locale,
}

/// A new invitation with the link for the inviter, available only now; another link is mailed to the invitee.
pub struct CreatedInvitation {
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

impl Change for Invite<'_> {
    const OPERATION: Operation = Operation::Invite;
    type Made = CreatedInvitation;

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<CreatedInvitation, ChangeError> {
        let email = EmailAddress::parse(self.email).map_err(|why| Refusal::field("email", why))?;
        let tokens = InvitationTokens::generate()?;
        let (now, principal) = (app.clock.now(), tx.principal());
        let inviting = lock_for_inviting(app, tx, self.org).await?;
        inviting.membership.require_rank(self.role)?;
        inviting.reject_duplicate(app, tx, &email).await?;
        require_pending_capacity(app, tx, self.org).await?;
        if self.send_mail {
            limit_mails(app, tx, &email.key()).await?;
        }
        let invitation = InvitationRow {
            id: InvitationId(random::uuid_v7_with_micros(now)?),
            organization_id: self.org,
            email: email.as_str().to_owned(),
            email_key: email.key(),
            role: self.role,
            metadata: self.metadata,
            proves_address: verifies_address(&principal),
            by_mailed_link: false,
            invited_by_user_id: principal.user_id(),
            state: InvitationState::Pending,
            created_at: now,
            expires_at: now + app.settings.accounts.invitation_ttl,
            finished_at: None,
            finished_by_user_id: None,
        };
        tx.invitation_create(&invitation, &tokens.hashes(app)).await?;
        tx.record_organization(OrganizationChange::Invited {
            organization: &(&inviting.membership.organization).into(),
            invitation: (&invitation).into(),
            invited_by_user_id: invitation.invited_by_user_id,
            expires_at: invitation.expires_at,
        })
        .await?;
        if self.send_mail {
            inviting.send(app, tx, &invitation, self.locale, &tokens.mailed).await?;
        }
        Ok(CreatedInvitation { invitation, token: tokens.shown })
    }
}

/// Who invites to what, locked.
struct Inviting {
    membership: MembershipView,
    /// The member who invites; `None` for an operator.
    inviter: Option<UserRow>,
}

/// Locks a team for a principal who may invite.
async fn lock_for_inviting(app: &App, tx: &mut Tx, org: OrganizationId) -> Result<Inviting, ChangeError> {
    if app.settings.accounts.org_mode == OrgMode::Personal {
        return Err(NO_INVITATIONS.into());
    }
    let membership = lock(tx, org).await?;
    membership.require_team()?;
    let inviter = match tx.principal().user_id() {
        Some(user) => Some(tx.user_find(user).await?.ok_or(Refusal::NotFound("user"))?),
        None => None,
    };
    if inviter.as_ref().is_some_and(|user| lacks_verification(app, user)) {
        return Err(UNVERIFIED.into());
    }
    Ok(Inviting { membership, inviter })
}

/// Whether an account must verify its address before it invites: the email shows the
/// inviter's address to a stranger.
fn lacks_verification(app: &App, user: &UserRow) -> bool {
    app.settings.accounts.email_verification != EmailVerification::Off && user.email_verified_at.is_none()
}

/// Whether a user must verify their address before they may invite, for pages that say so before the form is filled in.
pub async fn must_verify(app: &App, principal: &Principal, user: UserId) -> Result<bool, Error> {
    let user = app.store.read_own(principal, Operation::ReadOwnAccount, user).await?.user_find(user).await?;
    Ok(user.is_some_and(|user| lacks_verification(app, &user)))
}

impl Inviting {
    /// Refuses the inviter's own address, that of a member, and one with a pending invitation. It runs the same
    /// statements whether or not the address has an account.
    async fn reject_duplicate(&self, app: &App, tx: &mut Tx, email: &EmailAddress) -> Result<(), ChangeError> {
        let refuse = |why: Message| Err(Refusal::field("email", why).into());
        let org = self.membership.organization.id;
        if self.inviter.as_ref().is_some_and(|inviter| mail_domain::key(&inviter.email) == email.key()) {
            return refuse(Message::new("invite-own-address"));
        }
        if tx.member_has_email(org, &email.key()).await? {
            return Err(ALREADY_MEMBER.into());
        }
        if let Some(earlier) = tx.invitation_find_pending(org, &email.key()).await? {
            if earlier.state_at(app.clock.now()) == InvitationState::Pending {
                return refuse(Message::new("invite-invited-already"));
            }
            tx.invitation_finish(earlier.id, InvitationState::Expired, None, earlier.expires_at).await?;
        }
        Ok(())
    }

    /// Emails the invitation, in the language of the account with its address, else in `locale`.
    async fn send(
        &self,
        app: &App,
        tx: &mut Tx,
        invitation: &InvitationRow,
        locale: Locale,
        token: &LinkToken,
    ) -> Result<(), Error> {
        let inviter = self.inviter.as_ref().map(inviter_name);
        let mail = Mail::Invitation {
            invitation: invitation.id,
            organization: &self.membership.organization.name,
            inviter,
            role: invitation.role,
            token,
            expires_at: invitation.expires_at,
        };
        let language = tx.user_language_at(&invitation.email_key).await?;
        mail::queue(app, tx, &invitation.email, language.unwrap_or(locale), mail).await?;
        Ok(())
    }
}

/// How the invitee reads who invites. An address that was not verified may be anybody's, and is not told.
pub fn inviter_name(user: &UserRow) -> UserLabel<'_> {
    let label = user.label();
    UserLabel { email: label.email.filter(|_| user.email_verified_at.is_some()), ..label }
}

/// Whether the links of an invitation verify its address. The inviter sees a link on the page and could sign up with
/// any address by it, so it verifies nothing, nor does a backend's. An operator may declare any address verified.
fn verifies_address(principal: &Principal) -> bool {
    principal.is_operator()
}

async fn require_pending_capacity(app: &App, tx: &mut Tx, org: OrganizationId) -> Result<(), ChangeError> {
    if tx.invitations_count_pending(org, app.clock.now()).await? >= MAX_PENDING {
        return Err(TOO_MANY_PENDING.into());
    }
    Ok(())
}

/// Counts the emails to an address that users and backends ask for, all of them together: it may be a stranger's.
async fn limit_mails(app: &App, tx: &mut Tx, email_key: &str) -> Result<(), ChangeError> {
    if tx.principal().is_operator() {
        return Ok(());
    }
    Ok(app.rate_limiter.check_in(tx, [RateLimit::MailTo(email_key)]).await?)
}

/// Finds an invitation of this organization that is pending, or expired without an answer.
async fn find_pending(tx: &mut Tx, org: OrganizationId, id: InvitationId) -> Result<InvitationRow, ChangeError> {
    let found = tx.invitation_find(id).await?.filter(|row| row.organization_id == org);
    let row = found.ok_or(Refusal::NotFound("invitation"))?;
    if row.state == InvitationState::Pending { Ok(row) } else { Err(NOT_PENDING.into()) }
}

/// Replaces the links of a pending or expired invitation by new ones with a new lifetime, and emails one.
pub struct Resend {
    pub org: OrganizationId,
    pub id: InvitationId,
    /// The language of the email, if no account tells that of the invitee.
    pub locale: Locale,
}

impl Change for Resend {
    const OPERATION: Operation = Operation::Invite;
    type Made = CreatedInvitation;

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<CreatedInvitation, ChangeError> {
        let tokens = InvitationTokens::generate()?;
        let (now, principal) = (app.clock.now(), tx.principal());
        let inviting = lock_for_inviting(app, tx, self.org).await?;
        let mut invitation = find_pending(tx, self.org, self.id).await?;
        inviting.membership.require_rank(invitation.role)?;
        // The page shows the new link to the member who resends, who could take for themselves an operator's invitation
        // and the permissions that the application derives from its metadata.
        if principal.is_user() && (invitation.proves_address || !invitation.metadata.is_none()) {
            return Err(OPERATORS_INVITATION.into());
        }
        if invitation.state_at(now) == InvitationState::Expired {
            require_pending_capacity(app, tx, self.org).await?;
        }
        limit_mails(app, tx, &invitation.email_key).await?;
        invitation.expires_at = now + app.settings.accounts.invitation_ttl;
        invitation.proves_address = verifies_address(&principal);
        // The member who resends becomes the inviter: the new link is revoked with their role.
        invitation.invited_by_user_id = principal.user_id();
        tx.invitation_renew(&invitation, &tokens.hashes(app)).await?;
        tx.record_organization(OrganizationChange::InvitationResent {
            organization: &(&inviting.membership.organization).into(),
            invitation: (&invitation).into(),
        })
        .await?;
        inviting.send(app, tx, &invitation, self.locale, &tokens.mailed).await?;
        Ok(CreatedInvitation { invitation, token: tokens.shown })
    }
}

/// Revokes an invitation. An expired one is only removed from the list, without an event.
pub struct Revoke {
    pub org: OrganizationId,
    pub id: InvitationId,
}

impl Change for Revoke {
    const OPERATION: Operation = Operation::RevokeInvitation;
    type Made = ();

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<(), ChangeError> {
        let Self { org, id } = self;
        let (now, user) = (app.clock.now(), tx.principal().user_id());
        let locked = lock(tx, org).await?;
        let invitation = find_pending(tx, org, id).await?;
        locked.require_rank(invitation.role)?;
        if invitation.state_at(now) == InvitationState::Expired {
            tx.invitation_finish(id, InvitationState::Expired, user, invitation.expires_at).await?;
        } else {
            tx.invitation_finish(id, InvitationState::Revoked, user, now).await?;
            tx.record_organization(OrganizationChange::InvitationRevoked {
                organization: &(&locked.organization).into(),
                invitation: (&invitation).into(),
                revoked_by_user_id: user,
                revoked_at: now,
            })
            .await?;
        }
        Ok(mail::withdraw_invitation(tx, id).await?)
    }
}
