//! `/auth/account/activity`: the audit log of the account, for the last 90 days.

use super::change_form::LoggedIn;
use super::page_context::PageContext;
use crate::domain::account::activity::{Activity, ActivityFilter, activity};
use crate::domain::directory::list::ListRange;
use crate::http::device;
use crate::http::page_error::PageError;
use crate::http::views::{self, ActivityLine, ActivityPage, activity_icon};
use crate::model::audit::AuditKind;
use crate::model::list_place::ListPlace;
use crate::store::AuditRow;
use axum::http::StatusCode;
use axum::response::Response;

const PATH: &str = "/auth/account/activity";
const PAGE_SIZE: u32 = 50;

pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    let before = context.query.get("before").and_then(ListPlace::parse);
    let only_security = context.query.get("only") == Some("security");
    let filter = if only_security { ActivityFilter::Security } else { ActivityFilter::All };
    let (app, user) = (&context.app, live.view.user_id);
    let range = ListRange { after: before.unwrap_or(ListPlace::START), limit: PAGE_SIZE };
    let found = activity(&app.store, &context.principal(&live), user, filter, range, app.clock.now()).await?;
    let next = found.next.map(|place| place.to_string());
    let entries: Vec<ActivityLine> = found.data.into_iter().map(|activity| activity_line(&context, activity)).collect();
    let view = ActivityPage {
        layout: &LoggedIn { context: &context, live: &live }.shell(PATH, None)?,
        entries: &entries,
        only_security,
        has_previous_page: before.is_some(),
        next: next.as_deref(),
    };
    Ok(views::page(StatusCode::OK, &view))
}

fn activity_line(context: &PageContext, activity: Activity) -> ActivityLine {
    let Activity { entry, is_suspicious } = activity;
    let kind = entry.kind();
    ActivityLine {
        facts: facts(context, &entry).join(" · "),
        icon: activity_icon(kind),
        is_failure: kind.is_some_and(AuditKind::is_failure),
        kind: entry.kind,
        at: entry.at,
        times: entry.times,
        suspicious: is_suspicious,
    }
}

/// What is known beyond the kind.
fn facts(context: &PageContext, entry: &AuditRow) -> Vec<String> {
    let texts = context.layout().messages;
    let mut facts = Vec::new();
    match entry.kind() {
        _ if entry.detail.is_empty() => {}
        Some(AuditKind::Confirmed | AuditKind::ConfirmFailed) => {
            facts.push(texts.t("activity-prompt").with("prompt", entry.detail.as_str()).to_string());
        }
        _ => facts.push(entry.detail.clone()),
    }
    // An application's backend acts for its operator.
    if entry.actor == "operator" || entry.actor.starts_with("key:") {
        facts.push(texts.t("activity-by-operator").to_string());
    // The entry of a change by someone else whose device stays undisclosed has neither.
    } else if !(entry.user_agent.is_empty() && entry.address.is_empty()) {
        facts.push(device::display_name(texts, &entry.user_agent));
        facts.push(device::place(texts, &entry.address, context.device().address()));
    }
    facts
}
