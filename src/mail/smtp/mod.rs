//! The SMTP client.

mod connection;
mod logo;
mod message;
mod outcome;

pub use outcome::{Reply, SmtpFailure, SmtpOutcome, Stage};

use super::Content;
use crate::brand::Brand;
use crate::model::time::Time;
use crate::settings::SmtpSettings;
use connection::SmtpConnection;
use lettre::transport::smtp::client::{Certificate, CertificateStore, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use logo::MailLogo;
use parking_lot::Mutex;
use std::path::PathBuf;
use std::time::Duration;
use tokio::time::Instant;

/// An idle connection is dropped after this time, as servers close it soon after.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// Sends emails, with a pool of idle connections.
pub struct Mailer {
    smtp: SmtpSettings,
    tls: TlsParameters,
    client_id: ClientId,
    logo: Option<MailLogo>,
    idle: Mutex<Vec<(SmtpConnection, Instant)>>,
}

/// Emails cannot be sent with these settings on this machine.
#[derive(Debug, thiserror::Error)]
pub enum MailerError {
    /// The root certificates for the mail server cannot be used.
    #[error("the certificates for the mail server in {0} cannot be used: {1}")]
    Certificates(PathBuf, String),
    #[error("TLS cannot be set up for the mail server: {0}")]
    Tls(String),
}

impl Mailer {
    /// A mailer for this server; `host` is the service's own, for the greeting, and the brand's logo goes with each email.
    pub fn new(smtp: &SmtpSettings, host: &str, brand: &Brand) -> Result<Self, MailerError> {
        let (client_id, logo) = (client_id(host), MailLogo::of(brand));
        Ok(Self { smtp: smtp.clone(), tls: tls(smtp)?, client_id, logo, idle: Mutex::default() })
    }

    /// Connects, starts TLS and logs in; sends nothing. Returns the end of the server's certificate, if it showed one.
    pub async fn log_in(&self) -> Result<Option<Time>, SmtpOutcome> {
        let connection = SmtpConnection::open(&self.smtp, &self.tls, &self.client_id).await?;
        let end = connection.certificate_end();
        connection.close().await;
        Ok(end)
    }

    pub async fn send(&self, mail: &Content) -> SmtpOutcome {
        match self.try_send(mail).await {
            Ok(reply) => SmtpOutcome::Delivered(reply),
            Err(outcome) => outcome,
        }
    }

    async fn try_send(&self, mail: &Content) -> Result<Reply, SmtpOutcome> {
        let message = message::format(&self.smtp.from, mail, self.logo.as_ref()).map_err(SmtpOutcome::Unsendable)?;
        let mut connection = match self.take_idle().await {
            Some(connection) => connection,
            None => SmtpConnection::open(&self.smtp, &self.tls, &self.client_id).await?,
        };
        match connection.send(&message).await {
            Ok(reply) => {
                self.put_idle(connection);
                Ok(reply)
            }
            Err(outcome) => {
                // The state of the SMTP session is unknown.
                connection.close().await;
                Err(outcome)
            }
        }
    }

    /// The last idle connection, if it still works; if not, the others are unlikely to.
    async fn take_idle(&self) -> Option<SmtpConnection> {
        let (mut connection, since) = self.idle.lock().pop()?;
        let works = since.elapsed() < IDLE_TIMEOUT && connection.is_alive().await;
        works.then_some(connection)
    }

    fn put_idle(&self, connection: SmtpConnection) {
        let mut idle = self.idle.lock();
        idle.retain(|(_, since)| since.elapsed() < IDLE_TIMEOUT);
        idle.push((connection, Instant::now()));
    }

    /// Closes the idle connections.
    pub async fn close(&self) {
        let idle = std::mem::take(&mut *self.idle.lock());
        for (connection, _) in idle {
            connection.close().await;
        }
    }
}

fn tls(smtp: &SmtpSettings) -> Result<TlsParameters, MailerError> {
    let mut builder = TlsParameters::builder(smtp.host.trim_matches(['[', ']']).to_owned());
    if let Some(file) = &smtp.ca_file {
        let invalid = |error: String| MailerError::Certificates(file.clone(), error);
        let pem = std::fs::read(file).map_err(|error| invalid(error.to_string()))?;
        let certificates = Certificate::from_pem(&pem).map_err(|error| invalid(error.to_string()))?;
        builder = builder.certificate_store(CertificateStore::None).add_root_certificate(certificates);
    }
    builder.build_rustls().map_err(|error| MailerError::Tls(error.to_string()))
}

/// RFC 5321, 4.1.1.1: the client's name, or its address as a literal.
fn client_id(host: &str) -> ClientId {
    let address = host.trim_matches(['[', ']']);
    match (address.parse(), address.parse()) {
        (Ok(v4), _) => ClientId::Ipv4(v4),
        (_, Ok(v6)) => ClientId::Ipv6(v6),
        _ => ClientId::Domain(host.to_owned()),
    }
}
