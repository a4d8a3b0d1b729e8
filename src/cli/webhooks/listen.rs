//! `doorward webhooks listen`

use super::args::Listen;
use super::forward::ForwardTarget;
use super::receiver::{ReceivedRequest, WebhookReceiver};
use super::signature_check::{Secrets, SignatureCheck, SignatureChecks};
use super::{curl, show};
use crate::cli::failure::Failure;
use crate::cli::output::Output;
use crate::cli::{format, printable};
use crate::clock::Clock;
use crate::settings::name::WireHeader;
use crate::settings::{Environment, ServiceName};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::Write;
use std::net::SocketAddr;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

/// Maximum number of event ids remembered to recognize repeated events.
const MAX_REMEMBERED_IDS: usize = 100_000;
/// The default status for a valid event.
const ACCEPTED_STATUS: u16 = 204;
/// The default status for an invalid signature.
const INVALID_SIGNATURE_STATUS: u16 = 401;
/// The status if the application does not answer.
const BAD_GATEWAY_STATUS: u16 = 502;

/// Receives webhooks until Ctrl-C.
pub(in crate::cli) async fn listen<W: Write>(
    name: &ServiceName,
    environment: &Environment,
    arguments: &Listen,
    out: &mut Output<W>,
) -> Result<(), Failure> {
    let secrets = Secrets::read(name, environment)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(Failure::Output)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(Failure::Output)?;
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
            _ = interrupt.recv() => return Ok(()),
            _ = terminate.recv() => return Ok(()),
        }
    }
}

fn print_intro<W: Write>(
    name: &ServiceName,
    address: SocketAddr,
    secrets: &Secrets,
    forward_to: Option<&ForwardTarget>,
    out: &mut Output<W>,
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
    fn handle<W: Write>(&mut self, request: ReceivedRequest, out: &mut Output<W>) -> Result<(), Failure> {
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
        let curl = curl::curl_command(&request, self.address, &self.prefix());
        let event = ReceivedEvent {
            kind,
            id,
            times,
            status,
            signature_checks: &signature_checks,
            forwarded: request.forwarded.as_ref(),
            body: &request.body,
            curl: &curl,
        };
        let printed = out.item(&event.record(now), &event.description(self.name, now));
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

/// An event with what is printed of it.
struct ReceivedEvent<'a> {
    kind: &'a str,
    id: &'a str,
    times: u32,
    status: u16,
    signature_checks: &'a SignatureChecks,
    forwarded: Option<&'a Result<u16, String>>,
    body: &'a [u8],
    curl: &'a str,
}

impl ReceivedEvent<'_> {
    fn record(&self, now: crate::model::time::Time) -> Value {
        let reason = |check: &SignatureCheck| match check {
            SignatureCheck::Wrong(reason) => Some(*reason),
            _ => None,
        };
        let result = |check: &SignatureCheck| json!({"verdict": check.as_str(), "reason": reason(check)});
        json!({
            "received_at": now,
            "kind": self.kind,
            "id": self.id,
            "times_received": self.times,
            "signature": result(&self.signature_checks.hex),
            "webhook_signature": result(&self.signature_checks.standard),
            "answer": self.status,
            "forwarded": self.forwarded.map(Result::is_ok),
            "forward_error": self.forwarded.and_then(|sent| sent.as_ref().err()),
            "body": show::parsed(self.body),
            "curl": self.curl,
        })
    }

    fn description(&self, name: &ServiceName, now: crate::model::time::Time) -> String {
        let repeated = if self.times > 1 { format!("  (time {})", self.times) } else { String::new() };
        let mut fields = vec![
            (name.signature_header().spelling(), signature_check(&self.signature_checks.hex)),
            ("webhook-signature", signature_check(&self.signature_checks.standard)),
            ("answered", self.status.to_string()),
        ];
        fields.extend(self.forwarded.map(|sent| {
            ("forwarded", sent.as_ref().map_or_else(|error| format!("NO: {error}"), |_| "yes".to_owned()))
        }));
        format!(
            "\n{now}  {}  {}{repeated}\n{}\n{}\n  again: {}",
            printable::line(self.kind),
            printable::line(self.id),
            printable::indent(&format::fields(&fields), 2),
            printable::indent(&show::pretty(self.body), 2),
            printable::text(self.curl),
        )
    }
}

fn signature_check(signature_check: &SignatureCheck) -> String {
    match signature_check {
        SignatureCheck::Right => "ok".to_owned(),
        SignatureCheck::Wrong(reason) => format!("WRONG: {reason}"),
        SignatureCheck::Unchecked => "not checked".to_owned(),
    }
}
