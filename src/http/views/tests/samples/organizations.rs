//! Sample data for the pages about organizations.

use super::common::{Rendered, Texts, layout, render};
use crate::http::views::*;
use crate::messages::Message;
use crate::model::ids::{InvitationId, OrganizationId, UserId};
use crate::model::organization::{MemberRole, OrganizationKind};
use crate::model::time::Time;
use crate::store::MOST_COUNTED;
use uuid::Uuid;

const AT: Time = Time::from_micros(1_763_725_620_000_000);

pub(super) fn header(t: Texts, kind: OrganizationKind, role: MemberRole) -> OrganizationHeader<'static> {
    OrganizationHeader { id: OrganizationId(Uuid::from_u128(1)), name: t.name, kind, role }
}

fn member(t: Texts, number: u128, role: MemberRole, is_viewer: bool) -> MemberLine<'static> {
    let id = UserId(Uuid::from_u128(number));
    MemberLine { id, username: t.username, email: t.email, role, is_viewer, changeable: role != MemberRole::Owner }
}

pub(super) fn all(t: Texts) -> Vec<Rendered> {
    let mut pages = lists(t);
    pages.extend(organizations(t));
    pages.extend(settings(t));
    pages.extend(team_invitations(t));
    pages.extend(confirmations(t));
    pages.extend(invitations(t));
    pages
}

fn lists(t: Texts) -> Vec<Rendered> {
    let line = |kind, role, members, active| OrganizationLine {
        id: OrganizationId(Uuid::from_u128(1)),
        name: t.name,
        kind,
        role,
        members,
        active,
    };
    let lines = [
        line(OrganizationKind::Personal, MemberRole::Owner, 1, true),
        line(OrganizationKind::Team, MemberRole::Admin, 12, false),
        line(OrganizationKind::Team, MemberRole::Member, MOST_COUNTED, false),
    ];
    let (layout, csrf, sections) = (layout(t).with_viewer(t.email, t.csrf), t.csrf, &[]);
    let switched = Message::new("organization-switched").text("organization", t.name);
    let page = |notice, may_create, form_error| OrganizationsPage {
        layout,
        csrf,
        return_to: Some(t.return_to),
        sections,
        notice,
        organizations: &lines,
        may_create,
        form_error,
    };
    let new = |name, form_error| NewOrganizationPage { layout, csrf, sections, name, form_error };
    vec![
        render("organizations", &page(Some(&switched), true, None)),
        render("organizations-error", &page(None, true, Some(&CSRF_FAILED))),
        render("organizations-without-teams", &page(None, false, None)),
        render("organization-new", &new(Field::default(), None)),
        render("organization-new-error", &new(Field { value: t.name, error: t.problem() }, Some(&CSRF_FAILED))),
    ]
}

/// The head of a team for one of its owners, or of a personal organization.
fn head(t: Texts, kind: OrganizationKind, tab: OrganizationTab, is_active: bool) -> OrganizationHead<'static> {
    let may_invite = kind == OrganizationKind::Team;
    OrganizationHead { organization: header(t, kind, MemberRole::Owner), tab, is_active, may_invite }
}

fn organizations(t: Texts) -> Vec<Rendered> {
    let members = [member(t, 2, MemberRole::Owner, true), member(t, 3, MemberRole::Member, false)];
    let sections = account_sections("/auth/organizations");
    let changed = Message::new("member-role-changed");
    let page = OrganizationPage {
        layout: layout(t).with_viewer(t.email, t.csrf),
        csrf: t.csrf,
        sections: &sections,
        head: head(t, OrganizationKind::Team, OrganizationTab::Members, false),
        notice: Some(&changed),
        members: &members,
        counted: Some(243),
        is_searchable: true,
        is_alone: false,
        search: "",
        has_previous_page: true,
        next: Some("3-00000000000000000000000000000003"),
    };
    let head = head(t, OrganizationKind::Team, OrganizationTab::Members, true);
    let alone = OrganizationPage {
        head,
        members: &members[..1],
        counted: None,
        is_searchable: false,
        is_alone: true,
        has_previous_page: false,
        next: None,
        ..page
    };
    let as_member = OrganizationHead { organization: header(t, OrganizationKind::Team, MemberRole::Member), ..head };
    let shown_to_member = OrganizationPage { head: OrganizationHead { may_invite: false, ..as_member }, ..page };
    let nobody_found = OrganizationPage { members: &[], counted: None, search: t.email, ..page };
    vec![
        render("organization", &page),
        render("organization-alone", &alone),
        render("organization-as-member", &shown_to_member),
        render("organization-nobody-found", &nobody_found),
    ]
}

fn settings(t: Texts) -> Vec<Rendered> {
    let sections = account_sections("/auth/organizations");
    let page = |head, error| OrganizationSettingsPage {
        layout: layout(t).with_viewer(t.email, t.csrf),
        csrf: t.csrf,
        sections: &sections,
        head,
        notice: None,
        rename: Field { value: t.name, error },
        form_error: error,
    };
    let of = |kind| head(t, kind, OrganizationTab::Settings, true);
    vec![
        render("organization-settings", &page(of(OrganizationKind::Team), None)),
        render("organization-settings-error", &page(of(OrganizationKind::Team), t.problem())),
        render("organization-personal", &page(of(OrganizationKind::Personal), None)),
    ]
}

