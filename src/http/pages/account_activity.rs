//! `/auth/account/activity`: what happened to the account in the last 90 days.

use super::submission::{Member, Stop};
use super::visit::Visit;
use crate::http::device;
use crate::http::error::Fault;
use crate::http::views::{self, ActivityLine, ActivityPage, account_sections};
use crate::model::audit::{self, AuditKind};
use crate::model::ids::AuditId;
use crate::model::time::Time;
use crate::store::AuditRow;
use axum::http::StatusCode;
use axum::response::Response;
use uuid::Uuid;

const PATH: &str = "/auth/account/activity";
const ON_A_PAGE: usize = 50;

/// Shows it.
pub async fn show(visit: Visit) -> Result<Response, Stop> {
    let Member { mut visit, live } = visit.member(PATH).await?;
    let before = visit.query.get("before").and_then(parse);
    let found = async {
        let mut conn = visit.app.store.read().await?;
        let limit = i64::try_from(ON_A_PAGE + 1).unwrap_or(i64::MAX);
        conn.audit_list_of_user(live.view.user_id, before.unwrap_or(audit::NEWEST), limit).await
    };
    let mut rows = found.await.map_err(|error| Fault::new(error, visit.id))?;
    let more = rows.len() > ON_A_PAGE;
    rows.truncate(ON_A_PAGE);
    let next = rows.last().filter(|_| more).map(place);
    let entries: Vec<ActivityLine> = rows.into_iter().map(|row| line(&visit, row)).collect();
    let csrf = visit.csrf()?;
    let view = ActivityPage {
        chrome: visit.chrome_of(&live, &csrf),
        sections: &account_sections(PATH),
        entries: &entries,
        continued: before.is_some(),
        next: next.as_deref(),
    };
    let page = views::page(StatusCode::OK, &view);
    Ok(visit.answer(page))
}

/// An entry's place in the log, as it stands in a link.
fn place(row: &AuditRow) -> String {
    format!("{}.{}", row.at.as_micros(), row.id)
}

fn parse(text: &str) -> Option<(Time, AuditId)> {
    let (at, id) = text.split_once('.')?;
    // No later than the newest: PostgreSQL knows no later moment.
    let at = at.parse().ok().filter(|at| (0..=audit::NEWEST.0.as_micros()).contains(at))?;
    Some((Time::from_micros(at), AuditId(Uuid::try_parse(id).ok()?)))
}

fn line(visit: &Visit, row: AuditRow) -> ActivityLine {
    let alarming = matches!(row.kind(), Some(AuditKind::ReuseDetected | AuditKind::SecondFactorFailed));
    let by_operator = row.actor == "operator";
    let device = (!by_operator).then(|| device::in_words(visit.chrome().messages, &row.user_agent));
    ActivityLine {
        kind: row.kind,
        at: row.at,
        times: row.times,
        detail: row.detail,
        device,
        address: row.address,
        by_operator,
        alarming,
    }
}
