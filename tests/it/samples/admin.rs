//! What the samples of administrators' pages have in common.

use super::texts::{AT, Texts, layout_of_viewer, shell};
use doorward::http::views::*;
use doorward::messages::{Key, Message};
use doorward::model::device::Device;
use doorward::model::ids::{SessionId, UserId};
use doorward::model::principal::Principal;
use doorward::model::roles::{PlatformRole, Roles};
use uuid::Uuid;

pub const PEOPLE: &str = "/auth/admin/people";
pub const ORGANIZATIONS: &str = "/auth/admin/organizations";
pub const DELIVERIES: &str = "/auth/admin/deliveries";

pub fn administered(
    t: Texts,
    role: PlatformRole,
    current: &str,
    form_error: Option<&'static Message>,
) -> &'static Shell<'static> {
    let (user, session, roles) = (UserId(Uuid::nil()), SessionId(Uuid::nil()), Roles::NONE.with(role));
    let principal = Principal::administrator(user, roles, session, Device::new("", None));
    shell(t, layout_of_viewer(t).with_administration(true), admin_sections(&principal, current), form_error)
}

pub fn link(href: &str, text: &str) -> Cells {
    vec![Cell::Link { href: href.to_owned(), text: text.to_owned() }]
}

pub fn typed(text: &str) -> Cells {
    Cell::typed(Some(text))
}

pub fn words(key: &'static str, name: &'static str, value: &str) -> Cells {
    vec![Cell::Words(Message::new(key).text(name, value))]
}

pub fn ago() -> Cells {
    Cell::ago(Some(AT))
}

pub fn moment() -> Cells {
    vec![Cell::Moment(AT)]
}

pub fn act(href: &str, key: &'static str) -> Cells {
    vec![Cell::Page { href: href.to_owned(), words: Message::new(key) }]
}

/// The length of a table among others.
pub fn rows(t: Texts) -> usize {
    usize::from(t.rows).div_ceil(10)
}

/// As long as an id.
pub fn id(t: Texts) -> String {
    format!("{0}-{0}", t.code)
}

pub fn table(title: &'static str, columns: &[&'static str], rows: Vec<Vec<Cells>>, empty: &'static str) -> Table {
    Table { caption: Key(title), columns: columns.iter().copied().map(Key).collect(), rows, empty: Message::new(empty) }
}

pub fn audit(t: Texts, title: &'static str) -> Table {
    let kind = |kind| words("activity-kind", "kind", kind);
    let actor = |actor| words("admin-actor-of", "actor", actor);
    let with = |kind: Cells, actor: Cells| vec![kind, actor, typed(t.error), Cell::code(t.place), ago()];
    let mut entries = vec![
        with(kind("sign_in_failed"), actor("unknown")),
        with(kind("account_disabled"), link(PEOPLE, t.email)),
        with(kind("recovery_codes_created"), actor("administrator")),
    ];
    entries.truncate(rows(t));
    table(
        title,
        &["admin-kind", "admin-actor", "admin-detail", "admin-address", "admin-when"],
        entries,
        "admin-audit-none",
    )
}

pub fn acts(acts: &[(&'static str, bool)]) -> Vec<ActLink> {
    let act = |(label, is_dangerous): &(&'static str, bool)| ActLink {
        href: PEOPLE.to_owned(),
        label: Key(label),
        is_dangerous: *is_dangerous,
    };
    acts.iter().map(act).collect()
}
