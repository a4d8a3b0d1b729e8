//! `doorward mail test`

use super::args::Test;
use crate::cli::failure::Failure;
use crate::cli::output::Output;
use crate::cli::wording::sentence;
use crate::cli::{format, printable};
use crate::clock::Clock;
use crate::domain::identity::identifiers::EmailAddress;
use crate::mail::{self, Mail, Mailer, SmtpOutcome};
use crate::settings::{Security, ServiceName, Settings, SmtpSettings};
use serde_json::json;
use std::time::Duration;
use tokio::time::Instant;

/// Sends a test email; fails unless the server accepts it.
pub(in crate::cli) async fn send_test(
    settings: Settings,
    arguments: Test,
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    let name = &settings.name;
    let Some(smtp) = &settings.mail.smtp else {
        let (url, from) = (name.variable("SMTP_URL"), name.variable("MAIL_FROM"));
        return Err(Failure::Operator(format!("mail is not set up: set {url} and {from}")));
    };
    let to = EmailAddress::parse(&arguments.to).map_err(|message| Failure::Refused(sentence(&message)))?;
    let (_, content) = mail::compose(
        &settings,
        Clock::system().now(),
        to.as_str(),
        settings.pages.catalog().default_language(),
        &Mail::Test,
    )?;
    let mailer = Mailer::new(smtp, settings.server.base_url.host(), &settings.pages.brand);
    let mailer = mailer.map_err(|error| Failure::Operator(error.to_string()))?;
    let started = Instant::now();
    let outcome = mailer.send(&content).await;
    let duration = started.elapsed();
    mailer.close().await;
    let reply = outcome.reply();
    let json = json!({
        "to": to.as_str(),
        "server": server(smtp),
        "message_id": content.message_id,
        "delivered": matches!(outcome, SmtpOutcome::Delivered(_)),
        "outcome": outcome.class(),
        "status": reply.map(|reply| reply.code),
        "response": reply.map(|reply| &reply.text),
        "error": reply.is_none().then(|| outcome.detail()),
        "duration_ms": duration.as_secs_f64() * 1000.0,
    });
    out.result(&json, &description(smtp, &content.message_id, &outcome, duration))?;
    match outcome {
        SmtpOutcome::Delivered(_) => Ok(()),
        failed => Err(Failure::Refused(failure_message(name, &failed))),
    }
}

fn server(smtp: &SmtpSettings) -> String {
    let tls = match smtp.security {
        Security::StartTls => "STARTTLS",
        Security::Loopback => "STARTTLS if offered",
        Security::Implicit => "TLS",
    };
    format!("{}:{} ({tls})", smtp.host, smtp.port)
}

fn description(smtp: &SmtpSettings, message_id: &str, outcome: &SmtpOutcome, duration: Duration) -> String {
    let reply = match outcome.reply() {
        Some(reply) => format!("< {} {}", reply.code, printable::line(&reply.text)),
        None => format!("! {}", printable::line(outcome.detail())),
    };
    let login = smtp
        .credentials
        .as_ref()
        .map_or_else(String::new, |credentials| format!(", as {}", printable::line(&credentials.user)));
    let from = printable::line(&smtp.from.to_string());
    let server = server(smtp);
    let duration = format::duration(duration);
    format!("> to {server}{login}\n> from {from}\n> Message-ID {message_id}\n{reply} after {duration}")
}

fn failure_message(name: &ServiceName, outcome: &SmtpOutcome) -> String {
    let status = outcome.reply().map(|reply| i64::from(reply.code));
    let advice = match outcome.class() {
        "name" | "connect" | "timeout" => "; is it up, and its port reachable from here?",
        "tls" => &format!(
            "; is its certificate for this name, and its authority trusted here ({})?",
            name.variable("SMTP_CA_FILE")
        ),
        "starttls" => "; for a port with TLS from the start, use smtps://",
        "closed" => "; for a port with TLS from the start use smtps://, else smtp://",
        "login" => "; are username and password those of the server?",
        "sender" => "; may this sender be used there?",
        _ => "",
    };
    format!("the mail server refused the email: {}{advice}", format::outcome(outcome.class(), status))
}