fn team_invitations(t: Texts) -> Vec<Rendered> {
    let invitation = |expired| InvitationLine {
        id: InvitationId(Uuid::from_u128(4)),
        email: t.email,
        role: MemberRole::Member,
        expires_at: AT,
        expired,
        changeable: true,
    };
    let pending = [invitation(false), invitation(true)];
    let link = || NewInvitationLink { email: t.email.to_owned(), url: t.return_to.to_owned(), expires_at: AT };
    let (shown, mailed) = ([link()], [link(), link()]);
    let refused = t.problem().map(|why| RefusedAddress { email: t.email.to_owned(), why: why.clone() });
    let refused: Vec<RefusedAddress> = refused.into_iter().collect();
    let invalid = Field { value: t.email, error: t.problem() };
    let sections = account_sections("/auth/organizations");
    let page = OrganizationInvitationsPage {
        layout: layout(t).with_viewer(t.email, t.csrf),
        csrf: t.csrf,
        sections: &sections,
        head: head(t, OrganizationKind::Team, OrganizationTab::Invitations, true),
        notice: None,
        links: &[],
        are_mailed: false,
        pending: &pending,
        must_verify: false,
        email: Field::default(),
        refused: &[],
        role: MemberRole::Admin,
        role_error: None,
        form_error: None,
    };
    let none = OrganizationInvitationsPage { pending: &[], ..page };
    let unverified = OrganizationInvitationsPage { must_verify: true, ..page };
    let invited = OrganizationInvitationsPage { links: &shown, ..page };
    let several =
        OrganizationInvitationsPage { links: &mailed, are_mailed: true, refused: &refused, email: invalid, ..page };
    let failed =
        OrganizationInvitationsPage { email: invalid, role_error: t.problem(), form_error: t.problem(), ..page };
    vec![
        render("organization-invitations", &page),
        render("organization-invitations-none", &none),
        render("organization-invitations-error", &failed),
        render("organization-unverified", &unverified),
        render("organization-invited", &invited),
        render("organization-invited-several", &several),
    ]
}

fn confirmations(t: Texts) -> Vec<Rendered> {
    let layout = layout(t).with_viewer(t.email, t.csrf);
    let csrf = t.csrf;
    let organization = header(t, OrganizationKind::Team, MemberRole::Owner);
    let member = member(t, 3, MemberRole::Admin, false);
    let form_error = t.problem();
    let typed_name = Field { value: t.name, error: t.problem() };
    let sections = &account_sections("/auth/organizations");
    let account = t.email;
    let teams = [t.name.to_owned(), t.name.to_owned()];
    vec![
        render("member", &MemberPage { layout, csrf, sections, organization, member, form_error }),
        render("member-remove", &RemoveMemberPage { layout, csrf, sections, organization, member, form_error }),
        render(
            "organization-leave",
            &LeaveOrganizationPage { layout, csrf, sections, organization, may_leave: true, form_error },
        ),
        render(
            "organization-leave-last-owner",
            &LeaveOrganizationPage { layout, csrf, sections, organization, may_leave: false, form_error },
        ),
        render(
            "organization-delete",
            &DeleteOrganizationPage {
                layout,
                csrf,
                sections,
                organization,
                confirmation: t.name,
                typed_name,
                form_error: None,
            },
        ),
        render(
            "account-delete",
            &DeleteAccountPage {
                layout,
                csrf,
                sections,
                account,
                deleted: &teams,
                left: &teams,
                has_password: true,
                password_error: form_error,
                form_error,
            },
        ),
        render(
            "account-delete-passkey",
            &DeleteAccountPage {
                layout,
                csrf,
                sections,
                account,
                deleted: &[],
                left: &[],
                has_password: false,
                password_error: None,
                form_error: None,
            },
        ),
    ]
}

fn invitations(t: Texts) -> Vec<Rendered> {
    let page = |viewer| InvitationPage {
        layout: layout(t),
        csrf: t.csrf,
        return_to: Some(t.return_to),
        token: t.csrf,
        path: t.return_to,
        organization: t.name,
        inviter: Some(t.username),
        role: MemberRole::Admin,
        email: t.email,
        expires_at: AT,
        viewer,
        form_error: Some(&CSRF_FAILED),
    };
    let anonymous = |account, may_sign_up| page(InvitationViewer::Anonymous { account, may_sign_up });
    vec![
        render("invitation", &page(InvitationViewer::Invitee { username: t.username })),
        render("invitation-other", &page(InvitationViewer::OtherUser { email: t.email })),
        render("invitation-log-in", &anonymous(InvitedAccount::Exists, true)),
        render("invitation-sign-up", &anonymous(InvitedAccount::Missing, true)),
        render("invitation-closed", &anonymous(InvitedAccount::Missing, false)),
        render("invitation-shown", &anonymous(InvitedAccount::NotTold, true)),
        render("invitation-shown-closed", &anonymous(InvitedAccount::NotTold, false)),
    ]
}
