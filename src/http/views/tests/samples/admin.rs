//! Sample data for the pages of administrators.

use super::common::{Rendered, Texts, layout, render};
use crate::http::views::*;
use crate::messages::{Key, Message};
use crate::model::time::Time;

const AT: Time = Time::from_micros(1_763_725_620_000_000);
const COMMAND: &str = "doorward user show 01890000-0000-7000-8000-000000000000";

pub(super) fn all(t: Texts) -> Vec<Rendered> {
    let mut pages = lists(t);
    pages.extend(acts(t));
    pages.push(render("admin-person", &thing(t)));
    pages.push(render("admin-job", &AdminThingPage { renews: true, parts: &[], ..thing(t) }));
    pages.push(render("admin-overview-new", &overview(t)));
    pages
}

fn viewed(t: Texts) -> Layout<'static> {
    layout(t).with_viewer(t.email, t.csrf).with_administration(true)
}

fn cells(t: Texts) -> Vec<Cells> {
    vec![
        vec![Cell::Link { href: "/auth/admin/people".to_owned(), text: t.email.to_owned() }],
        vec![Cell::Typed(t.name.to_owned()), Cell::Code(t.username.to_owned())],
        vec![Cell::Tag(Message::new("admin-verbatim").text("text", t.error)), Cell::Alarm(Message::new("admin-off"))],
        vec![Cell::Page { href: "/auth/admin".to_owned(), words: Message::new("admin-remove") }],
        vec![Cell::Ago(AT), Cell::Moment(AT), Cell::Number(3)],
        Vec::new(),
    ]
}

fn table(t: Texts, rows: usize) -> Table {
    let columns = ["email", "username", "admin-state", "admin-act", "admin-created", "admin-last-login"];
    Table {
        caption: Key("admin-people"),
        columns: columns.map(Key).to_vec(),
        rows: vec![cells(t); rows],
        empty: Message::new("admin-people-none"),
    }
}

fn acts_of(count: usize) -> Vec<ActLink> {
    let act = ActLink { href: "/auth/admin/people/new".to_owned(), label: Key("admin-person-new"), is_dangerous: true };
    vec![act; count]
}

fn lists(t: Texts) -> Vec<Rendered> {
    let choices = vec![Choice { value: "admin", label: Message::new("admin-any"), selected: true }];
    let filters = [
        ListFilter {
            name: "query",
            label: Key("admin-search"),
            kind: FilterKind::Search { value: t.name.to_owned(), hint: Key("admin-people-search-hint") },
        },
        ListFilter { name: "state", label: Key("admin-state"), kind: FilterKind::Choice(choices) },
        ListFilter { name: "since", label: Key("admin-since"), kind: FilterKind::Day(t.username.to_owned()) },
    ];
    let acts = acts_of(2);
    let list = |rows| AdminListPage {
        layout: viewed(t),
        sections: &[],
        title: Key("admin-people"),
        path: "/auth/admin/people",
        notice: None,
        refusal: None,
        filters: &filters,
        table: table(t, rows),
        folded: None,
        first: Some("/auth/admin/people"),
        next: Some("/auth/admin/people?after=1"),
        is_cut: false,
        acts: &acts,
        command: COMMAND,
    };
    vec![
        render("admin-people", &list(2)),
        render("admin-people-none", &AdminListPage { is_cut: true, acts: &[], filters: &[], ..list(0) }),
        render("admin-audit-refused", &AdminListPage { refusal: t.problem(), ..list(1) }),
    ]
}

fn acts(t: Texts) -> Vec<Rendered> {
    let choice = |value| Choice { value, label: Message::new("admin-verbatim").text("text", t.name), selected: true };
    let field = |name, kind| AdminField { name, label: Key("email"), kind, error: t.problem() };
    let fields = [
        field("email", AdminFieldKind::Email(t.email.to_owned())),
        field("name", AdminFieldKind::Text { value: t.name.to_owned(), required: false }),
        AdminField { error: None, ..field("verified", AdminFieldKind::Check(true)) },
        field("role", AdminFieldKind::Choice(vec![choice("member")])),
        field("roles", AdminFieldKind::Checks(vec![choice("admin"), choice("auditor")])),
    ];
    let act = |fields, reason, form_error| AdminActPage {
        layout: viewed(t),
        csrf: t.csrf,
        sections: &[],
        action: "/auth/admin/people/new",
        title: Key("admin-disable"),
        subject: Some(t.email),
        explanation: Key("admin-disable-what"),
        fields,
        reason: Field { value: t.name, error: reason },
        form_error,
        button: Key("admin-disable-button"),
        is_dangerous: true,
        back: "/auth/admin/people",
        parent: ActParent::Named(t.name),
        command: COMMAND,
    };
    vec![
        render("admin-disable", &act(&[], None, None)),
        render("admin-reason-error", &act(&[], t.problem(), None)),
        render("admin-person-new-error", &act(&fields, t.problem(), None)),
        render("admin-replay-all-error", &AdminActPage { subject: None, ..act(&fields, None, t.problem()) }),
    ]
}

fn thing(t: Texts) -> AdminThingPage<'static> {
    let part = |id, content| AdminPart {
        id,
        heading: Key("admin-people"),
        content,
        more: Some(("/auth/admin/audit".to_owned(), Key("admin-audit-all"))),
        acts: acts_of(1),
    };
    let facts = cells(t).into_iter().map(|cells| (Key("email"), cells)).collect();
    let parts = vec![
        part("facts", PartContent::Facts(facts)),
        part("table", PartContent::Table(table(t, 2))),
        part("empty", PartContent::Table(table(t, 0))),
        part("end", PartContent::Acts),
    ];
    let tags = vec![Cell::Alarm(Message::new("admin-state-disabled")), Cell::Code(t.username.to_owned())];
    AdminThingPage {
        layout: viewed(t),
        sections: &[],
        list: ("/auth/admin/people", Key("admin-people")),
        title: t.name,
        tags: tags.leak(),
        notice: t.problem(),
        parts: parts.leak(),
        command: COMMAND,
        renews: false,
    }
}

fn overview(t: Texts) -> AdminOverviewPage<'static> {
    let chart = |id, is_daily| Chart { id, title: Key("admin-logins"), points: vec![(AT, 3), (AT, 0)], is_daily };
    AdminOverviewPage {
        layout: viewed(t),
        sections: &[],
        notice: None,
        findings: vec![("DW-081", t.error.to_owned())].leak(),
        figures: vec![(Key("admin-mails-waiting"), vec![Cell::Number(3)])].leak(),
        day: vec![chart("day-logins", false)].leak(),
        week: vec![chart("week-logins", true)].leak(),
        command: COMMAND,
    }
}
