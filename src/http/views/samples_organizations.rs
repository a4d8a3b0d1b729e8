//! The pages about organizations, filled.

use super::samples::{Rendered, Texts, chrome, render};
use super::*;
use crate::model::ids::{InvitationId, OrganizationId, UserId};
use crate::model::organization::{MemberRole, OrganizationKind};
use crate::model::time::Time;
use uuid::Uuid;

const AT: Time = Time::from_micros(1_763_725_620_000_000);

fn place(t: Texts, kind: OrganizationKind, role: MemberRole) -> Place<'static> {
    Place { id: OrganizationId(Uuid::from_u128(1)), name: t.name, kind, role }
}

fn member(t: Texts, number: u128, role: MemberRole, is_viewer: bool) -> MemberLine<'static> {
    let id = UserId(Uuid::from_u128(number));
    MemberLine { id, username: t.username, email: t.email, role, is_viewer, changeable: role != MemberRole::Owner }
}

pub(super) fn all(t: Texts) -> Vec<Rendered> {
    let mut pages = lists(t);
    pages.extend(organizations(t));
    pages.extend(questions(t));
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
        chrome: chrome(t).viewed_by(t.username, t.csrf),
        csrf: t.csrf,
        return_to: Some(t.return_to),
        sections: &[],
        organizations: &lines,
        create,
        form_error,
    };
    vec![
        render("organizations", &page(Some(Field::default()), None)),
        render("organizations-error", &page(Some(Field { value: t.name, error: t.problem() }), Some(&STALE_FORM))),
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
    let link = Some(NewLink { email: t.email, url: t.return_to, expires_at: AT, mailed: false });
    let mailed = link.map(|link| NewLink { mailed: true, ..link });
    let sections = account_sections("/auth/organizations");
    let page = OrganizationPage {
        chrome: chrome(t).viewed_by(t.username, t.csrf),
        csrf: t.csrf,
        sections: &sections,
        organization: place(t, OrganizationKind::Team, MemberRole::Owner),
        members: &members,
        search: "",
        continued: true,
        next: Some(UserId(Uuid::from_u128(3))),
        invitations: Some(Invitations {
            pending: &pending,
            email: Field::default(),
            role: MemberRole::Admin,
            role_error: None,
            link,
        }),
        rename: Field { value: t.name, error: None },
        form_error: None,
    };
    let bad = Field { value: t.email, error: t.problem() };
    let nobody = OrganizationPage {
        invitations: Some(Invitations {
            pending: &[],
            email: bad,
            role: MemberRole::Member,
            role_error: t.problem(),
            link: None,
        }),
        ..page
    };
    let none =
        Invitations { pending: &[], email: Field::default(), role: MemberRole::Member, role_error: None, link: None };
    let invited =
        OrganizationPage { invitations: Some(Invitations { pending: &pending, link: mailed, ..none }), ..page };
    let empty = none;
    let failed = OrganizationPage {
        members: &[],
        search: t.email,
        invitations: Some(empty),
        rename: bad,
        form_error: t.problem(),
        ..page
    };
    let personal = OrganizationPage {
        organization: place(t, OrganizationKind::Personal, MemberRole::Owner),
        members: &members[..1],
        continued: false,
        next: None,
        invitations: None,
        ..page
    };
    vec![
        render("organization", &page),
        render("organization-invited", &invited),
        render("organization-errors", &failed),
        render("organization-invitation-error", &nobody),
        render("organization-personal", &personal),
    ]
}

fn questions(t: Texts) -> Vec<Rendered> {
    let chrome = chrome(t).viewed_by(t.username, t.csrf);
    let csrf = t.csrf;
    let organization = place(t, OrganizationKind::Team, MemberRole::Owner);
    let member = member(t, 3, MemberRole::Admin, false);
    let form_error = t.problem();
    let typed = Field { value: t.name, error: t.problem() };
    let sections = &account_sections("/auth/organizations");
    let email = t.email;
    vec![
        render("member", &MemberPage { chrome, csrf, sections, organization, member, form_error }),
        render("organization-leave", &LeaveOrganizationPage { chrome, csrf, sections, organization, form_error }),
        render(
            "organization-delete",
            &DeleteOrganizationPage { chrome, csrf, sections, organization, typed, form_error: None },
        ),
        render(
            "account-delete",
            &DeleteAccountPage {
                chrome,
                csrf,
                sections,
                email,
                has_password: true,
                password_error: form_error,
                form_error,
            },
        ),
        render(
            "account-delete-passkey",
            &DeleteAccountPage {
                chrome,
                csrf,
                sections,
                email,
                has_password: false,
                password_error: None,
                form_error: None,
            },
        ),
    ]
}

fn invitations(t: Texts) -> Vec<Rendered> {
    let page = |guest| InvitationPage {
        chrome: chrome(t),
        csrf: t.csrf,
        return_to: Some(t.return_to),
        token: t.csrf,
        path: t.return_to,
        organization: t.name,
        role: MemberRole::Admin,
        email: t.email,
        expires_at: AT,
        guest,
        form_error: Some(&STALE_FORM),
    };
    let unknown = |has_account, may_sign_up| page(Guest::Unknown { has_account, may_sign_up });
    vec![
        render("invitation", &page(Guest::Invited { username: t.username })),
        render("invitation-other", &page(Guest::Other { email: t.email })),
        render("invitation-log-in", &unknown(true, true)),
        render("invitation-sign-up", &unknown(false, true)),
        render("invitation-closed", &unknown(false, false)),
    ]
}
