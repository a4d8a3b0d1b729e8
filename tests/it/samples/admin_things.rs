//! Sample data for the pages of one person, organization or job, and for the overview.

use super::admin::{
    DELIVERIES, ORGANIZATIONS, PEOPLE, act, acts, administered, ago, audit, id, link, moment, rows, table, typed, words,
};
use super::texts::{AT, Sample, Texts, done, render};
use doorward::http::views::*;
use doorward::messages::{Key, Message};
use doorward::model::roles::PlatformRole;
use std::time::Duration;

pub(super) fn all(t: Texts) -> Vec<Sample> {
    [people(t), organizations(t), vec![job(t)], overviews(t)].concat()
}

fn thing(
    t: Texts,
    list: (&'static str, Key),
    title: &'static str,
    parts: &'static [AdminPart],
) -> AdminDetailPage<'static> {
    AdminDetailPage {
        layout: administered(t, PlatformRole::Admin, list.0, None),
        list,
        title,
        tags: &[],
        notice: None,
        parts,
        command: "doorward user show 01890000-0000-7000-8000-000000000000",
        renews: false,
    }
}

fn part(id: &'static str, heading: &'static str, content: PartContent, acts: Vec<ActLink>) -> AdminPart {
    AdminPart { id, heading: Key(heading), content, more: None, acts }
}

