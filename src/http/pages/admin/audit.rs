//! `/auth/admin/audit`: the audit log of everyone, on pages and as a file.

use super::list_query::{ListQuery, choice, search};
use super::{Administrator, person_tables};
use crate::domain::directory::audit::{self, AuditQuery, find_about};
use crate::domain::directory::audit_export::{self, AuditExport, AuditFormat};
use crate::http::page_error::PageError;
use crate::http::pages::page_context::PageContext;
use crate::http::return_to;
use crate::http::streamed;
use crate::http::views::{self, ActLink, AdminListPage, ListFilter, Problem};
use crate::messages::{Key, Message};
use crate::model::audit::AuditKind;
use crate::model::principal::Operation;
use crate::rate_limit::ChangeKind;
use crate::refusal::{ChangeError, Refusal};
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};

const PATH: &str = "/auth/admin/audit";
const EXPORT: &str = "/auth/admin/audit/export";
const FIELDS: [&str; 4] = ["query", "kind", "since", "until"];

pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let admin = context.administrator(Operation::ReadActivity).await?;
    page(&context, &admin, None).await
}

/// Downloads entries: at most 100,000, and none if there are more.
pub async fn export(context: PageContext) -> Result<Response, PageError> {
    let admin = context.administrator(Operation::ReadActivity).await?;
    // It leaves a trace in the log: neither another host nor a guess of the browser makes one.
    if context.method != Method::GET || !context.is_from_own_page() || context.headers.contains_key("sec-purpose") {
        return Err(Problem::NotForScripts.into());
    }
    context.require_recent_proof(&admin.live, &context.target)?;
    let Some(format) = context.query.get("format").and_then(AuditFormat::parse) else {
        return page(&context, &admin, Some(&Message::new("admin-audit-format"))).await;
    };
    let query = read_query(&context, &admin).await?;
    context.check_change_limit(&admin.live, ChangeKind::Exports).await?;
    match audit_export::export(&context.app, &admin.principal, query, format).await {
        Ok(export) => Ok(file(format, export)),
        Err(ChangeError::Refused(Refusal::Rule(_, why))) => page(&context, &admin, Some(&why)).await,
        Err(error) => Err(error.into()),
    }
}

fn file(format: AuditFormat, export: AuditExport) -> Response {
    let content_type = match format {
        AuditFormat::Ndjson => "application/x-ndjson",
        AuditFormat::Csv => "text/csv; charset=utf-8; header=present",
    };
    let headers = [
        (CONTENT_TYPE, content_type.to_owned()),
        (CACHE_CONTROL, "no-store".to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"audit-log.{}\"", format.as_str())),
    ];
    (StatusCode::OK, headers, streamed::of_export(export)).into_response()
}

fn list(context: &PageContext) -> ListQuery<'_> {
    ListQuery::new(context, PATH, &FIELDS)
}

async fn read_query(context: &PageContext, admin: &Administrator) -> Result<AuditQuery, PageError> {
    let text = context.query.text("query").trim();
    let about = if text.is_empty() {
        None
    } else {
        let mut conn = context.app.store.read(&admin.principal, Operation::ReadActivity).await?;
        Some(find_about(&mut conn, text).await?)
    };
    Ok(AuditQuery {
        about,
        kind: context.query.get("kind").and_then(AuditKind::parse),
        since: list(context).since(),
        until: list(context).until(),
    })
}

async fn page(context: &PageContext, admin: &Administrator, refusal: Option<&Message>) -> Result<Response, PageError> {
    let query = read_query(context, admin).await?;
    let list = list(context);
    let mut conn = context.app.store.read(&admin.principal, Operation::ReadActivity).await?;
    let found = audit::list(&mut conn, &query, list.range("after")).await?;
    let names = audit::names(&mut conn, &found.data).await?;
    drop(conn);
    let (first, next) = (list.first(), list.next("after", found.next));
    let view = AdminListPage {
        layout: &admin.shell(context, PATH, refusal),
        title: Key("admin-audit"),
        path: PATH,
        notice: None,
        filters: &filters(context),
        table: person_tables::audit_of_all(&found.data, &names),
        folded: None,
        first: first.as_deref(),
        next: next.as_deref(),
        is_cut: found.is_cut,
        acts: &downloads(context),
        command: &audit_export::command(&query),
    };
    let status = if refusal.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok(views::page(status, &view))
}

fn filters(context: &PageContext) -> Vec<ListFilter> {
    let kinds = AuditKind::ALL.map(|kind| (kind.as_str(), Message::new("activity-kind").text("kind", kind.as_str())));
    let mut filters = vec![
        search("query", "admin-search", "admin-audit-search-hint", context.query.text("query").trim()),
        choice("kind", "admin-kind", kinds, context.query.text("kind")),
    ];
    filters.extend(list(context).span_filters());
    filters
}

fn downloads(context: &PageContext) -> [ActLink; 2] {
    [(AuditFormat::Csv, "admin-audit-csv"), (AuditFormat::Ndjson, "admin-audit-ndjson")].map(|(format, label)| {
        let href = ListQuery::new(context, EXPORT, &FIELDS).link(None);
        let href = return_to::with_query(&href, "format", format.as_str());
        ActLink { href, label: Key(label), is_dangerous: false }
    })
}
