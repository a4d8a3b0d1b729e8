//! Outgoing mail.

use super::origin::host_and_port;
use super::problem::Refusal;
use super::reader::{Read, Reader};
use super::spec::{DefaultValue, Exposure, Section, Spec};
use secrecy::SecretString;

/// Outgoing mail.
#[derive(Debug)]
pub struct Mail {
    /// `smtp://` (STARTTLS) or `smtps://`; may hold a password. Unset: mails wait in the queue.
    pub smtp_url: Option<SecretString>,
    /// The sender; set whenever `smtp_url` is.
    pub from: Option<String>,
}

static SMTP_URL: Spec = Spec {
    suffix: "SMTP_URL",
    kind: "URL",
    default: DefaultValue::Unset("mails wait in the queue"),
    exposure: Exposure::Url,
    meaning: "The mail server: smtp://USER:PASSWORD@HOST:PORT (STARTTLS) or smtps://… (TLS from the start). Without it, \
        mails wait in the database's queue.",
};

static MAIL_FROM: Spec = Spec {
    suffix: "MAIL_FROM",
    kind: "mail address",
    default: DefaultValue::Unset("none; needed with SVC_SMTP_URL"),
    exposure: Exposure::Public,
    meaning: "Sender of mails, such as Accounts <accounts@example.com>.",
};

pub(super) static SECTION: Section = Section { title: "Mail", settings: &[&SMTP_URL, &MAIL_FROM] };

pub(super) fn read(reader: &mut Reader<'_>) -> Read<Mail> {
    let smtp_url = reader.optional(&SMTP_URL, smtp_url);
    let from = reader.optional(&MAIL_FROM, mailbox);
    if reader.is_given(&SMTP_URL) && !reader.is_given(&MAIL_FROM) {
        let smtp_url = reader.variable(&SMTP_URL);
        reader.report(&MAIL_FROM, format!("is not set, but {smtp_url} is. Allowed: {MAILBOX}"));
    }
    Ok(Mail { smtp_url: smtp_url?, from: from? })
}

fn smtp_url(text: &str) -> Result<SecretString, Refusal> {
    let refusal =
        || "smtp:// or smtps://, perhaps user name and password (percent-encoded), a host, perhaps a port".into();
    let rest = text.strip_prefix("smtp://").or_else(|| text.strip_prefix("smtps://"));
    let authority = rest.and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or_default();
    let (credentials, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    let has_blank = credentials.contains(|c: char| c.is_whitespace() || c.is_control());
    let fits = !has_blank && host_and_port(&host.to_ascii_lowercase()).is_some();
    if fits { Ok(text.into()) } else { Err(refusal()) }
}

const MAILBOX: &str = "a mail address, such as accounts@example.com or Accounts <accounts@example.com>";

fn mailbox(text: &str) -> Result<String, Refusal> {
    let address = match text.split_once('<') {
        Some((_, rest)) => rest.strip_suffix('>').unwrap_or_default(),
        None => text,
    };
    let (local, domain) = address.rsplit_once('@').unwrap_or_default();
    let odd = |c: char| c.is_whitespace() || c.is_control() || "<>,;".contains(c);
    if local.is_empty() || domain.is_empty() || address.contains(odd) || text.contains(char::is_control) {
        return Err(MAILBOX.into());
    }
    Ok(text.to_owned())
}

#[cfg(test)]
#[path = "mail_tests.rs"]
mod tests;
