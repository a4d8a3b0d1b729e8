//! Sample data for the acts of administrators.

use super::admin::{DELIVERIES, ORGANIZATIONS, PEOPLE, administered};
use super::texts::{Sample, Texts, render};
use doorward::http::views::*;
use doorward::messages::{Key, Message};
use doorward::model::event::EventKind;
use doorward::model::organization::MemberRole;
use doorward::model::roles::PlatformRole;
use doorward::store::DeliveryState;

pub(super) fn all(t: Texts) -> Vec<Sample> {
    [people(t), organizations(t), deliveries(t)].concat()
}

/// An act on a person, with the messages of its title, explanation and button.
fn act<'a>(t: Texts, [title, what, button]: [&'static str; 3], fields: &'a [AdminField<'a>]) -> AdminActPage<'a> {
    AdminActPage {
        layout: administered(t, PlatformRole::Admin, PEOPLE, None),
        action: "/auth/admin/people/new",
        title: Key(title),
        subject: Some(t.email),
        explanation: Key(what),
        fields,
        reason: Field::default(),
        button: Key(button),
        is_dangerous: false,
        back: PEOPLE,
        parent: ActParent::Named(t.email),
        command: "doorward user disable 01890000-0000-7000-8000-000000000000",
    }
}

fn field(name: &'static str, label: &'static str, kind: AdminFieldKind) -> AdminField<'static> {
    AdminField { name, label: Key(label), kind, error: None }
}

fn text(value: &str) -> AdminFieldKind {
    AdminFieldKind::Text { value: value.to_owned(), required: false }
}

fn people(t: Texts) -> Vec<Sample> {
    let email = || field("email", "email", AdminFieldKind::Email(t.email.to_owned()));
    let verified = || field("verified", "admin-email-verified", AdminFieldKind::Check(true));
    let wrong = |field| AdminField { error: t.problem(), ..field };
    let mail = || field("send_mail", "admin-person-new-mail", AdminFieldKind::Check(true));
    let new =
        [email(), field("username", "username", text("")), field("name", "display-name", text("")), verified(), mail()];
    let wrong_new = [
        wrong(email()),
        field("username", "username", text(t.username)),
        wrong(field("name", "display-name", text(t.name))),
        verified(),
        mail(),
    ];
    let changed = [email(), verified()];
    let role = |role: PlatformRole| Choice {
        value: role.as_str(),
        label: Message::new("admin-role-what").text("role", role.as_str()),
        selected: role == PlatformRole::Auditor,
    };
    let roles = [
        field("roles", "admin-platform-roles", AdminFieldKind::Checks(PlatformRole::ALL.map(role).into())),
        field("opened", "admin-platform-roles", AdminFieldKind::Opened(t.role.to_owned())),
    ];
    let create = |fields| AdminActPage {
        subject: None,
        parent: ActParent::Page(Key("admin-people")),
        ..act(t, ["admin-person-new", "admin-person-new-what", "admin-person-new-button"], fields)
    };
    let reset = || AdminActPage {
        is_dangerous: true,
        ..act(t, ["admin-two-factor", "admin-two-factor-what", "admin-two-factor-button"], &[])
    };
    let without_reason = Field { value: t.name, error: t.problem() };
    let disable = act(t, ["admin-disable", "admin-disable-what", "admin-disable-button"], &[]);
    vec![
        render("admin-person-new", &create(&new)),
        render("admin-person-new-error", &AdminActPage { reason: without_reason, ..create(&wrong_new) }),
        render("admin-disable", &AdminActPage { is_dangerous: true, ..disable }),
        render("admin-email", &act(t, ["admin-email", "admin-email-what", "admin-email-button"], &changed)),
        render("admin-roles", &act(t, ["admin-roles", "admin-roles-what", "admin-roles-button"], &roles)),
        render("admin-two-factor", &reset()),
        render("admin-reason-error", &AdminActPage { reason: without_reason, ..reset() }),
    ]
}

fn organizations(t: Texts) -> Vec<Sample> {
    let name = [field("name", "name", AdminFieldKind::Text { value: t.name.to_owned(), required: true })];
    let role = |role: MemberRole| Choice {
        value: role.as_str(),
        label: Message::new("role").text("role", role.as_str()),
        selected: role == MemberRole::Admin,
    };
    let roles = [field("role", "role-label", AdminFieldKind::Choice(MemberRole::ALL.map(role).into()))];
    let of = |words, fields| AdminActPage {
        layout: administered(t, PlatformRole::Admin, ORGANIZATIONS, None),
        subject: Some(t.name),
        parent: ActParent::Named(t.name),
        ..act(t, words, fields)
    };
    let member = |words, fields| AdminActPage {
        subject: Some(t.email),
        parent: ActParent::Page(Key("admin-organization")),
        ..of(words, fields)
    };
    let rename = ["admin-organization-rename", "admin-organization-rename-what", "admin-organization-rename"];
    let delete = ["admin-organization-delete", "admin-organization-delete-what", "admin-delete-button"];
    let remove = ["admin-member-remove", "admin-member-remove-what", "admin-member-remove"];
    let change = ["admin-member-role", "roles-explained", "admin-member-role-button"];
    vec![
        render("admin-rename", &of(rename, &name)),
        render("admin-delete-organization", &AdminActPage { is_dangerous: true, ..of(delete, &[]) }),
        render("admin-remove-member", &AdminActPage { is_dangerous: true, ..member(remove, &[]) }),
        render("admin-member-role", &member(change, &roles)),
    ]
}

fn deliveries(t: Texts) -> Vec<Sample> {
    let verbatim = |text: &str| Message::new("admin-verbatim").text("text", text);
    let kind = |kind: EventKind| Choice { value: kind.as_str(), label: verbatim(kind.as_str()), selected: false };
    let kinds = AdminFieldKind::Choice(EventKind::ALL.map(kind).into());
    let day = |name, label| field(name, label, AdminFieldKind::Day(t.username.to_owned()));
    let state = |state: DeliveryState| Choice {
        value: state.as_str(),
        label: Message::new("admin-delivery-state").text("state", state.as_str()),
        selected: state == DeliveryState::Pending,
    };
    let states = AdminFieldKind::Choice([DeliveryState::Failed, DeliveryState::Pending].map(state).into());
    let (states, kinds) = (field("state", "admin-state", states), field("kind", "admin-kind", kinds));
    let fields = [states, kinds, day("since", "admin-since"), day("until", "admin-until")];
    let wrong = fields.clone().map(|field| AdminField { error: t.problem(), ..field });
    let of = |fields, form_error| AdminActPage {
        layout: administered(t, PlatformRole::Admin, DELIVERIES, form_error),
        subject: None,
        parent: ActParent::Page(Key("admin-deliveries")),
        ..act(t, ["admin-replay-events", "admin-replay-events-what", "admin-replay-all-button"], fields)
    };
    vec![render("admin-replay-all", &of(&fields, None)), render("admin-replay-all-error", &of(&wrong, t.problem()))]
}
