//! `/auth/admin/organizations`: finds organizations.

use super::Administrator;
use super::act;
use super::list_query::{ListQuery, search};
use crate::domain::directory::list::{ListRange, Listing};
use crate::domain::directory::organization::{self, OrganizationRecord};
use crate::http::page_error::PageError;
use crate::http::pages::page_context::PageContext;
use crate::http::views::{self, AdminListPage, Cell, Cells, Table};
use crate::messages::{Key, Message};
use crate::model::principal::Operation;
use axum::http::StatusCode;
use axum::response::Response;

pub(super) const PATH: &str = "/auth/admin/organizations";

/// Lists organizations: those with the id or name that was typed, or the newest.
pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let admin = context.administrator(Operation::ListOrganizations).await?;
    let query = ListQuery::new(&context, PATH, &["query"]);
    let text = context.query.text("query").trim();
    let found = find(&context, &admin, text, query.range("after")).await?;
    let (first, next) = (query.first(), query.next("after", found.next));
    let filter = search("query", "admin-search", "admin-organizations-search-hint", text);
    let notice = act::notice(&context);
    let view = AdminListPage {
        layout: admin.layout(&context),
        sections: &admin.sections(PATH),
        title: Key("organizations-section"),
        path: PATH,
        notice: notice.as_ref(),
        refusal: None,
        filters: &[filter],
        table: table(found.data.iter().map(row).collect()),
        folded: None,
        first: first.as_deref(),
        next: next.as_deref(),
        is_cut: false,
        acts: &[],
        command: "doorward org list",
    };
    Ok(views::page(StatusCode::OK, &view))
}

async fn find(
    context: &PageContext,
    admin: &Administrator,
    text: &str,
    range: ListRange,
) -> Result<Listing<OrganizationRecord>, PageError> {
    let mut conn = context.app.store.read(&admin.principal, Operation::ListOrganizations).await?;
    let found = if text.is_empty() {
        organization::list(&mut conn, range).await?
    } else {
        organization::named(&mut conn, text, range).await?
    };
    Ok(found)
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
