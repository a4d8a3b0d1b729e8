//! Changes of organizations, their members and invitations.

use super::description::{AuditDraft, Described};
use crate::model::audit::AuditKind;
use crate::model::event::{Event, InvitationData, MembershipData, OrganizationData};
use crate::model::ids::{InvitationId, UserId};
use crate::model::metadata::Metadata;
use crate::model::organization::MemberRole;
use crate::model::time::Time;

/// A change of an organization, of a member or of an invitation.
#[derive(Clone, Debug)]
pub enum OrganizationChange<'a> {
    /// A team was created, with its first owner.
    Created { organization: OrganizationData, owner: UserId },
    /// A new account got the organization that it begins with.
    BegunWith { organization: OrganizationData, owner: UserId },
    /// It was renamed; `organization` has the old name.
    Renamed { organization: OrganizationData, name: &'a str },
    /// It was deleted.
    Deleted { organization: OrganizationData },
    /// It was deleted with the account of its only member.
    DeletedWithAccount { organization: OrganizationData },
    /// A user became a member: by an invitation, or because a backend made them one.
    MemberAdded { organization: &'a OrganizationData, member: NewMember },
    /// A member has another role.
    MemberRoleChanged { organization: &'a OrganizationData, user: UserId, from: MemberRole, to: MemberRole },
    /// A member was removed, or left.
    MemberRemoved { organization: &'a OrganizationData, user: UserId, role: MemberRole },
    /// A membership ended with its organization or its account.
    MembershipEnded(MembershipData),
    /// An invitation was created.
    Invited {
        organization: &'a OrganizationData,
        invitation: InvitationData,
        invited_by_user_id: Option<UserId>,
        expires_at: Time,
    },
    /// An invitation has new links.
    InvitationResent { organization: &'a OrganizationData, invitation: InvitationData },
    /// An invitation was revoked.
    InvitationRevoked {
        organization: &'a OrganizationData,
        invitation: InvitationData,
        revoked_by_user_id: Option<UserId>,
        revoked_at: Time,
    },
    /// An invitation was revoked with its organization or the role of its inviter, or was declined.
    InvitationEnded { invitation: InvitationData, revoked_by_user_id: Option<UserId>, revoked_at: Time },
    /// An invitation was accepted. Whether that made a member, another change says.
    InvitationAccepted { invitation: InvitationData, accepted_by_user_id: UserId, accepted_at: Time },
}

#[derive(Clone, Debug)]
pub struct NewMember {
    pub user_id: UserId,
    pub role: MemberRole,
    pub is_initial_membership: bool,
    pub invitation_id: Option<InvitationId>,
    pub metadata: Metadata,
}

impl NewMember {
    pub fn uninvited(user_id: UserId, role: MemberRole) -> Self {
        Self { user_id, role, is_initial_membership: false, invitation_id: None, metadata: Metadata::default() }
    }
}

impl OrganizationChange<'_> {
    pub(super) fn described(&self) -> Described {
        use OrganizationChange as C;
        match self {
            C::Created { organization, owner } => {
                let entry = entry(AuditKind::OrganizationCreated, "organization created", organization);
                Described { entry: Some(about(entry, *owner, "")), events: creation(organization, *owner) }
            }
            C::BegunWith { organization, owner } => Described::events(creation(organization, *owner)),
            C::Renamed { organization, name } => {
                let entry = entry(AuditKind::OrganizationRenamed, "organization renamed", organization);
                let entry = more(entry, name).field("from", organization.name.as_str()).field("to", *name);
                let renamed = OrganizationData { name: (*name).to_owned(), ..organization.clone() };
                Described::entry(entry).and_event(Event::OrganizationUpdated(renamed))
            }
            C::Deleted { organization } => {
                Described::entry(entry(AuditKind::OrganizationDeleted, "organization deleted", organization))
                    .and_event(Event::OrganizationDeleted(organization.clone()))
            }
            C::DeletedWithAccount { organization } => {
                Described::events([Event::OrganizationDeleted(organization.clone())])
            }
            C::MemberAdded { organization, member } => {
                let entry = entry(AuditKind::MemberAdded, "member added", organization);
                let entry = about(entry, member.user_id, member.role.as_str()).field("role", member.role.as_str());
                Described::entry(entry).and_event(joined(organization, member.clone()))
            }
            C::MemberRoleChanged { organization, user, from, to } => {
                let entry = entry(AuditKind::MemberRoleChanged, "member's role changed", organization);
                let roles = format!("{} to {}", from.as_str(), to.as_str());
                let entry = about(entry, *user, &roles).field("from", from.as_str()).field("to", to.as_str());
                Described::entry(entry).and_event(Event::MembershipUpdated(membership(organization, *user, *to)))
            }
            C::MemberRemoved { organization, user, role } => {
                let entry = entry(AuditKind::MemberRemoved, "member removed", organization);
                let entry = about(entry, *user, role.as_str()).field("role", role.as_str());
                Described::entry(entry).and_event(Event::MembershipDeleted(membership(organization, *user, *role)))
            }
            C::MembershipEnded(membership) => Described::events([Event::MembershipDeleted(membership.clone())]),
            C::Invited { organization, invitation, invited_by_user_id, expires_at } => {
                let entry = entry(AuditKind::InvitationCreated, "invitation created", organization);
                Described::entry(of_invitation(entry, invitation)).and_event(Event::InvitationCreated {
                    invitation: invitation.clone(),
                    invited_by_user_id: *invited_by_user_id,
                    expires_at: *expires_at,
                })
            }
            C::InvitationResent { organization, invitation } => {
                let entry = entry(AuditKind::InvitationResent, "invitation sent again", organization);
                Described::entry(of_invitation(entry, invitation))
            }
            C::InvitationRevoked { organization, invitation, revoked_by_user_id, revoked_at } => {
                let entry = entry(AuditKind::InvitationRevoked, "invitation revoked", organization);
                Described::entry(of_invitation(entry, invitation)).and_event(Event::InvitationRevoked {
                    invitation: invitation.clone(),
                    revoked_by_user_id: *revoked_by_user_id,
                    revoked_at: *revoked_at,
                })
            }
            C::InvitationEnded { invitation, revoked_by_user_id, revoked_at } => {
                Described::events([Event::InvitationRevoked {
                    invitation: invitation.clone(),
                    revoked_by_user_id: *revoked_by_user_id,
                    revoked_at: *revoked_at,
                }])
            }
            C::InvitationAccepted { invitation, accepted_by_user_id, accepted_at } => {
                Described::events([Event::InvitationAccepted {
                    invitation: invitation.clone(),
                    accepted_by_user_id: *accepted_by_user_id,
                    accepted_at: *accepted_at,
                }])
            }
        }
    }
}

fn entry(kind: AuditKind, line: &'static str, organization: &OrganizationData) -> AuditDraft {
    let id = organization.organization_id;
    let draft = AuditDraft::new(kind, line).detail(format!("{} ({id})", organization.name));
    AuditDraft { organization: Some(id), ..draft }.field("organization_name", organization.name.as_str())
}

fn about(entry: AuditDraft, member: UserId, rest: &str) -> AuditDraft {
    more(entry.subject(member), rest)
}

fn more(entry: AuditDraft, rest: &str) -> AuditDraft {
    AuditDraft { rest: rest.to_owned(), ..entry }
}

fn of_invitation(entry: AuditDraft, invitation: &InvitationData) -> AuditDraft {
    let (role, id) = (invitation.role.as_str(), invitation.invitation_id);
    more(entry, &format!("{role}, {id}")).field("role", role).field("invitation_id", id.to_string())
}

fn creation(organization: &OrganizationData, owner: UserId) -> Vec<Event> {
    let member = NewMember {
        user_id: owner,
        role: MemberRole::Owner,
        is_initial_membership: true,
        invitation_id: None,
        metadata: Metadata::default(),
    };
    vec![Event::OrganizationCreated(organization.clone()), joined(organization, member)]
}

fn joined(organization: &OrganizationData, member: NewMember) -> Event {
    let NewMember { user_id, role, is_initial_membership, invitation_id, metadata } = member;
    let organization_id = organization.organization_id;
    Event::MembershipCreated { organization_id, user_id, role, is_initial_membership, invitation_id, metadata }
}

fn membership(organization: &OrganizationData, user_id: UserId, role: MemberRole) -> MembershipData {
    MembershipData { organization_id: organization.organization_id, user_id, role }
}
