//! `/auth/admin/people`: finds people.

use super::Administrator;
use super::list_query::{ListQuery, choice, search};
use crate::domain::directory::people::{PeopleQuery, people};
use crate::domain::directory::people_place::PeoplePlace;
use crate::domain::directory::user::UserRecord;
use crate::http::page_error::PageError;
use crate::http::pages::page_context::PageContext;
use crate::http::views::{self, ActLink, AdminListPage, Cell, Cells, ListFilter, Table};
use crate::messages::{Key, Message};
use crate::model::ids::UserId;
use crate::model::principal::Operation;
use crate::model::roles::PlatformRole;
use crate::settings::{ServiceName, Settings};
use crate::store::UserState;
use axum::http::StatusCode;
use axum::response::Response;

pub(super) const PATH: &str = "/auth/admin/people";

const FIELDS: [&str; 3] = ["query", "state", "role"];

/// The states by which the list can be restricted.
const STATES: [(&str, UserState, &str); 3] = [
    ("active", UserState::Active, "admin-state-active"),
    ("disabled", UserState::Disabled, "admin-state-disabled"),
    ("unverified", UserState::Unverified, "admin-state-unverified"),
];

/// Lists people: those who fit what was typed, or the newest.
pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let admin = context.administrator(Operation::FindUsers).await?;
    let text = context.query.text("query").trim();
    let (state, role) = (state(&context), role(&context));
    let list = ListQuery::new(&context, PATH, &FIELDS);
    let wanted = PeopleQuery { text: Some(text.to_owned()), state, role };
    let after = context.query.get("after").and_then(PeoplePlace::parse);
    let mut conn = context.app.store.read(&admin.principal, Operation::FindUsers).await?;
    let found = people(&mut conn, &context.app.settings.name, &wanted, after.as_ref()).await?;
    drop(conn);
    let next = found.next.map(|place| list.link(Some(("after", &place.to_string()))));
    let first = after.map(|_| list.link(None));
    let view = AdminListPage {
        layout: &admin.shell(&context, PATH, None),
        title: Key("admin-people"),
        path: PATH,
        notice: None,
        filters: &filters(text, state, role),
        table: table(&context.app.settings, &found.data),
        folded: None,
        first: first.as_deref(),
        next: next.as_deref(),
        is_cut: found.is_cut,
        acts: &acts(&admin),
        command: "doorward user list",
    };
    Ok(views::page(StatusCode::OK, &view))
}

fn state(context: &PageContext) -> Option<UserState> {
    let value = context.query.get("state")?;
    STATES.into_iter().find(|(name, ..)| *name == value).map(|(_, state, _)| state)
}

fn role(context: &PageContext) -> Option<PlatformRole> {
    context.query.get("role").and_then(PlatformRole::parse)
}

fn filters(text: &str, state: Option<UserState>, role: Option<PlatformRole>) -> [ListFilter; 3] {
    let states = STATES.map(|(value, _, key)| (value, Message::new(key)));
    let state = STATES.into_iter().find(|(_, of, _)| state == Some(*of)).map_or("", |(value, ..)| value);
    let roles = PlatformRole::ALL.map(|of| (of.as_str(), Message::new("admin-role").text("role", of.as_str())));
    [
        search("query", "admin-search", "admin-people-search-hint", text),
        choice("state", "admin-state", states, state),
        choice("role", "admin-platform-role", roles, role.map_or("", PlatformRole::as_str)),
    ]
}

fn acts(admin: &Administrator) -> Vec<ActLink> {
    if !admin.may(Operation::CreateUser) {
        return Vec::new();
    }
    vec![ActLink { href: format!("{PATH}/new"), label: Key("admin-person-new"), is_dangerous: false }]
}

fn table(settings: &Settings, people: &[UserRecord]) -> Table {
    let mut columns =
        ["email", "username", "display-name", "admin-state", "admin-created", "admin-last-login"].to_vec();
    let mut rows: Vec<_> = people.iter().map(|user| row(&settings.name, user)).collect();
    if !settings.accounts.has_usernames() {
        columns.remove(USERNAME);
        for row in &mut rows {
            row.remove(USERNAME);
        }
    }
    Table {
        caption: Key("admin-people"),
        columns: columns.into_iter().map(Key).collect(),
        rows,
        empty: Message::new("admin-people-none"),
    }
}

/// The place of the column that is left out where people have no usernames.
const USERNAME: usize = 1;

fn row(name: &ServiceName, user: &UserRecord) -> Vec<Cells> {
    vec![
        vec![Cell::Link { href: path(user), text: user.label().account().to_owned() }],
        Cell::typed(Some(&user.username)),
        Cell::typed(user.name.as_deref()),
        states(name, user),
        Cell::ago(Some(user.created_at)),
        Cell::ago(user.last_login_at),
    ]
}

pub(super) fn path(user: &UserRecord) -> String {
    format!("{PATH}/{}", user.id)
}

/// The way to the page of a person who is told by id, if there was one: by what they are called, where the administrator
/// may know it.
pub(super) async fn link(
    context: &PageContext,
    admin: &Administrator,
    user: Option<UserId>,
) -> Result<Cells, PageError> {
    let Some(user) = user else { return Ok(Cells::new()) };
    if !admin.may(Operation::FindUsers) {
        return Ok(vec![Cell::Code(user.to_string())]);
    }
    let mut conn = context.app.store.read(&admin.principal, Operation::FindUsers).await?;
    let found = conn.user_find(user).await?;
    let text = found.map_or_else(|| user.to_string(), |row| row.label().account().to_owned());
    Ok(vec![Cell::Link { href: format!("{PATH}/{user}"), text }])
}

/// What an account is, beyond an ordinary one.
pub(super) fn states(name: &ServiceName, user: &UserRecord) -> Cells {
    let mut states = Vec::new();
    if user.disabled {
        states.push(Cell::Alarm(Message::new("admin-state-disabled")));
    }
    if !user.email_verified {
        states.push(Cell::Tag(Message::new("admin-state-unverified")));
    }
    let roles = user.roles.iter().filter_map(|role| name.parse_role(role));
    states.extend(roles.map(|role| Cell::Tag(Message::new("admin-role").text("role", role.as_str()))));
    if states.is_empty() { vec![Cell::words("admin-state-active")] } else { states }
}
