//! `/auth/account/activity`: the audit log of the account, for the last 90 days.

use super::page_context::PageContext;
use crate::domain::account::activity::{Activity, activity};
use crate::domain::directory::list::ListRange;
use crate::http::device;
use crate::http::page_error::PageError;
use crate::http::views::{self, ActivityLine, ActivityPage, account_sections};
use crate::model::audit::AuditKind;
use crate::model::list_place::ListPlace;
use axum::http::StatusCode;
use axum::response::Response;

const PATH: &str = "/auth/account/activity";
const PAGE_SIZE: u32 = 50;

/// Shows one page of the log.
pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    let before = context.query.get("before").and_then(ListPlace::parse);
    let (app, user) = (&context.app, live.view.user_id);
    let range = ListRange { after: before.unwrap_or(ListPlace::START), limit: PAGE_SIZE };
    let found = activity(&app.store, &context.person(&live), user, range, app.clock.now()).await?;
    let next = found.next.map(|place| place.to_string());
    let entries: Vec<ActivityLine> = found.data.into_iter().map(|activity| activity_line(&context, activity)).collect();
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
