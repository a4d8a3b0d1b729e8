//! `doorward webhooks listen`

use super::args::Listen;
use super::forward::ForwardTarget;
use super::receiver::{ReceivedRequest, WebhookReceiver};
use super::show;
use super::signature_check::{Secrets, SignatureCheck};
use crate::cli::failure::Failure;
use crate::cli::local_server::StopSignals;
use crate::cli::output::Output;
use crate::cli::wording::shell_quote;
use crate::cli::{format, printable};
use crate::clock::Clock;
use crate::model::time::Time;
use crate::settings::name::WireHeader;
use crate::settings::{Environment, ServiceName};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::net::SocketAddr;
use tokio::sync::mpsc;

/// Maximum number of event ids remembered to recognize repeated events.
const MAX_REMEMBERED_IDS: usize = 100_000;
/// The default status for a valid event.
const ACCEPTED_STATUS: u16 = 204;
/// The default status for an invalid signature.
const INVALID_SIGNATURE_STATUS: u16 = 401;
/// The status if the application does not answer.
const BAD_GATEWAY_STATUS: u16 = 502;

pub(in crate::cli) async fn listen(
    name: &ServiceName,
    environment: &Environment,
    arguments: &Listen,
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    let secrets = Secrets::read(name, environment)?;
    let mut stop = StopSignals::new()?;
    let delay = arguments.delay.unwrap_or_default();
    let receiver = WebhookReceiver::bind(arguments.port, delay, arguments.forward_to.clone())
        .await
        .map_err(|error| Failure::Operator(format!("cannot listen on port {}: {error}", arguments.port)))?;
    let address = receiver.local_addr().map_err(Failure::Output)?;
    if arguments.forward_to.as_ref().is_some_and(|target| target.is(address)) {
        return Err(Failure::Operator("--forward-to names this listener itself".to_owned()));
    }
    print_intro(name, address, &secrets, arguments.forward_to.as_ref(), out)?;
    let (arrivals, mut arrived) = mpsc::channel(16);
    let running = receiver.run(arrivals);
    tokio::pin!(running);
    let mut listener = Listener { name, address, secrets, status_override: arguments.answer, received: HashMap::new() };
    loop {
        tokio::select! {
            ended = &mut running => return ended.map_err(Failure::Output),
            Some(request) = arrived.recv() => listener.handle(request, out)?,
            () = stop.stopped() => return Ok(()),
        }
    }
}

fn print_intro(
    name: &ServiceName,
    address: SocketAddr,
    secrets: &Secrets,
    forward_to: Option<&ForwardTarget>,
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    let variable = name.variable("WEBHOOK_SECRET");
    let mut text = format!("Listening; run the service with {}=http://{address}/", name.variable("WEBHOOK_URL"));
    if !secrets.is_given() {
        text = format!("{text}\n{variable} is not set: signatures are not checked");
    }
    let forward_to = forward_to.map(ForwardTarget::url);
    if let Some(url) = &forward_to {
        text = format!("{text}\nWhat arrives is passed on to {url}");
    }
    let json = json!({
        "listening": address.to_string(),
        "checks_signatures": secrets.is_given(),
        "forward_to": forward_to,
    });
    out.item(&json, &format!("{text}\nCtrl-C ends it."))
}

struct Listener<'a> {
    name: &'a ServiceName,
    address: SocketAddr,
    secrets: Secrets,
    status_override: Option<u16>,
    /// How often each event id was received.
    received: HashMap<String, u32>,
}

