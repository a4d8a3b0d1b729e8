//! Events and emails that should have arrived.

use super::database::finding;
use super::report::Report;
use crate::model::finding::{Finding, FindingCode};
use crate::model::principal::{Operation, Principal};
use crate::settings::Settings;
use crate::store::{COUNT_LIMIT, DeliveryState, Queue, Store, StoreError};
use std::time::Duration;

const CHECK: &str = "deliveries";
/// What is due for longer waits for something that does not come by itself.
const LATE: Duration = Duration::from_mins(5);

pub(super) async fn examine(report: &mut Report, store: &Store, settings: &Settings) {
    match report.in_time(CHECK, counts(store, settings)).await {
        Some(Ok(counts)) => counts.report(report, settings),
        Some(Err(error)) => report.found(CHECK, finding(&error, CHECK)),
        None => {}
    }
}

/// Each counted up to [`COUNT_LIMIT`].
struct Counts {
    failed_events: u64,
    late_events: u64,
    late_mails: u64,
}

async fn counts(store: &Store, settings: &Settings) -> Result<Counts, StoreError> {
    let mut conn = store.read(&Principal::operator(), Operation::Diagnose).await?;
    let failed_events = conn.outbox_count(Queue::Webhook, DeliveryState::Failed, COUNT_LIMIT).await?;
    let late_events = match settings.webhooks {
        Some(_) => conn.outbox_count_due(Queue::Webhook, LATE, COUNT_LIMIT).await?,
        None => 0,
    };
    let late_mails = match settings.mail.smtp {
        Some(_) => conn.outbox_count_due(Queue::Mail, LATE, COUNT_LIMIT).await?,
        None => conn.outbox_count(Queue::Mail, DeliveryState::Pending, COUNT_LIMIT).await?,
    };
    Ok(Counts { failed_events, late_events, late_mails })
}

impl Counts {
    fn report(self, report: &mut Report, settings: &Settings) {
        let Self { failed_events, late_events, late_mails } = self;
        let mut found = |code, message| report.found(CHECK, Finding::new(code, message));
        if failed_events > 0 {
            let message = format!(
                "failed events: {failed_events}; doorward webhooks list --state failed shows why, and doorward \
                    webhooks replay --failed sends them again"
            );
            found(FindingCode::EventsNotDelivered, message);
        }
        if late_events > 0 {
            let message = format!(
                "events due for more than {} minutes: {late_events}; check that the service runs with webhooks \
                (doorward webhooks stats shows how fast it sends)",
                LATE.as_secs() / 60
            );
            found(FindingCode::EventsNotDelivered, message);
        }
        if late_mails > 0 {
            found(FindingCode::MailsWait, waiting_mails(late_mails, settings));
        }
        report.ok_unless_found(CHECK, "no failed events, and no delays");
    }
}

fn waiting_mails(number: u64, settings: &Settings) -> String {
    if settings.mail.smtp.is_none() {
        let variable = settings.name.variable("SMTP_URL");
        return format!(
            "emails waiting for a mail server: {number}; set {variable}, or pass on the links that doorward mail link \
            prints (doorward mail list lists them)"
        );
    }
    format!(
        "emails due for more than {} minutes: {number}; check that the service runs with this mail server \
        (doorward mail list --state pending lists them)",
        LATE.as_secs() / 60
    )
}
