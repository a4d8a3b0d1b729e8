//! `/auth/account/activity`: the audit log of the account, for the last 90 days.

use super::page_context::PageContext;
use super::submission::{EarlyResponse, LoggedIn};
use crate::http::device;
use crate::http::error::InternalError;
use crate::http::views::{self, ActivityLine, ActivityPage, account_sections};
use crate::model::audit::{self, AuditKind};
use crate::model::ids::AuditId;
use crate::model::time::Time;
use crate::store::AuditRow;
use axum::http::StatusCode;
use axum::response::Response;
use uuid::Uuid;

const PATH: &str = "/auth/account/activity";
const PAGE_SIZE: usize = 50;

/// Shows one page of the log.
pub async fn show(context: PageContext) -> Result<Response, EarlyResponse> {
    let LoggedIn { mut context, live } = context.require_login(PATH).await?;
    let before = context.query.get("before").and_then(parse_cursor);
    let found = async {
        let mut conn = context.app.store.read().await?;
        let limit = i64::try_from(PAGE_SIZE + 1).unwrap_or(i64::MAX);
        conn.audit_list_of_user(live.view.user_id, before.unwrap_or(audit::NEWEST), limit).await
    };
    let mut rows = found.await.map_err(|error| InternalError::new(error, context.id))?;
    let more = rows.len() > PAGE_SIZE;
    rows.truncate(PAGE_SIZE);
    let next = rows.last().filter(|_| more).map(cursor);
    let entries: Vec<ActivityLine> = rows.into_iter().map(|row| activity_line(&context, row)).collect();
    let csrf = context.csrf()?;
    let view = ActivityPage {
        layout: context.layout_for(&live, &csrf),
        sections: &account_sections(PATH),
        entries: &entries,
        has_previous_page: before.is_some(),
        next: next.as_deref(),
    };
    let page = views::page(StatusCode::OK, &view);
    Ok(context.respond(page))
}

/// The pagination cursor of an entry.
fn cursor(row: &AuditRow) -> String {
    format!("{}.{}", row.at.as_micros(), row.id)
}

fn parse_cursor(text: &str) -> Option<(Time, AuditId)> {
    let (at, id) = text.split_once('.')?;
    // At most `NEWEST`: PostgreSQL cannot represent later times.
    let at = at.parse().ok().filter(|at| (0..=audit::NEWEST.0.as_micros()).contains(at))?;
    Some((Time::from_micros(at), AuditId(Uuid::try_parse(id).ok()?)))
}

fn activity_line(context: &PageContext, row: AuditRow) -> ActivityLine {
    let suspicious = matches!(row.kind(), Some(AuditKind::ReuseDetected | AuditKind::SecondFactorFailed));
    let by_operator = row.actor == "operator";
    // The entry of a change by someone else whose device stays undisclosed has neither.
    let has_device = !(row.user_agent.is_empty() && row.address.is_empty());
    let device = (!by_operator && has_device).then(|| device::display_name(context.layout().messages, &row.user_agent));
    ActivityLine {
        kind: row.kind,
        at: row.at,
        times: row.times,
        detail: row.detail,
        device,
        address: row.address,
        by_operator,
        suspicious,
    }
}