impl Listener<'_> {
    /// Verifies an event, prints it, and answers it.
    fn handle(&mut self, request: ReceivedRequest, out: &mut Output<'_>) -> Result<(), Failure> {
        let now = Clock::system().now();
        let signature_checks = self.secrets.verify(self.name, &request, now);
        let default_status = if signature_checks.is_wrong() { INVALID_SIGNATURE_STATUS } else { ACCEPTED_STATUS };
        let status = match &request.forwarded {
            Some(Ok(status)) => *status,
            Some(Err(_)) => BAD_GATEWAY_STATUS,
            None => self.status_override.unwrap_or(default_status),
        };
        let times = self.count(&request);
        let (kind, id) = (header(&request, self.name.event_header()), header(&request, self.name.delivery_header()));
        let curl = curl_command(&request, self.address, &self.prefix());
        let event = ReceivedEvent {
            answer: status,
            body: show::parsed(&request.body),
            curl: &curl,
            forward_error: request.forwarded.as_ref().and_then(|sent| sent.as_ref().err()),
            forwarded: request.forwarded.as_ref().map(Result::is_ok),
            id,
            kind,
            received_at: now,
            signature: signature_checks.hex,
            times_received: times,
            webhook_signature: signature_checks.standard,
        };
        let printed = out.item(&event, &event.description(self.name, &request.body));
        // The sender may have hung up.
        let _ = request.answer.send(status);
        printed
    }

    fn count(&mut self, request: &ReceivedRequest) -> u32 {
        if self.received.len() >= MAX_REMEMBERED_IDS {
            self.received.clear();
        }
        let times = self.received.entry(header(request, self.name.delivery_header()).to_owned()).or_default();
        *times = times.saturating_add(1);
        *times
    }

    /// The prefix of the headers named after the service.
    fn prefix(&self) -> String {
        format!("x-{}-", self.name)
    }
}

fn header<'a>(request: &'a ReceivedRequest, header: &WireHeader) -> &'a str {
    request.header(header.name().as_str()).unwrap_or("-")
}

#[derive(Serialize)]
struct ReceivedEvent<'a> {
    answer: u16,
    body: Value,
    curl: &'a str,
    forward_error: Option<&'a String>,
    forwarded: Option<bool>,
    id: &'a str,
    kind: &'a str,
    received_at: Time,
    signature: SignatureCheck,
    times_received: u32,
    webhook_signature: SignatureCheck,
}

impl ReceivedEvent<'_> {
    fn description(&self, name: &ServiceName, body: &[u8]) -> String {
        let times = self.times_received;
        let repeated = if times > 1 { format!("  (time {times})") } else { String::new() };
        let mut fields = vec![
            (name.signature_header().spelling(), signature_check(self.signature)),
            ("webhook-signature", signature_check(self.webhook_signature)),
            ("answered", self.answer.to_string()),
        ];
        fields.extend(self.forwarded.map(|_| {
            ("forwarded", self.forward_error.map_or_else(|| "yes".to_owned(), |error| format!("NO: {error}")))
        }));
        format!(
            "\n{}  {}  {}{repeated}\n{}\n{}\n  again: {}",
            self.received_at,
            printable::line(self.kind),
            printable::line(self.id),
            printable::indent(&format::fields(&fields), 2),
            printable::indent(&show::pretty(body), 2),
            printable::text(self.curl),
        )
    }
}

fn signature_check(SignatureCheck { reason, verdict }: SignatureCheck) -> String {
    match (reason, verdict) {
        (Some(reason), _) => format!("WRONG: {reason}"),
        (None, "unchecked") => "not checked".to_owned(),
        (None, verdict) => verdict.to_owned(),
    }
}

/// A POSIX shell command that resends the event byte for byte, with the headers that a receiver checks.
///
/// `service_prefix` is the prefix of the headers named after the service, in lower case: `x-svc-`.
fn curl_command(request: &ReceivedRequest, address: SocketAddr, service_prefix: &str) -> String {
    let is_sent =
        |name: &str| name == "content-type" || name.starts_with("webhook-") || name.starts_with(service_prefix);
    let headers = request.headers.iter().filter(|(name, _)| is_sent(name));
    let headers = headers.map(|(name, value)| format!(" -H {}", shell_quote(&format!("{name}: {value}"))));
    let headers = headers.collect::<Vec<_>>().concat();
    let url = shell_quote(&format!("http://{address}{}", request.path));
    match std::str::from_utf8(&request.body) {
        Ok(body) if !body.contains(|c: char| c.is_control() && c != '\n') => {
            format!("curl -i {url}{headers} --data-raw {}", shell_quote(body))
        }
        _ => {
            let body = STANDARD.encode(&request.body);
            format!("printf %s {body} | base64 -d | curl -i {url}{headers} --data-binary @-")
        }
    }
}

#[cfg(test)]
#[path = "listen_tests.rs"]
mod tests;
