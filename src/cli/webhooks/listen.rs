//! `doorward webhooks listen`

use super::args::Listen;
use super::receiver::{Arrival, WebhookReceiver};
use super::verdict::{Secrets, Verdict, Verdicts};
use super::{curl, show};
use crate::cli::failure::Failure;
use crate::cli::output::Output;
use crate::cli::{printable, words};
use crate::clock::Clock;
use crate::settings::name::WireHeader;
use crate::settings::{Environment, ServiceName};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::Write;
use std::net::SocketAddr;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

/// So many ids are remembered to tell a repeated event from a new one.
const REMEMBERED: usize = 100_000;
/// What the specification's sample handler answers to an event (interface.md 4.4).
const SAMPLE_ANSWER: u16 = 204;
/// What the specification's sample handler answers to a wrong signature (interface.md 5).
const SAMPLE_REFUSAL: u16 = 401;

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
    let receiver = WebhookReceiver::bind(arguments.port, arguments.delay.unwrap_or_default())
        .await
        .map_err(|error| Failure::Operator(format!("port {} cannot be listened on: {error}", arguments.port)))?;
    let address = receiver.local_addr().map_err(Failure::Output)?;
    greet(name, address, &secrets, out)?;
    let (arrivals, mut arrived) = mpsc::channel(16);
    let running = receiver.run(arrivals);
    tokio::pin!(running);
    let mut listener = Listener { name, address, secrets, chosen: arguments.answer, seen: HashMap::new() };
    loop {
        tokio::select! {
            ended = &mut running => return ended.map_err(Failure::Output),
            Some(arrival) = arrived.recv() => listener.take(arrival, out)?,
            _ = interrupt.recv() => return Ok(()),
            _ = terminate.recv() => return Ok(()),
        }
    }
}

fn greet<W: Write>(
    name: &ServiceName,
    address: SocketAddr,
    secrets: &Secrets,
    out: &mut Output<W>,
) -> Result<(), Failure> {
    let variable = name.variable("WEBHOOK_SECRET");
    let mut text = format!("Listening; run the service with {}=http://{address}/", name.variable("WEBHOOK_URL"));
    if !secrets.is_given() {
        text = format!("{text}\n{variable} is not set: signatures are not checked");
    }
    let json = json!({"listening": address.to_string(), "checks_signatures": secrets.is_given()});
    out.item(&json, &format!("{text}\nCtrl-C ends it."))
}

struct Listener<'a> {
    name: &'a ServiceName,
    address: SocketAddr,
    secrets: Secrets,
    chosen: Option<u16>,
    /// How often each id came.
    seen: HashMap<String, u32>,
}

impl Listener<'_> {
    /// Judges an event, shows it, and has it answered.
    fn take<W: Write>(&mut self, arrival: Arrival, out: &mut Output<W>) -> Result<(), Failure> {
        let now = Clock::system().now();
        let verdicts = self.secrets.judge(self.name, &arrival, now);
        let usual = if verdicts.is_wrong() { SAMPLE_REFUSAL } else { SAMPLE_ANSWER };
        let status = self.chosen.unwrap_or(usual);
        let times = self.count(&arrival);
        let (kind, id) = (header(&arrival, self.name.event_header()), header(&arrival, self.name.delivery_header()));
        let again = curl::repeating(&arrival, self.address, &self.prefix());
        let event = Event { kind, id, times, status, verdicts: &verdicts, body: &arrival.body, curl: &again };
        let shown = out.item(&event.record(now), &event.description(self.name, now));
        // The sender may have hung up.
        let _ = arrival.answer.send(status);
        shown
    }

    fn count(&mut self, arrival: &Arrival) -> u32 {
        if self.seen.len() >= REMEMBERED {
            self.seen.clear();
        }
        let times = self.seen.entry(header(arrival, self.name.delivery_header()).to_owned()).or_default();
        *times = times.saturating_add(1);
        *times
    }

    /// What the headers that are named after the service begin with.
    fn prefix(&self) -> String {
        format!("x-{}-", self.name)
    }
}

fn header<'a>(arrival: &'a Arrival, header: &WireHeader) -> &'a str {
    arrival.header(header.name().as_str()).unwrap_or("-")
}

/// An event as it is shown.
struct Event<'a> {
    kind: &'a str,
    id: &'a str,
    times: u32,
    status: u16,
    verdicts: &'a Verdicts,
    body: &'a [u8],
    curl: &'a str,
}

impl Event<'_> {
    fn record(&self, now: crate::model::time::Time) -> Value {
        let reason = |verdict: &Verdict| match verdict {
            Verdict::Wrong(why) => Some(*why),
            _ => None,
        };
        let verdict = |verdict: &Verdict| json!({"verdict": verdict.word(), "reason": reason(verdict)});
        json!({
            "received_at": now,
            "kind": self.kind,
            "id": self.id,
            "times_received": self.times,
            "signature": verdict(&self.verdicts.hex),
            "webhook_signature": verdict(&self.verdicts.standard),
            "answer": self.status,
            "body": show::parsed(self.body),
            "curl": self.curl,
        })
    }

    fn description(&self, name: &ServiceName, now: crate::model::time::Time) -> String {
        let repeated = if self.times > 1 { format!("  (time {})", self.times) } else { String::new() };
        let rows = [
            vec![name.signature_header().spelling().to_owned(), verdict(&self.verdicts.hex)],
            vec!["webhook-signature".to_owned(), verdict(&self.verdicts.standard)],
            vec!["answered".to_owned(), self.status.to_string()],
        ];
        format!(
            "\n{now}  {}  {}{repeated}\n{}\n{}\n  again: {}",
            printable::line(self.kind),
            printable::line(self.id),
            printable::indent(&words::table(&rows), 2),
            printable::indent(&show::pretty(self.body), 2),
            printable::text(self.curl),
        )
    }
}

fn verdict(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Right => "ok".to_owned(),
        Verdict::Wrong(why) => format!("WRONG: {why}"),
        Verdict::Unchecked => "not checked".to_owned(),
    }
}
