//! Sample data for organizations: the list, members, settings, and the ways out.

use super::texts::{Sample, Texts, render, viewed};
use doorward::http::views::*;
use doorward::messages::Message;
use doorward::model::ids::{OrganizationId, UserId};
use doorward::model::organization::{MemberRole, OrganizationKind};
use doorward::store::MOST_COUNTED;
use uuid::Uuid;

const PATH: &str = "/auth/organizations";

pub(super) fn all(t: Texts) -> Vec<Sample> {
    [lists(t), organizations(t), settings(t), members(t), ends(t)].concat()
}

pub(super) fn header(t: Texts, kind: OrganizationKind, role: MemberRole) -> OrganizationHeader<'static> {
    OrganizationHeader { id: OrganizationId(Uuid::from_u128(1)), name: t.name, kind, role }
}

/// The head of a team for one of its owners, or of a personal organization.
pub(super) fn head(
    t: Texts,
    kind: OrganizationKind,
    tab: OrganizationTab,
    is_active: bool,
) -> OrganizationHead<'static> {
    let may_invite = kind == OrganizationKind::Team;
    OrganizationHead { organization: header(t, kind, MemberRole::Owner), tab, is_active, may_invite }
}

fn member(t: Texts, number: u128, role: MemberRole, is_viewer: bool) -> MemberLine<'static> {
    let id = UserId(Uuid::from_u128(number));
    MemberLine { id, label: t.label(), role, is_viewer, changeable: role != MemberRole::Owner }
}

fn lists(t: Texts) -> Vec<Sample> {
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
    let switched = Message::new("organization-switched").text("organization", t.name);
    let page = |organizations, notice, may_create, form_error| OrganizationsPage {
        layout: viewed(t, PATH, form_error),
        return_to: Some(t.return_to),
        notice,
        organizations,
        may_create,
    };
    let new = |name, form_error| NewOrganizationPage { layout: viewed(t, PATH, form_error), name };
    vec![
        render("organizations", &page(&lines, Some(&switched), true, None)),
        render("organizations-error", &page(&lines, None, true, Some(&CSRF_FAILED))),
        render("organizations-without-teams", &page(&lines[..1], None, false, None)),
        render("organization-new", &new(Field::default(), None)),
        render("organization-new-error", &new(Field { value: t.name, error: t.problem() }, Some(&CSRF_FAILED))),
    ]
}

fn organizations(t: Texts) -> Vec<Sample> {
    let role = |number| if number % 3 == 0 { MemberRole::Admin } else { MemberRole::Member };
    let mut members = vec![member(t, 1, MemberRole::Owner, true)];
    members.extend((1..t.rows).map(|number| member(t, u128::from(number) + 1, role(number), false)));
    let changed = Message::new("member-role-changed");
    let page = OrganizationPage {
        layout: viewed(t, PATH, None),
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
    let shown_to_member =
        OrganizationPage { head: OrganizationHead { may_invite: false, ..as_member }, members: &members[..3], ..page };
    let nobody_found = OrganizationPage { members: &[], counted: None, search: t.email, ..page };
    vec![
        render("organization", &page),
        render("organization-alone", &alone),
        render("organization-as-member", &shown_to_member),
        render("organization-nobody-found", &nobody_found),
    ]
}

fn settings(t: Texts) -> Vec<Sample> {
    let page = |head, error| OrganizationSettingsPage {
        layout: viewed(t, PATH, error),
        head,
        notice: None,
        rename: Field { value: t.name, error },
    };
    let of = |kind| head(t, kind, OrganizationTab::Settings, true);
    let organization = header(t, OrganizationKind::Team, MemberRole::Member);
    let as_member = OrganizationHead { organization, may_invite: false, ..of(OrganizationKind::Team) };
    vec![
        render("organization-settings", &page(of(OrganizationKind::Team), None)),
        render("organization-settings-error", &page(of(OrganizationKind::Team), t.problem())),
        render("organization-settings-as-member", &page(as_member, None)),
        render("organization-personal", &page(of(OrganizationKind::Personal), None)),
    ]
}

fn members(t: Texts) -> Vec<Sample> {
    let organization = header(t, OrganizationKind::Team, MemberRole::Owner);
    let page = |member, form_error| MemberPage { layout: viewed(t, PATH, form_error), organization, member };
    let (other, oneself) = (member(t, 3, MemberRole::Admin, false), member(t, 2, MemberRole::Owner, true));
    let layout = viewed(t, PATH, t.problem());
    vec![
        render("member", &page(other, t.problem())),
        render("member-oneself", &page(oneself, None)),
        render("member-remove", &RemoveMemberPage { layout, organization, member: other }),
    ]
}

fn ends(t: Texts) -> Vec<Sample> {
    let organization = header(t, OrganizationKind::Team, MemberRole::Owner);
    let leave =
        |may_leave, form_error| LeaveOrganizationPage { layout: viewed(t, PATH, form_error), organization, may_leave };
    let delete = |typed_name| DeleteOrganizationPage {
        layout: viewed(t, PATH, None),
        organization,
        confirmation: t.name,
        typed_name,
    };
    let wrong = Field { value: t.name, error: t.problem() };
    vec![
        render("organization-leave", &leave(true, t.problem())),
        render("organization-leave-last-owner", &leave(false, None)),
        render("organization-delete", &delete(Field::default())),
        render("organization-delete-error", &delete(wrong)),
    ]
}
