//! `/auth/admin`: what is still to be set, what waits, and what happened in the last day and week.

use crate::domain::directory::findings::findings;
use crate::domain::directory::overview::{Backlog, CountedSpan, MAX_COUNTED, Overview, overview};
use crate::http::page_error::PageError;
use crate::http::pages::page_context::PageContext;
use crate::http::views::{self, AdminOverviewPage, Cell, Cells, Chart};
use crate::messages::{Key, Message};
use crate::model::finding::Finding;
use crate::model::principal::Operation;
use crate::store::HourlySeries;
use axum::http::StatusCode;
use axum::response::Response;

const PATH: &str = "/auth/admin";

/// What is drawn, each with the ids of its charts.
const SERIES: [(HourlySeries, &str, [&str; 2]); 7] = [
    (HourlySeries::Signups, "admin-signups", ["day-signups", "week-signups"]),
    (HourlySeries::Logins, "admin-logins", ["day-logins", "week-logins"]),
    (HourlySeries::LoginFailures, "admin-login-failures", ["day-login-failures", "week-login-failures"]),
    (HourlySeries::Deliveries, "admin-deliveries-sent", ["day-deliveries", "week-deliveries"]),
    (HourlySeries::DeliveryFailures, "admin-deliveries-failed", ["day-delivery-failures", "week-delivery-failures"]),
    (HourlySeries::Mails, "admin-mails-sent", ["day-mails", "week-mails"]),
    (HourlySeries::MailFailures, "admin-mails-failed", ["day-mail-failures", "week-mail-failures"]),
];

pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let admin = context.administrator(Operation::ReadOverview).await?;
    let app = &context.app;
    let mut conn = app.store.read(&admin.principal, Operation::ReadOverview).await?;
    let Overview { day, week, events, mails } = overview(&mut conn, app.clock.now()).await?;
    let found = findings(app, &mut conn).await?;
    drop(conn);
    let found: Vec<(&str, String)> =
        found.into_iter().map(|Finding { code, message }| (code.as_str(), message)).collect();
    let notice = context.done_message(&[("setup", "setup-done")]);
    let view = AdminOverviewPage {
        layout: &admin.shell(&context, PATH, None),
        notice: notice.as_ref(),
        findings: &found,
        figures: &figures(events, mails),
        day: &charts(&day, false),
        week: &charts(&week, true),
        command: "doorward doctor",
    };
    Ok(views::page(StatusCode::OK, &view))
}

fn figures(events: Backlog, mails: Backlog) -> [(Key, Cells); 4] {
    [
        (Key("admin-events-waiting"), vec![counted(events.waiting, false)]),
        (Key("admin-events-failed"), vec![counted(events.failed, true)]),
        (Key("admin-mails-waiting"), vec![counted(mails.waiting, false)]),
        (Key("admin-mails-not-sent"), vec![counted(mails.failed, true)]),
    ]
}

/// What was not counted further is said to be as many or more.
fn counted(count: u64, is_alarming: bool) -> Cell {
    let number = usize::try_from(count).unwrap_or(usize::MAX);
    let words = if count < MAX_COUNTED { "admin-counted" } else { "admin-counted-at-least" };
    let words = Message::new(words).number("count", number);
    if is_alarming && count > 0 { Cell::Alarm(words) } else { Cell::Words(words) }
}

fn charts(spans: &[CountedSpan], is_daily: bool) -> Vec<Chart> {
    let chart = |(series, title, ids): (HourlySeries, &'static str, [&'static str; 2])| Chart {
        id: ids[usize::from(is_daily)],
        title: Key(title),
        points: spans.iter().map(|span| (span.from, span.counts.of(series))).collect(),
        is_daily,
    };
    SERIES.map(chart).into()
}
