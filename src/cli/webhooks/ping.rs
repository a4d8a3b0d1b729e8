//! `doorward webhooks ping`

use super::show;
use crate::cli::failure::Failure;
use crate::cli::output::Output;
use crate::cli::{format, printable};
use crate::clock::Clock;
use crate::delivery::{self, Exchange, PingOutcome};
use crate::settings::Settings;
use serde_json::{Value, json};
use std::io::Write;

/// Sends a test event and prints the exchange; fails unless the receiver accepts it.
pub(in crate::cli) async fn ping<W: Write>(settings: &Settings, out: &mut Output<W>) -> Result<(), Failure> {
    let name = &settings.name;
    let Some(webhooks) = &settings.webhooks else {
        let (url, secret) = (name.variable("WEBHOOK_URL"), name.variable("WEBHOOK_SECRET"));
        return Err(Failure::Operator(format!("webhooks are not configured: set {url} and {secret}")));
    };
    let exchange = delivery::ping(name, webhooks, &Clock::system()).await;
    let exchange = exchange.map_err(|error| Failure::Operator(error.to_string()))?;
    out.result(&record(&exchange), &description(&exchange))?;
    if exchange.is_delivered() { Ok(()) } else { Err(Failure::Refused(failure_message(&exchange))) }
}

fn failure_message(exchange: &Exchange) -> String {
    match &exchange.outcome {
        PingOutcome::Status { status, .. } => format!("the receiver answered {status}, not 2xx"),
        PingOutcome::None { class, .. } => format!("the receiver did not answer: {}", format::outcome(class, None)),
    }
}

fn record(exchange: &Exchange) -> Value {
    let headers: serde_json::Map<String, Value> =
        exchange.headers.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    let mut record = json!({
        "id": exchange.id.wire(),
        "delivered": exchange.is_delivered(),
        "duration_ms": exchange.duration.as_secs_f64() * 1000.0,
        "request": { "method": "POST", "url": exchange.url, "headers": headers, "body": show::parsed(&exchange.body) },
    });
    let answer = match &exchange.outcome {
        PingOutcome::Status { status, headers, omitted_headers, body } => json!({
            "outcome": if exchange.is_delivered() { "delivered" } else { "status" },
            "status": status,
            // A list, because a name may occur more than once.
            "response_headers": headers
                .iter()
                .map(|(name, value)| json!({ "name": name, "value": value }))
                .collect::<Vec<_>>(),
            "response_headers_left_out": omitted_headers,
            "response": String::from_utf8_lossy(body),
            "error": null,
        }),
        PingOutcome::None { class, detail } => json!({
            "outcome": class,
            "status": null,
            "response_headers": [],
            "response_headers_left_out": 0,
            "response": null,
            "error": detail,
        }),
    };
    if let (Value::Object(record), Value::Object(answer)) = (&mut record, answer) {
        record.extend(answer);
    }
    record
}

fn description(exchange: &Exchange) -> String {
    let mut lines = vec![format!("> POST {}", exchange.url)];
    lines.extend(exchange.headers.iter().map(|(name, value)| format!("> {name}: {}", printable::line(value))));
    lines.push(">".to_owned());
    lines.push(format!("> {}", printable::bytes(&exchange.body)));
    let duration = format::duration(exchange.duration);
    match &exchange.outcome {
        PingOutcome::Status { status, headers, omitted_headers, body } => {
            lines.push(format!("\n< {status} after {duration}"));
            lines.extend(headers.iter().map(|(name, value)| format!("< {name}: {}", printable::line(value))));
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
