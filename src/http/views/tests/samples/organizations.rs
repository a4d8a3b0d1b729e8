//! Sample data for the pages about organizations.

use super::common::{Rendered, Texts, layout, render};
use crate::http::views::*;
use crate::model::ids::{InvitationId, OrganizationId, UserId};
use crate::model::organization::{MemberRole, OrganizationKind};
use crate::model::time::Time;
use uuid::Uuid;

const AT: Time = Time::from_micros(1_763_725_620_000_000);

fn header(t: Texts, kind: OrganizationKind, role: MemberRole) -> OrganizationHeader<'static> {
    OrganizationHeader { id: OrganizationId(Uuid::from_u128(1)), name: t.name, kind, role }
}

fn member(t: Texts, number: u128, role: MemberRole, is_viewer: bool) -> MemberLine<'static> {
    let id = UserId(Uuid::from_u128(number));
    MemberLine { id, username: t.username, email: t.email, role, is_viewer, changeable: role != MemberRole::Owner }
}

pub(super) fn all(t: Texts) -> Vec<Rendered> {
    let mut pages = lists(t);
    pages.extend(organizations(t));
    pages.extend(confirmations(t));
    pages.extend(invitations(t));
    pages
}

fn lists(t: Texts) -> Vec<Rendered> {
    let line = |kind, role, active| OrganizationLine {
        id: OrganizationId(Uuid::from_u128(1)),
        name: t.name,
        kind,
        role,
        active,
    };
    let lines = [
        line(OrganizationKind::Personal, MemberRole::Owner, true),
        line(OrganizationKind::Team, MemberRole::Admin, false),
    ];
    let page = |create, form_error| OrganizationsPage {
        layout: layout(t).with_viewer(t.email, t.csrf),
        csrf: t.csrf,
        return_to: Some(t.return_to),
        sections: &[],
        organizations: &lines,
        create,
        form_error,
    };
    vec![
        render("organizations", &page(Some(Field::default()), None)),
        render("organizations-error", &page(Some(Field { value: t.name, error: t.problem() }), Some(&CSRF_FAILED))),
        render("organizations-without-teams", &page(None, None)),
    ]
}

fn organizations(t: Texts) -> Vec<Rendered> {
    let members = [member(t, 2, MemberRole::Owner, true), member(t, 3, MemberRole::Member, false)];
    let invitation = |expired| InvitationLine {
        id: InvitationId(Uuid::from_u128(4)),
        email: t.email,
        role: MemberRole::Member,
        expires_at: AT,
        expired,
        changeable: true,
    };
    let pending = [invitation(false), invitation(true)];
    let link = Some(NewInvitationLink { email: t.email, url: t.return_to, expires_at: AT, mailed: false });
    let mailed = link.map(|link| NewInvitationLink { mailed: true, ..link });
    let sections = account_sections("/auth/organizations");
    let page = OrganizationPage {
        layout: layout(t).with_viewer(t.email, t.csrf),
        csrf: t.csrf,
        sections: &sections,
        organization: header(t, OrganizationKind::Team, MemberRole::Owner),
        members: &members,
        search: "",
        has_previous_page: true,
        next: Some("3-00000000000000000000000000000003"),
        invitations: Some(Invitations {
            pending: &pending,
            must_verify: false,
            email: Field::default(),
            role: MemberRole::Admin,
            role_error: None,
            link,
        }),
        rename: Field { value: t.name, error: None },
        form_error: None,
    };
    let invalid = Field { value: t.email, error: t.problem() };
    let invalid_invitation = OrganizationPage {
        invitations: Some(Invitations {
            pending: &[],
            must_verify: false,
            email: invalid,
            role: MemberRole::Member,
            role_error: t.problem(),
            link: None,
        }),
        ..page
    };
    let none = Invitations {
        pending: &[],
        must_verify: false,
        email: Field::default(),
        role: MemberRole::Member,
        role_error: None,
        link: None,
    };
    let invited =
        OrganizationPage { invitations: Some(Invitations { pending: &pending, link: mailed, ..none }), ..page };
    let unverified =
        OrganizationPage { invitations: Some(Invitations { pending: &pending, must_verify: true, ..none }), ..page };
    let empty = none;
    let failed = OrganizationPage {
        members: &[],
        search: t.email,
        invitations: Some(empty),
        rename: invalid,
        form_error: t.problem(),
        ..page
    };
    let personal = OrganizationPage {
        organization: header(t, OrganizationKind::Personal, MemberRole::Owner),
        members: &members[..1],
        has_previous_page: false,
        next: None,
        invitations: None,
        ..page
    };
    vec![
        render("organization", &page),
        render("organization-invited", &invited),
        render("organization-errors", &failed),
        render("organization-invitation-error", &invalid_invitation),
        render("organization-unverified", &unverified),
        render("organization-personal", &personal),
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
        render("organization-leave", &LeaveOrganizationPage { layout, csrf, sections, organization, form_error }),
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
