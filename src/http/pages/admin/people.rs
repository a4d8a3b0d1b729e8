//! `/auth/admin/people`: finds people.

use super::Administrator;
use crate::domain::directory::people::{PeopleQuery, people};
use crate::domain::directory::people_place::PeoplePlace;
use crate::domain::directory::user::UserRecord;
use crate::http::page_error::PageError;
use crate::http::pages::page_context::PageContext;
use crate::http::return_to;
use crate::http::views::{self, ActLink, AdminListPage, Cell, Cells, Choice, Filter, FilterKind, Table};
use crate::messages::{Key, Message};
use crate::model::placeholder_email::is_placeholder;
use crate::model::principal::Operation;
use crate::model::roles::PlatformRole;
use crate::store::UserState;
use axum::http::StatusCode;
use axum::response::Response;

/// The list of people.
pub(super) const PATH: &str = "/auth/admin/people";

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
    let query = PeopleQuery { text: Some(text.to_owned()), state, role };
    let after = context.query.get("after").and_then(PeoplePlace::parse);
    let mut conn = context.app.store.read(&admin.principal, Operation::FindUsers).await?;
    let found = people(&mut conn, &context.app.settings.name, &query, after.as_ref()).await?;
    drop(conn);
    let next = found.next.map(|place| link(&context, Some(&place.to_string())));
    let first = after.map(|_| link(&context, None));
    let view = AdminListPage {
        layout: admin.layout(&context),
        sections: &admin.sections(PATH),
        title: Key("admin-people"),
        path: PATH,
        filters: &filters(text, state, role),
        table: table(found.data.iter().map(row).collect()),
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

/// The list with the same filters, after a place.
fn link(context: &PageContext, after: Option<&str>) -> String {
    let kept = ["query", "state", "role"].map(|name| (name, context.query.text(name)));
    let fields = kept.into_iter().chain([("after", after.unwrap_or_default())]).filter(|(_, value)| !value.is_empty());
    fields.fold(PATH.to_owned(), |path, (name, value)| return_to::with_query(&path, name, value))
}

fn filters(text: &str, state: Option<UserState>, role: Option<PlatformRole>) -> [Filter; 3] {
    let any = |selected| Choice { value: "", label: Message::new("admin-any"), selected };
    let mut states = vec![any(state.is_none())];
    states.extend(STATES.map(|(value, of, key)| Choice {
        value,
        label: Message::new(key),
        selected: state == Some(of),
    }));
    let mut roles = vec![any(role.is_none())];
    roles.extend(PlatformRole::ALL.map(|of| Choice {
        value: of.as_str(),
        label: Message::new("admin-role").text("role", of.as_str()),
        selected: role == Some(of),
    }));
    [
        Filter {
            name: "query",
            label: Key("admin-search"),
            kind: FilterKind::Search { value: text.to_owned(), hint: Key("admin-people-search-hint") },
        },
        Filter { name: "state", label: Key("admin-state"), kind: FilterKind::Choice(states) },
        Filter { name: "role", label: Key("admin-platform-role"), kind: FilterKind::Choice(roles) },
    ]
}

fn acts(admin: &Administrator) -> Vec<ActLink> {
    if !admin.may(Operation::CreateUser) {
        return Vec::new();
    }
    vec![ActLink { href: format!("{PATH}/new"), label: Key("admin-person-new"), is_dangerous: false }]
}

fn table(rows: Vec<Vec<Cells>>) -> Table {
    Table {
        caption: Key("admin-people"),
        columns: ["email", "username", "display-name", "admin-state", "admin-created", "admin-last-login"]
            .map(Key)
            .to_vec(),
        rows,
        empty: Message::new("admin-people-none"),
    }
}

fn row(user: &UserRecord) -> Vec<Cells> {
    vec![
        vec![Cell::Link { href: path(user), text: address_or_name(user).to_owned() }],
        Cell::typed(Some(&user.username)),
        Cell::typed(user.name.as_deref()),
        states(user),
        Cell::ago(Some(user.created_at)),
        Cell::ago(user.last_login_at),
    ]
}

/// The page of a person.
pub(super) fn path(user: &UserRecord) -> String {
    format!("{PATH}/{}", user.id)
}

/// What a person is called on these pages.
pub(super) fn address_or_name(user: &UserRecord) -> &str {
    if is_placeholder(&user.email) { &user.username } else { &user.email }
}

/// What an account is, beyond an ordinary one.
pub(super) fn states(user: &UserRecord) -> Cells {
    let mut states = Vec::new();
    if user.disabled {
        states.push(Cell::Alarm(Message::new("admin-state-disabled")));
    }
    if !user.email_verified {
        states.push(Cell::Tag(Message::new("admin-state-unverified")));
    }
    states.extend(user.roles.iter().map(|role| Cell::Code(role.clone())));
    if states.is_empty() { vec![Cell::words("admin-state-active")] } else { states }
}
