//! The way of a mail to the mail server.

mod answer;
mod conversation;
mod message;

pub use answer::{Fault, Outcome, Reply, Stage};

use super::Content;
use crate::settings::Smtp;
use conversation::Conversation;
use lettre::transport::smtp::client::{Certificate, CertificateStore, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// An idle connection is given up after this time: servers close it soon after.
const IDLE: Duration = Duration::from_secs(30);

/// Sends mails over connections that are kept for the next ones.
pub struct Mailer {
    smtp: Smtp,
    tls: TlsParameters,
    hello: ClientId,
    idle: Mutex<Vec<(Conversation, Instant)>>,
}

/// The mailer cannot begin with these settings on this machine.
#[derive(Debug, thiserror::Error)]
pub enum MailerError {
    /// The certificates that vouch for the mail server cannot be used.
    #[error("the certificates for the mail server in {0} cannot be used: {1}")]
    Certificates(PathBuf, String),
    /// The library refused.
    #[error("TLS cannot be set up for the mail server: {0}")]
    Tls(String),
}

impl Mailer {
    /// A mailer for this server; `host` is the service's own, by which it introduces itself.
    pub fn new(smtp: &Smtp, host: &str) -> Result<Self, MailerError> {
        Ok(Self { smtp: smtp.clone(), tls: tls(smtp)?, hello: introduction(host), idle: Mutex::default() })
    }

    /// Makes one attempt.
    pub async fn send(&self, mail: &Content) -> Outcome {
        match self.try_send(mail).await {
            Ok(reply) => Outcome::Delivered(reply),
            Err(outcome) => outcome,
        }
    }

    async fn try_send(&self, mail: &Content) -> Result<Reply, Outcome> {
        let message = message::write(&self.smtp.from, mail).map_err(Outcome::Unsendable)?;
        let mut conversation = match self.kept().await {
            Some(conversation) => conversation,
            None => Conversation::begin(&self.smtp, &self.tls, &self.hello).await?,
        };
        match conversation.hand_over(&message).await {
            Ok(reply) => {
                self.keep(conversation);
                Ok(reply)
            }
            Err(outcome) => {
                // What the server thinks of the rest of this conversation is not known.
                conversation.end().await;
                Err(outcome)
            }
        }
    }

    /// A connection that an earlier mail left, if it still works; if not, it is likely that no other does.
    async fn kept(&self) -> Option<Conversation> {
        let (mut conversation, since) = self.lock().pop()?;
        let works = since.elapsed() < IDLE && conversation.is_alive().await;
        works.then_some(conversation)
    }

    fn keep(&self, conversation: Conversation) {
        let mut idle = self.lock();
        idle.retain(|(_, since)| since.elapsed() < IDLE);
        idle.push((conversation, Instant::now()));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<(Conversation, Instant)>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes leave of the server on every kept connection.
    pub async fn close(&self) {
        let idle = std::mem::take(&mut *self.lock());
        for (conversation, _) in idle {
            conversation.end().await;
        }
    }
}

fn tls(smtp: &Smtp) -> Result<TlsParameters, MailerError> {
    let mut builder = TlsParameters::builder(smtp.host.trim_matches(['[', ']']).to_owned());
    if let Some(file) = &smtp.ca_file {
        let refused = |error: String| MailerError::Certificates(file.clone(), error);
        let pem = std::fs::read(file).map_err(|error| refused(error.to_string()))?;
        let certificates = Certificate::from_pem(&pem).map_err(|error| refused(error.to_string()))?;
        builder = builder.certificate_store(CertificateStore::None).add_root_certificate(certificates);
    }
    builder.build_rustls().map_err(|error| MailerError::Tls(error.to_string()))
}

/// RFC 5321, 4.1.1.1: the client's name, or its address as a literal.
fn introduction(host: &str) -> ClientId {
    let address = host.trim_matches(['[', ']']);
    match (address.parse(), address.parse()) {
        (Ok(v4), _) => ClientId::Ipv4(v4),
        (_, Ok(v6)) => ClientId::Ipv6(v6),
        _ => ClientId::Domain(host.to_owned()),
    }
}
