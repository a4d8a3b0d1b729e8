//! `doorward webhooks ping`

use super::show;
use crate::cli::failure::Failure;
use crate::cli::output::Output;
use crate::cli::{printable, words};
use crate::clock::Clock;
use crate::delivery::{self, Answer, Exchange};
use crate::settings::Settings;
use serde_json::{Value, json};
use std::io::Write;

/// Sends a test event and shows the exchange; fails unless the receiver took it.
pub(in crate::cli) async fn ping<W: Write>(settings: &Settings, out: &mut Output<W>) -> Result<(), Failure> {
    let name = &settings.name;
    let Some(webhooks) = &settings.webhooks else {
        let (url, secret) = (name.variable("WEBHOOK_URL"), name.variable("WEBHOOK_SECRET"));
        return Err(Failure::Operator(format!("webhooks are not configured: set {url} and {secret}")));
    };
    let exchange = delivery::ping(name, webhooks, &Clock::system()).await;
    let exchange = exchange.map_err(|error| Failure::Operator(error.to_string()))?;
    out.result(&record(&exchange), &description(&exchange))?;
    if exchange.is_delivered() { Ok(()) } else { Err(Failure::Refused(complaint(&exchange))) }
}

fn complaint(exchange: &Exchange) -> String {
    match &exchange.answer {
        Answer::Status { status, .. } => format!("the receiver answered {status}, not 2xx"),
        Answer::None { class, .. } => format!("the receiver did not answer: {}", words::outcome(class, None)),
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
    let answer = match &exchange.answer {
        Answer::Status { status, headers, headers_left_out, body } => json!({
            "outcome": if exchange.is_delivered() { "delivered" } else { "status" },
            "status": status,
            // A list, as a name may come more than once.
            "response_headers": headers.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect::<Vec<_>>(),
            "response_headers_left_out": headers_left_out,
            "response": String::from_utf8_lossy(body),
            "error": null,
        }),
        Answer::None { class, detail } => json!({
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
    let took = words::length(exchange.duration);
    match &exchange.answer {
        Answer::Status { status, headers, headers_left_out, body } => {
            lines.push(format!("\n< {status} after {took}"));
            lines.extend(headers.iter().map(|(name, value)| format!("< {name}: {}", printable::line(value))));
            if *headers_left_out > 0 {
                lines.push(format!("< … {headers_left_out} more"));
            }
            lines.push("<".to_owned());
            let body = printable::bytes(body);
            lines.extend(body.lines().map(|line| format!("< {line}")));
        }
        Answer::None { class, detail } => {
            let detail = printable::line(detail);
            lines.push(format!("\n! {} after {took}: {detail}", words::outcome(class, None)));
        }
    }
    lines.join("\n")
}