fn facts(facts: Vec<(&'static str, Cells)>) -> PartContent {
    PartContent::Facts(facts.into_iter().map(|(name, cells)| (Key(name), cells)).collect())
}

/// The pages of people have more parts; `views` limits what a page weighs.
fn people(t: Texts) -> Vec<Sample> {
    let role = |role| Cell::Tag(Message::new("admin-role").text("role", role));
    let disabled = [Cell::Alarm(Message::new("admin-state-disabled")), role("auditor"), role("monitor")];
    let active = [Cell::words("admin-state-active"), Cell::Code(t.username.to_owned())];
    let page = |parts: Vec<AdminPart>| thing(t, (PEOPLE, Key("admin-people")), t.email, parts.leak());
    let end = acts(&[("admin-disable", true), ("admin-delete", true)]);
    let own = vec![
        profile(t, acts(&[("admin-email", false), ("admin-verification", false), ("admin-roles", false)])),
        ways_in(t, acts(&[("admin-reset", false), ("admin-unlock", false), ("admin-two-factor", false)])),
        sessions(t, true),
        mails(),
        part("end", "admin-access", PartContent::Acts, end),
    ];
    let of_auditor = AdminDetailPage {
        layout: administered(t, PlatformRole::Auditor, PEOPLE, None),
        ..page(vec![profile(t, Vec::new()), sessions(t, false), identities(t, false), log(t)])
    };
    let others = page(vec![standing(t), identities(t, true), teams(t), log(t)]);
    vec![
        render("admin-person", &AdminDetailPage { tags: &active, ..page(own) }),
        render("admin-person-disabled", &AdminDetailPage { tags: &disabled, notice: t.problem(), ..others }),
        render("admin-person-of-auditor", &of_auditor),
    ]
}

fn standing(t: Texts) -> AdminPart {
    let obstacle = |what, when, todo| vec![vec![Cell::Alarm(Message::new(what))], when, vec![Cell::words(todo)]];
    let there = [moment(), Cell::code(t.place)].concat();
    let rows = vec![
        obstacle("admin-state-disabled", moment(), "admin-standing-enable"),
        obstacle("admin-standing-limited-there", there, "admin-standing-unlock"),
        obstacle("admin-state-unverified", Cells::new(), "admin-standing-verify"),
        obstacle("admin-standing-no-way-in", moment(), "admin-standing-way-in-mailed"),
    ];
    let columns = ["admin-standing-what", "admin-standing-when", "admin-standing-do"];
    let table = table("admin-standing", &columns, rows, "admin-standing-none");
    part("standing", "admin-standing", PartContent::Table(table), Vec::new())
}

fn profile(t: Texts, acts: Vec<ActLink>) -> AdminPart {
    let facts = facts(vec![
        ("email", typed(t.email)),
        ("admin-verified", vec![Cell::Tag(Message::new("admin-state-unverified"))]),
        ("username", typed(t.username)),
        ("display-name", typed(t.name)),
        ("account-roles", Cell::code(t.role)),
        ("admin-created", moment()),
        ("admin-external-id", Cells::new()),
        ("account-id", vec![Cell::Code(id(t))]),
    ]);
    part("account", "account-profile", facts, acts)
}

fn ways_in(t: Texts, acts: Vec<ActLink>) -> AdminPart {
    let facts = facts(vec![
        ("admin-last-login", [ago(), Cell::code(t.place)].concat()),
        ("admin-authenticator", vec![Cell::words("admin-off")]),
        ("admin-recovery-codes", vec![Cell::Number(10)]),
    ]);
    part("login", "admin-login", facts, acts)
}

fn sessions(t: Texts, may_act: bool) -> AdminPart {
    let methods = vec![Cell::Code("password".to_owned()), Cell::Code("recovery_code".to_owned())];
    let row = vec![typed(t.device), Cell::code(t.place), methods, ago(), ago(), act(PEOPLE, "sessions-end")];
    let columns = ["admin-device", "admin-address", "admin-methods", "admin-began", "admin-used", "admin-act"];
    let table = table("sessions-title", &columns, vec![row; rows(t)], "admin-sessions-none").with_acts(may_act);
    let acts = if may_act { acts(&[("admin-end-sessions", false)]) } else { Vec::new() };
    part("sessions", "sessions-title", PartContent::Table(table), acts)
}

fn identities(t: Texts, may_act: bool) -> AdminPart {
    let remove = act(PEOPLE, "admin-remove-identity-button");
    let row = vec![Cell::code("google"), typed(t.return_to), typed(t.code), Cells::new(), remove];
    let columns = ["admin-provider", "admin-issuer", "admin-subject", "admin-used", "admin-act"];
    let table = table("connections-title", &columns, vec![row; rows(t)], "admin-identities-none").with_acts(may_act);
    part("identities", "connections-title", PartContent::Table(table), Vec::new())
}

fn teams(t: Texts) -> AdminPart {
    let row = vec![link(ORGANIZATIONS, t.name), words("kind", "kind", "team"), words("role", "role", "owner")];
    let columns = ["name", "account-organization-kind", "role-label"];
    let table = table("organizations-section", &columns, vec![row; rows(t)], "admin-organizations-none");
    part("organizations", "organizations-section", PartContent::Table(table), Vec::new())
}

fn mails() -> AdminPart {
    let table = table("admin-mails", &["admin-kind", "admin-state"], Vec::new(), "admin-mails-none");
    part("mails", "admin-mails", PartContent::Table(table), Vec::new())
}

fn log(t: Texts) -> AdminPart {
    let more = Some(("/auth/admin/audit".to_owned(), Key("admin-audit-all")));
    AdminPart { more, ..part("audit", "admin-audit", PartContent::Table(audit(t, "admin-audit")), Vec::new()) }
}

fn organizations(t: Texts) -> Vec<Sample> {
    let role = |role| words("role", "role", role);
    let member = vec![
        link(PEOPLE, t.email),
        typed(t.username),
        role("admin"),
        ago(),
        [act(PEOPLE, "admin-member-role"), act(PEOPLE, "admin-remove")].concat(),
    ];
    let state = words("admin-invitation-state", "state", "pending");
    let invitation = vec![typed(t.email), state, role("member"), ago(), moment(), act(PEOPLE, "admin-revoke")];
    let columns = ["email", "username", "role-label", "admin-joined", "admin-act"];
    let members = table("admin-members", &columns, vec![member; rows(t)], "admin-members-none");
    let columns = ["email", "admin-state", "role-label", "admin-created", "admin-ends", "admin-act"];
    let invitations = table("admin-invitations", &columns, vec![invitation; rows(t)], "admin-invitations-none");
    let organization = facts(vec![
        ("name", typed(t.name)),
        ("account-organization-kind", words("kind", "kind", "team")),
        ("admin-members", vec![Cell::Number(2)]),
        ("admin-created", moment()),
        ("admin-created-by", link(PEOPLE, t.email)),
        ("admin-id", vec![Cell::Code(id(t))]),
    ]);
    let next = Some((ORGANIZATIONS.to_owned(), Key("admin-next-page")));
    let parts = vec![
        part("organization", "admin-organization", organization, acts(&[("admin-organization-rename", false)])),
        AdminPart { more: next, ..part("members", "admin-members", PartContent::Table(members), Vec::new()) },
        part("invitations", "admin-invitations", PartContent::Table(invitations), Vec::new()),
        part("end", "admin-access", PartContent::Acts, acts(&[("admin-organization-delete", true)])),
    ];
    let parts: &[AdminPart] = parts.leak();
    let page = || thing(t, (ORGANIZATIONS, Key("organizations-section")), t.name, parts);
    vec![
        render("admin-organization", &page()),
        render("admin-organization-changed", &AdminDetailPage { notice: done("admin-done"), ..page() }),
    ]
}

fn job(t: Texts) -> Sample {
    let replayed = Message::new("admin-job-done").number("done", 12).number("total", 12_345);
    let facts = facts(vec![
        ("admin-job-replayed", vec![Cell::Words(replayed)]),
        ("admin-state", words("admin-delivery-state", "state", "pending")),
        ("admin-kind", Cells::new()),
        ("admin-since", moment()),
        ("admin-actor", link(PEOPLE, t.email)),
    ]);
    let failed = Some((DELIVERIES.to_owned(), Key("admin-deliveries-still-failed")));
    let parts = vec![AdminPart { more: failed, ..part("progress", "admin-job-progress", facts, Vec::new()) }];
    let running = [Cell::Tag(Message::new("admin-job-state").text("state", "running"))];
    let page = thing(t, (DELIVERIES, Key("admin-deliveries")), t.name, parts.leak());
    render("admin-job", &AdminDetailPage { tags: &running, renews: true, ..page })
}

fn overviews(t: Texts) -> Vec<Sample> {
    let point = |at: u16, hours| (AT - Duration::from_hours(hours) * u32::from(at), u64::from(at) * 1234);
    let chart = |id, title, count: u16, hours, is_daily| Chart {
        id,
        title: Key(title),
        points: (0..count.min(t.rows)).map(|at| point(at, hours)).collect(),
        is_daily,
    };
    let day = [
        chart("day-logins", "admin-logins", 24, 1, false),
        chart("day-login-failures", "admin-login-failures", 24, 0, false),
    ];
    let week = [chart("week-logins", "admin-logins", 7, 24, true)];
    let counted = |key| Message::new(key).number("count", 10_000);
    let figures = [
        (Key("admin-events-waiting"), vec![Cell::Words(counted("admin-counted"))]),
        (Key("admin-mails-not-sent"), vec![Cell::Alarm(counted("admin-counted-at-least"))]),
    ];
    let findings = [("DW-080", t.error.to_owned()), ("DW-081", t.error.to_owned())];
    let page = |role, findings| AdminOverviewPage {
        layout: administered(t, role, "/auth/admin", None),
        notice: done("setup-done"),
        findings,
        figures: &figures,
        day: &day,
        week: &week,
        command: "doorward doctor",
    };
    vec![
        render("admin-overview-new", &page(PlatformRole::Admin, &findings)),
        render("admin-overview-of-monitor", &page(PlatformRole::Monitor, &[])),
    ]
}
