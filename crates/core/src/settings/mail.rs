//! Outgoing mail.

use super::duration;
use super::name::ServiceName;
use super::origin::host_and_port;
use super::problem::InvalidValue;
use super::reader::{Read, Reader};
use super::spec::section;
use crate::brand::Brand;
use crate::model::finding::{Finding, FindingCode};
use crate::model::this_machine::is_this_machine;
use lettre::message::Mailbox;
use percent_encoding::percent_decode_str;
use secrecy::SecretString;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug)]
pub struct MailSettings {
    /// The mail server; without one, emails wait in the queue.
    pub smtp: Option<SmtpSettings>,
    pub from: Option<Mailbox>,
    /// Whether this process delivers to itself what no mail server takes; no variable says so.
    pub stays_here: bool,
}

impl MailSettings {
    /// Whether emails are delivered in any way.
    pub fn is_delivered(&self) -> bool {
        self.smtp.is_some() || self.stays_here
    }

    /// The sender has the name of the operator's brand, if there is one, or if it has no name of its own.
    pub(super) fn sent_by(mut self, brand: &Brand) -> Self {
        let senders = self.from.iter_mut().chain(self.smtp.iter_mut().map(|smtp| &mut smtp.from));
        for sender in senders.filter(|sender| brand.name != Brand::DEFAULT_NAME || sender.name.is_none()) {
            sender.name = Some(brand.name.clone());
        }
        self
    }
}

/// The connection settings of a mail server.
#[derive(Clone, Debug)]
pub struct SmtpSettings {
    /// A name, an IPv4 address, or an IPv6 address in brackets.
    pub host: String,
    pub port: u16,
    pub security: Security,
    pub credentials: Option<Credentials>,
    pub from: Mailbox,
    /// Timeout of one step of the SMTP dialogue.
    pub timeout: Duration,
    /// A PEM file of trusted root certificates, instead of the system's.
    pub ca_file: Option<PathBuf>,
}

/// How TLS is established. Email leaves this machine with TLS only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Security {
    /// STARTTLS (RFC 3207), which the server must offer.
    StartTls,
    /// The server runs on this machine: STARTTLS if it offers it.
    Loopback,
    /// Implicit TLS (RFC 8314).
    Implicit,
}

/// Username and password for the mail server.
#[derive(Clone, Debug)]
pub struct Credentials {
    pub user: String,
    pub password: SecretString,
}

section! { "Mail";
    SMTP_URL: "URL", Unset("emails wait in the queue"), Url,
        "The mail server: smtp://USER:PASSWORD@HOST:PORT (STARTTLS, port 587) or smtps://… (TLS from the start, port \
        465). Without TLS, email goes to localhost only, by smtp://. Unset, emails wait in the database's queue: \
        `doorward mail list`.";
    MAIL_FROM: "email address", Unset("none; needed with SVC_SMTP_URL"), Public,
        "Sender of emails, such as Accounts <accounts@example.com>. With SVC_BRAND_NAME, that is the sender's name.";
    SMTP_TIMEOUT: "duration", Fixed("30s"), Public,
        "Time limit for the mail server to connect and for each answer; four times as long for the answer to a whole \
        email.";
    SMTP_CA_FILE: "path", Unset("the system's certificates"), Public,
        "A PEM file with the certificate authorities of the mail server, instead of the system's: for a server with a \
        private authority.";
}

pub(super) fn read(reader: &mut Reader<'_>) -> Read<MailSettings> {
    let server = reader.optional(&SMTP_URL, server);
    let from = reader.optional(&MAIL_FROM, mailbox);
    let timeout = reader.required(&SMTP_TIMEOUT, timeout);
    let ca_file = reader.optional(&SMTP_CA_FILE, |text| Ok::<_, InvalidValue>(PathBuf::from(text)));
    if reader.is_given(&SMTP_URL) && !reader.is_given(&MAIL_FROM) {
        let smtp_url = reader.variable(&SMTP_URL);
        reader.report(&MAIL_FROM, format!("is not set, but {smtp_url} is. Allowed: {MAILBOX}"));
    }
    let (server, from, timeout, ca_file) = (server?, from?, timeout?, ca_file?);
    let smtp = server.zip(from.clone()).map(|(server, from)| SmtpSettings {
        host: server.host,
        port: server.port,
        security: server.security,
        credentials: server.credentials,
        from,
        timeout,
        ca_file,
    });
    Ok(MailSettings { smtp, from, stays_here: false })
}

/// The parts of a mail server's URL.
struct SmtpServer {
    host: String,
    port: u16,
    security: Security,
    credentials: Option<Credentials>,
}

fn server(text: &str) -> Result<SmtpServer, InvalidValue> {
    let refusal =
        || InvalidValue::from("smtp:// or smtps://, perhaps USER:PASSWORD@ (percent-encoded), a host, perhaps a port");
    let (scheme, rest) = text.split_once("://").ok_or_else(refusal)?;
    let (security, default_port) = match scheme.to_ascii_lowercase().as_str() {
        "smtp" => (Security::StartTls, 587),
        "smtps" => (Security::Implicit, 465),
        _ => return Err(refusal()),
    };
    let authority = rest.strip_suffix('/').unwrap_or(rest);
    let (credentials, host) = match authority.rsplit_once('@') {
        Some((credentials, host)) => (Some(self::credentials(credentials).ok_or_else(refusal)?), host),
        None => (None, authority),
    };
    let (host, port) = host_and_port(&host.to_ascii_lowercase()).ok_or_else(refusal)?;
    let is_local = security == Security::StartTls && is_this_machine(&host);
    let security = if is_local { Security::Loopback } else { security };
    Ok(SmtpServer { host, port: port.unwrap_or(default_port), security, credentials })
}

impl MailSettings {
    /// Warns of mail that may go without TLS.
    pub fn without_tls(&self, name: &ServiceName) -> Option<Finding> {
        let smtp = self.smtp.as_ref().filter(|smtp| smtp.security == Security::Loopback)?;
        let (variable, host) = (name.variable(SMTP_URL.suffix), &smtp.host);
        let message =
            format!("{variable}: mail to {host} goes without TLS if the server there does not offer STARTTLS");
        Some(Finding::new(FindingCode::MailWithoutTls, message))
    }
}

fn credentials(text: &str) -> Option<Credentials> {
    let decode = |text| {
        let text = percent_decode_str(text).decode_utf8().ok()?;
        (!text.is_empty() && !text.contains(char::is_control)).then(|| text.into_owned())
    };
    let (user, password) = text.split_once(':').filter(|_| !text.contains(char::is_whitespace))?;
    Some(Credentials { user: decode(user)?, password: decode(password)?.into() })
}

const MAILBOX: &str = "a mail address, such as accounts@example.com or Accounts <accounts@example.com>";

fn mailbox(text: &str) -> Result<Mailbox, InvalidValue> {
    let mailbox: Option<Mailbox> = text.parse().ok().filter(|_| !text.contains(char::is_control));
    mailbox.ok_or_else(|| MAILBOX.into())
}

/// A longer timeout would delay retries of an email too much.
const MAX_SMTP_TIMEOUT: Duration = Duration::from_mins(10);

fn timeout(text: &str) -> Result<Duration, InvalidValue> {
    let refusal = || InvalidValue::from("a duration of at most 10m, such as 30s");
    duration::parse(text).ok().filter(|timeout| *timeout <= MAX_SMTP_TIMEOUT).ok_or_else(refusal)
}

#[cfg(test)]
#[path = "mail_tests.rs"]
mod tests;
