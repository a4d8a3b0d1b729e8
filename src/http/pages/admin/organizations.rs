//! `/auth/admin/organizations`: finds organizations.

use super::Administrator;
use super::act;
use super::list_query::{ListQuery, search};
use crate::domain::directory::organization::{self, NamePlace, OrganizationRecord};
use crate::http::page_error::PageError;
use crate::http::pages::page_context::PageContext;
use crate::http::views::{self, AdminListPage, Cell, Cells, Table};
use crate::messages::{Key, Message};
use crate::model::principal::Operation;
use axum::http::StatusCode;
use axum::response::Response;

pub(super) const PATH: &str = "/auth/admin/organizations";

/// Lists organizations: those whose id or whose name's beginning was typed, or the newest.
pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let admin = context.administrator(Operation::ListOrganizations).await?;
    let query = ListQuery::new(&context, PATH, &["query"]);
    let text = context.query.text("query").trim();
    let (found, next) = find(&context, &admin, text, &query).await?;
    let first = context.query.get("after").map(|_| query.link(None));
    let filter = search("query", "admin-search", "admin-organizations-search-hint", text);
    let notice = act::notice(&context);
    let view = AdminListPage {
        layout: &admin.shell(&context, PATH, None),
        title: Key("organizations-section"),
        path: PATH,
        notice: notice.as_ref(),
        filters: &[filter],
        table: table(found.iter().map(row).collect()),
        folded: None,
        first: first.as_deref(),
        next: next.as_deref(),
        is_cut: false,
        acts: &[],
        command: "doorward org list",
    };
    Ok(views::page(StatusCode::OK, &view))
}

/// A page of them, and the link to the next one.
async fn find(
    context: &PageContext,
    admin: &Administrator,
    text: &str,
    query: &ListQuery<'_>,
) -> Result<(Vec<OrganizationRecord>, Option<String>), PageError> {
    let mut conn = context.app.store.read(&admin.principal, Operation::ListOrganizations).await?;
    if text.is_empty() {
        let found = organization::list(&mut conn, query.range("after")).await?;
        return Ok((found.data, query.next("after", found.next)));
    }
    let after = context.query.get("after").and_then(NamePlace::parse);
    let (found, next) = organization::search(&mut conn, text, after).await?;
    Ok((found, next.map(|place| query.link(Some(("after", &place.to_string()))))))
}

fn table(rows: Vec<Vec<Cells>>) -> Table {
    Table {
        caption: Key("organizations-section"),
        columns: ["name", "account-organization-kind", "admin-members", "admin-created"].map(Key).to_vec(),
        rows,
        empty: Message::new("admin-organizations-empty"),
    }
}

fn row(organization: &OrganizationRecord) -> Vec<Cells> {
    vec![
        vec![Cell::Link { href: format!("{PATH}/{}", organization.id), text: organization.name.clone() }],
        vec![Cell::Words(Message::new("kind").text("kind", organization.kind.as_str()))],
        vec![Cell::Number(organization.members)],
        Cell::ago(Some(organization.created_at)),
    ]
}
