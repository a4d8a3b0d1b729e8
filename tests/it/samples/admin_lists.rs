//! Sample data for the lists of administrators.

use super::admin::{
    DELIVERIES, ORGANIZATIONS, PEOPLE, act, acts, administered, ago, audit, id, link, rows, table, typed, words,
};
use super::texts::{Sample, Texts, done, render};
use doorward::http::views::*;
use doorward::messages::{Key, Message};
use doorward::model::audit::AuditKind;
use doorward::model::roles::PlatformRole;
use doorward::store::DeliveryState;

pub(super) fn all(t: Texts) -> Vec<Sample> {
    [people(t), deliveries(t), audits(t), instance(t)].concat()
}

fn list(t: Texts, path: &'static str, table: Table) -> AdminListPage<'static> {
    AdminListPage {
        layout: administered(t, PlatformRole::Admin, path, None),
        title: table.caption,
        path,
        notice: None,
        filters: &[],
        table,
        folded: None,
        first: None,
        next: None,
        is_cut: false,
        acts: &[],
        command: "doorward user list",
    }
}

fn filter(name: &'static str, label: &'static str, kind: FilterKind) -> ListFilter {
    ListFilter { name, label: Key(label), kind }
}

fn search(value: &str, hint: &'static str) -> ListFilter {
    filter("query", "admin-search", FilterKind::Search { value: value.to_owned(), hint: Key(hint) })
}

fn choice(name: &'static str, label: &'static str, values: Vec<(&'static str, Message)>) -> ListFilter {
    let any = Choice { value: "", label: Message::new("admin-any"), selected: false };
    let last = values.len() - 1;
    let choice = |(at, (value, label))| Choice { value, label, selected: at == last };
    filter(name, label, FilterKind::Choice([vec![any], values.into_iter().enumerate().map(choice).collect()].concat()))
}

fn days(t: Texts) -> [ListFilter; 2] {
    [("since", "admin-since"), ("until", "admin-until")]
        .map(|(name, label)| filter(name, label, FilterKind::Day(t.username.to_owned())))
}

fn people(t: Texts) -> Vec<Sample> {
    let role = |role: PlatformRole| (role.as_str(), Message::new("admin-role").text("role", role.as_str()));
    let states = ["admin-state-active", "admin-state-disabled", "admin-state-unverified"];
    let filters = [
        search(t.name, "admin-people-search-hint"),
        choice("state", "admin-state", states.map(|key| (key, Message::new(key))).into()),
        choice("role", "admin-platform-role", PlatformRole::ALL.map(role).into()),
    ];
    let tags = vec![
        Cell::Alarm(Message::new("admin-state-disabled")),
        Cell::Tag(Message::new("admin-state-unverified")),
        Cell::Tag(role(PlatformRole::Monitor).1),
    ];
    let row = vec![link(PEOPLE, t.email), typed(t.username), typed(t.name), tags, ago(), Cells::new()];
    let columns = ["email", "username", "display-name", "admin-state", "admin-created", "admin-last-login"];
    let of_people = |rows| table("admin-people", &columns, vec![row.clone(); rows], "admin-people-none");
    let acts = acts(&[("admin-person-new", false)]);
    let page = |rows| AdminListPage { filters: &filters, acts: &acts, ..list(t, PEOPLE, of_people(rows)) };

    let kind = words("kind", "kind", "team");
    let row = vec![link(ORGANIZATIONS, t.name), kind, vec![Cell::Number(12_345)], ago()];
    let columns = ["name", "account-organization-kind", "admin-members", "admin-created"];
    let of_organizations = |rows| {
        let rows = vec![row.clone(); rows];
        list(t, ORGANIZATIONS, table("organizations-section", &columns, rows, "admin-organizations-empty"))
    };
    let by_name = [search(t.name, "admin-organizations-search-hint")];
    let notice = done("admin-done");
    vec![
        render("admin-people", &AdminListPage { next: Some(PEOPLE), ..page(rows(t)) }),
        render(
            "admin-people-none",
            &AdminListPage { is_cut: true, first: Some(PEOPLE), next: Some(PEOPLE), ..page(0) },
        ),
        render("admin-organizations", &AdminListPage { notice, filters: &by_name, ..of_organizations(rows(t)) }),
        render("admin-organizations-none", &AdminListPage { filters: &by_name, ..of_organizations(0) }),
    ]
}

fn deliveries(t: Texts) -> Vec<Sample> {
    let channel = |value| (value, Message::new("admin-channel-name").text("channel", value));
    let state = |state: &str| Message::new("admin-delivery-state").text("state", state);
    let mut filters = vec![
        choice("channel", "admin-channel", vec![channel("webhook"), channel("mail")]),
        choice("state", "admin-state", DeliveryState::ALL.map(|of| (of.as_str(), state(of.as_str()))).into()),
        search(t.username, "admin-deliveries-kind-hint"),
    ];
    filters.extend(days(t));
    let row = vec![
        link(DELIVERIES, &id(t)),
        typed(t.email),
        typed(t.name),
        Cell::code(t.username),
        vec![Cell::Alarm(state("failed"))],
        vec![Cell::Number(12)],
        [vec![Cell::Number(503)], words("admin-outcome-of", "outcome", "timeout")].concat(),
        ago(),
    ];
    let of_mail = ["admin-mail-to", "admin-mail-subject"];
    let of_both = ["admin-kind", "admin-state", "admin-attempts", "admin-outcome", "admin-created"];
    let columns = [&["admin-id"][..], &of_mail, &of_both].concat();
    let replay = acts(&[("admin-replay-all", false), ("admin-replay-waiting", false)]);
    let page = |rows, empty| AdminListPage {
        filters: &filters,
        acts: &replay,
        ..list(t, DELIVERIES, table("admin-deliveries", &columns, vec![row.clone(); rows], empty))
    };
    vec![
        render("admin-deliveries-none", &page(0, "admin-deliveries-no-events")),
        render("admin-deliveries-of-mails", &page(rows(t), "admin-deliveries-no-mails")),
    ]
}

fn audits(t: Texts) -> Vec<Sample> {
    let kind = |kind: AuditKind| (kind.as_str(), Message::new("activity-kind").text("kind", kind.as_str()));
    let kinds: Vec<_> = AuditKind::ALL.into_iter().map(kind).take(usize::from(t.rows)).collect();
    let mut filters = vec![search(t.email, "admin-audit-search-hint"), choice("kind", "admin-kind", kinds)];
    filters.extend(days(t));
    let mut of_all = audit(t, "admin-audit");
    of_all.columns.insert(1, Key("admin-about"));
    let about = [link(PEOPLE, t.email), act(ORGANIZATIONS, "admin-organization")].concat();
    of_all.rows.iter_mut().for_each(|row| row.insert(1, about.clone()));
    let acts = acts(&[("admin-audit-csv", false), ("admin-audit-ndjson", false)]);
    let page = |table, refusal| AdminListPage {
        layout: administered(t, PlatformRole::Auditor, "/auth/admin/audit", refusal),
        filters: &filters,
        acts: &acts,
        ..list(t, "/auth/admin/audit", table)
    };
    let none = Table { rows: Vec::new(), ..of_all.clone() };
    vec![
        render("admin-audit", &page(of_all.clone(), None)),
        render("admin-audit-none", &page(none, None)),
        render("admin-audit-refused", &page(of_all, t.problem())),
    ]
}

/// The instance itself: its keys, providers and settings.
fn instance(t: Texts) -> Vec<Sample> {
    let none = |path, title, empty| list(t, path, table(title, &[], Vec::new(), empty));
    let code = |text: &str| vec![Cell::Code(text.to_owned())];
    let set = vec![
        vec![
            code("SVC_BRAND_PRIVACY_URL"),
            typed(t.return_to),
            words("admin-source-of", "source", "environment"),
            Cells::new(),
        ],
        vec![
            code("SVC_CREDENTIALS_DIRECTORY"),
            typed(t.error),
            code("/run/credentials/doorward.service"),
            typed(t.name),
        ],
    ];
    let default = vec![vec![code("SVC_DATABASE_POOL_MAX"), typed(t.username)]; 2];
    let columns = ["admin-setting", "admin-value", "admin-source", "admin-default"];
    let of_settings = |columns, rows| table("admin-settings", columns, rows, "admin-settings-none");
    let folded = Some((Message::new("admin-settings-default").number("count", 2), of_settings(&columns[..2], default)));
    let settings = list(t, "/auth/admin/settings", of_settings(&columns, set));
    vec![
        render("admin-api-keys-none", &none("/auth/admin/api-keys", "admin-api-keys", "admin-api-keys-none")),
        render("admin-providers-none", &none("/auth/admin/providers", "admin-providers", "admin-providers-none")),
        render("admin-settings", &AdminListPage { folded, command: "doorward config", ..settings }),
    ]
}
