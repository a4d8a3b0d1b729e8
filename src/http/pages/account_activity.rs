//! `/auth/account/activity`: the audit log of the account, for the last 90 days.

use super::page_context::PageContext;
use crate::domain::account::activity::{Activity, activity};
use crate::http::device;
use crate::http::page_error::PageError;
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
pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    let before = context.query.get("before").and_then(parse_cursor);
    let limit = i64::try_from(PAGE_SIZE + 1).unwrap_or(i64::MAX);
    let (app, user) = (&context.app, live.view.user_id);
    let found =
        activity(&app.store, &context.person(&live), user, before.unwrap_or(audit::NEWEST), limit, app.clock.now())
            .await;
    let mut found = found?;
    let more = found.len() > PAGE_SIZE;
    found.truncate(PAGE_SIZE);
    let next = found.last().filter(|_| more).map(|last| cursor(&last.entry));
    let entries: Vec<ActivityLine> = found.into_iter().map(|activity| activity_line(&context, activity)).collect();
    let csrf = context.csrf()?;
    let view = ActivityPage {
        layout: context.layout_for(&live, &csrf),
        sections: &account_sections(PATH),
        entries: &entries,
        has_previous_page: before.is_some(),
        next: next.as_deref(),
    };
    Ok(views::page(StatusCode::OK, &view))
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

fn activity_line(context: &PageContext, activity: Activity) -> ActivityLine {
    let Activity { entry, is_suspicious } = activity;
    let texts = context.layout().messages;
    let detail = match entry.kind() {
        Some(AuditKind::Confirmed | AuditKind::ConfirmFailed) if !entry.detail.is_empty() => {
            texts.t("activity-prompt").with("prompt", entry.detail.as_str()).to_string()
        }
        _ => entry.detail,
    };
    // An application's backend acts for its operator.
    let by_operator = entry.actor == "operator" || entry.actor.starts_with("key:");
    // The entry of a change by someone else whose device stays undisclosed has neither.
    let has_device = !(entry.user_agent.is_empty() && entry.address.is_empty());
    let device = (!by_operator && has_device).then(|| device::display_name(texts, &entry.user_agent));
    ActivityLine {
        kind: entry.kind,
        at: entry.at,
        times: entry.times,
        detail,
        device,
        address: entry.address,
        by_operator,
        suspicious: is_suspicious,
    }
}
