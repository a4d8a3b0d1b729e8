//! `doorward webhooks ping`

use super::show;
use crate::cli::failure::Failure;
use crate::cli::output::{Millis, Output};
use crate::cli::{format, printable};
use crate::clock::Clock;
use crate::delivery::{self, Exchange, PingOutcome, ShownHeader};
use crate::settings::Settings;
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;

#[derive(Default, Serialize)]
struct ExchangeRecord<'a> {
    delivered: bool,
    duration_ms: Millis,
    error: Option<&'a str>,
    id: String,
    outcome: &'a str,
    request: RequestRecord<'a>,
    response: Option<Cow<'a, str>>,
    /// A list, because a name may occur more than once.
    response_headers: &'a [ShownHeader],
    response_headers_left_out: usize,
    status: Option<u16>,
}

#[derive(Default, Serialize)]
struct RequestRecord<'a> {
    body: Value,
    headers: BTreeMap<&'a str, &'a str>,
    method: &'static str,
    url: &'a str,
}

/// Sends a test event and prints the exchange; fails unless the receiver accepts it.
pub(in crate::cli) async fn ping(settings: Settings, (): (), out: &mut Output<'_>) -> Result<(), Failure> {
    let name = &settings.name;
    let Some(webhooks) = &settings.webhooks else {
        let (url, secret) = (name.variable("WEBHOOK_URL"), name.variable("WEBHOOK_SECRET"));
        return Err(Failure::Operator(format!("webhooks are not configured: set {url} and {secret}")));
    };
    let exchange = delivery::ping(name, webhooks, &Clock::system()).await;
    let exchange = exchange.map_err(|error| Failure::Operator(error.to_string()))?;
    out.result(&ExchangeRecord::from(&exchange), &description(&exchange))?;
    if exchange.is_delivered() { Ok(()) } else { Err(Failure::Refused(failure_message(&exchange))) }
}

fn failure_message(exchange: &Exchange) -> String {
    match &exchange.outcome {
        PingOutcome::Status { status, .. } => format!("the receiver answered {status}, not 2xx"),
        PingOutcome::None { class, .. } => format!("the receiver did not answer: {}", format::outcome(class, None)),
    }
}

impl<'a> From<&'a Exchange> for ExchangeRecord<'a> {
    fn from(exchange: &'a Exchange) -> Self {
        let headers = exchange.headers.iter().map(|ShownHeader { name, value }| (name.as_str(), value.as_str()));
        let record = Self {
            delivered: exchange.is_delivered(),
            duration_ms: Millis(exchange.duration),
            id: exchange.id.wire(),
            request: RequestRecord {
                body: show::parsed(&exchange.body),
                headers: headers.collect(),
                method: "POST",
                url: &exchange.url,
            },
            ..Self::default()
        };
        match &exchange.outcome {
            PingOutcome::Status { status, headers, omitted_headers, body } => Self {
                outcome: if record.delivered { "delivered" } else { "status" },
                response: Some(String::from_utf8_lossy(body)),
                response_headers: headers,
                response_headers_left_out: *omitted_headers,
                status: Some(*status),
                ..record
            },
            PingOutcome::None { class, detail } => Self { error: Some(detail), outcome: class, ..record },
        }
    }
}

fn description(exchange: &Exchange) -> String {
    let line = |side, ShownHeader { name, value }: &ShownHeader| format!("{side} {name}: {}", printable::line(value));
    let mut lines = vec![format!("> POST {}", exchange.url)];
    lines.extend(exchange.headers.iter().map(|header| line('>', header)));
    lines.push(">".to_owned());
    lines.push(format!("> {}", printable::bytes(&exchange.body)));
    let duration = format::duration(exchange.duration);
    match &exchange.outcome {
        PingOutcome::Status { status, headers, omitted_headers, body } => {
            lines.push(format!("\n< {status} after {duration}"));
            lines.extend(headers.iter().map(|header| line('<', header)));
            if *omitted_headers > 0 {
                lines.push(format!("< … {omitted_headers} more"));
            }
            lines.push("<".to_owned());
            let body = printable::bytes(body);
            lines.extend(body.lines().map(|line| format!("< {line}")));
        }
        PingOutcome::None { class, detail } => {
            let detail = printable::line(detail);
            lines.push(format!("\n! {} after {duration}: {detail}", format::outcome(class, None)));
        }
    }
    lines.join("\n")
}
