//! The receiver of webhooks: name, connection and TLS; with `--send`, a signed ping.

use super::call::CONNECT_TIMEOUT;
use super::certificate;
use super::report::Report;
use crate::clock::Clock;
use crate::delivery::{self, PingOutcome};
use crate::model::finding::{Finding, FindingCode};
use crate::outbound::{self, Unanswered};
use crate::settings::Settings;

const CHECK: &str = "webhooks";

pub(super) async fn examine(report: &mut Report, settings: &Settings, clock: &Clock, sends: bool) {
    let Some(webhooks) = &settings.webhooks else { return report.ok(CHECK, "off") };
    if let Some(warning) = webhooks.outage_warning(&settings.name) {
        report.found(CHECK, warning);
    }
    let variable = settings.name.variable("WEBHOOK_URL");
    // Without path and query, which may hold a token.
    let host = webhooks.url.authority().map_or("", |authority| authority.as_str());
    let Some(connected) = report.in_time(CHECK, outbound::connect(&webhooks.url, CONNECT_TIMEOUT)).await else {
        return;
    };
    let (check, code, message) = match connected {
        Ok(stream) => {
            certificate::examine(report, CHECK, host, outbound::certificate_end(&stream), clock);
            if sends {
                return ping(report, settings, clock).await;
            }
            return report.ok(CHECK, format!("{host} accepts connections; --send sends a signed ping"));
        }
        Err(Unanswered::Name(error)) => {
            ("dns", FindingCode::NameNotResolved, format!("{host}: {error}; check {variable} and the name in DNS"))
        }
        Err(Unanswered::Tls(error)) => {
            let remedy = "its certificate must be valid, for this name, and trusted by this machine";
            (CHECK, FindingCode::WebhooksTls, format!("{host}: {error}; {remedy}"))
        }
        Err(Unanswered::Connect(error) | Unanswered::Closed(error) | Unanswered::Timeout(error)) => {
            let remedy = format!("check that the application is up, and that {variable} is its address");
            (CHECK, FindingCode::WebhooksUnreachable, format!("{host}: {error}; {remedy}"))
        }
    };
    report.found(check, Finding::new(code, message));
}

async fn ping(report: &mut Report, settings: &Settings, clock: &Clock) {
    let Some(webhooks) = &settings.webhooks else { return };
    let Some(pinged) = report.in_time(CHECK, delivery::ping(&settings.name, webhooks, clock)).await else { return };
    let said = match pinged {
        Ok(exchange) if exchange.is_delivered() => return report.ok(CHECK, "the receiver accepted a signed ping"),
        Ok(exchange) => match exchange.outcome {
            PingOutcome::Status { status, .. } => format!("it answered {status}"),
            PingOutcome::None { detail, .. } => detail,
        },
        Err(error) => error.to_string(),
    };
    let message = format!("the receiver refused a signed ping: {said}; doorward webhooks ping shows the exchange");
    report.found(CHECK, Finding::new(FindingCode::WebhooksRefused, message));
}
