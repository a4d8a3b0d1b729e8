//! A connection to a mail server. Each command is a step of its own, so that it is known how far an attempt came.

use super::outcome::{Reply, SmtpFailure, SmtpOutcome, Stage};
use crate::model::time::Time;
use crate::outbound;
use crate::settings::{Credentials, Security, SmtpSettings};
use lettre::Message;
use lettre::transport::smtp::authentication::{self, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailParameter};
use secrecy::ExposeSecret;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::timeout;

/// The timeout of the reply to a whole email, in timeouts of other replies. RFC 5321, 4.5.3.2.6 requires a longer one,
/// as giving up here leads to a duplicate.
const END_OF_DATA_TIMEOUT_FACTOR: u32 = 4;
/// The reply to QUIT does not matter.
const QUIT_TIMEOUT: Duration = Duration::from_secs(1);

/// An authenticated connection that is ready to send emails.
pub(super) struct SmtpConnection {
    connection: AsyncSmtpConnection,
    timeout: Duration,
}

impl SmtpConnection {
    /// Connects, starts TLS, and authenticates.
    pub(super) async fn open(
        smtp: &SmtpSettings,
        tls: &TlsParameters,
        client_id: &ClientId,
    ) -> Result<Self, SmtpOutcome> {
        let addresses = with_timeout(smtp.timeout, resolve(smtp)).await??;
        let connection = with_timeout(smtp.timeout, connect(smtp, &addresses, tls, client_id)).await??;
        let mut connection = Self { connection, timeout: smtp.timeout };
        let starts_tls = match smtp.security {
            Security::Implicit => false,
            Security::StartTls => true,
            // A name such as localhost could lead elsewhere.
            Security::Loopback => connection.connection.can_starttls() || !addresses.iter().all(is_loopback),
        };
        if starts_tls {
            connection.start_tls(tls, client_id).await?;
        }
        if let Some(credentials) = &smtp.credentials {
            connection.authenticate(credentials).await?;
        }
        Ok(connection)
    }

    /// The end of the server's certificate; `None` without TLS.
    pub(super) fn certificate_end(&self) -> Option<Time> {
        outbound::end_of(&self.connection.peer_certificate().ok()?)
    }

    /// Starts TLS with STARTTLS; if the server does not offer it, neither an email nor a password is sent.
    async fn start_tls(&mut self, tls: &TlsParameters, client_id: &ClientId) -> Result<(), SmtpOutcome> {
        if !self.connection.can_starttls() {
            return Err(SmtpOutcome::unanswered(SmtpFailure::StartTls, "the server does not offer STARTTLS"));
        }
        let encrypted = with_timeout(self.timeout, self.connection.starttls(tls.clone(), client_id)).await?;
        encrypted.map_err(|error| SmtpOutcome::from_error(Stage::Session, &error))
    }

    async fn authenticate(&mut self, credentials: &Credentials) -> Result<(), SmtpOutcome> {
        const MECHANISMS: [Mechanism; 2] = [Mechanism::Plain, Mechanism::Login];
        let password = credentials.password.expose_secret().to_owned();
        let credentials = authentication::Credentials::new(credentials.user.clone(), password);
        let offers = |mechanism| self.connection.server_info().supports_auth_mechanism(mechanism);
        if !MECHANISMS.into_iter().any(offers) {
            let detail = if offers(Mechanism::Xoauth2) {
                "the server takes no login with a password, only OAuth tokens (XOAUTH2), which Doorward does not send"
            } else {
                "the server takes no login with a password (AUTH PLAIN or LOGIN)"
            };
            return Err(SmtpOutcome::unanswered(SmtpFailure::Auth, detail));
        }
        let logged_in = with_timeout(self.timeout, self.connection.auth(&MECHANISMS, &credentials)).await?;
        logged_in.map(drop).map_err(|error| SmtpOutcome::from_error(Stage::Auth, &error))
    }

    /// Sends an email; returns the server's reply to it.
    pub(super) async fn send(&mut self, message: &Message) -> Result<Reply, SmtpOutcome> {
        let envelope = message.envelope();
        let mut parameters = Vec::new();
        if envelope.from().into_iter().chain(envelope.to()).any(|address| !address.to_string().is_ascii()) {
            if !self.connection.server_info().supports_feature(Extension::SmtpUtfEight) {
                return Err(SmtpOutcome::Unsendable(
                    "the server takes no addresses beyond ASCII (SMTPUTF8)".to_owned(),
                ));
            }
            parameters.push(MailParameter::SmtpUtfEight);
        }
        self.command(Stage::Sender, Mail::new(envelope.from().cloned(), parameters)).await?;
        for recipient in envelope.to() {
            self.command(Stage::Mail, Rcpt::new(recipient.clone(), Vec::new())).await?;
        }
        self.command(Stage::Mail, Data).await?;
        self.send_data(&message.formatted()).await
    }

    async fn command(&mut self, stage: Stage, command: impl std::fmt::Display) -> Result<(), SmtpOutcome> {
        let answer = with_timeout(self.timeout, self.connection.command(command)).await?;
        answer.map(drop).map_err(|error| SmtpOutcome::from_error(stage, &error))
    }

    /// Sends the email itself. Once all of it is written, it is unknown whether the server accepted it, until the
    /// reply.
    async fn send_data(&mut self, mail: &[u8]) -> Result<Reply, SmtpOutcome> {
        let written = AtomicBool::new(false);
        let parts = SinglePart { mail: Some(mail), written: &written };
        let answer = timeout(self.timeout * END_OF_DATA_TIMEOUT_FACTOR, self.connection.message_iter(parts)).await;
        let lost = |detail: String| {
            let failure =
                if written.load(Ordering::Relaxed) { SmtpFailure::LostAfterData } else { SmtpFailure::Closed };
            SmtpOutcome::unanswered(failure, detail)
        };
        match answer {
            Ok(Ok(response)) => Ok(Reply::from(&response)),
            Ok(Err(error)) if error.status().is_some() => Err(SmtpOutcome::from_error(Stage::Mail, &error)),
            Ok(Err(error)) => Err(lost(error.to_string())),
            Err(_) if written.load(Ordering::Relaxed) => {
                Err(lost("no answer to the mail within the timeout".to_owned()))
            }
            Err(_) => Err(SmtpOutcome::unanswered(
                SmtpFailure::Timeout,
                "the server did not take the mail within the timeout",
            )),
        }
    }

    pub(super) async fn is_alive(&mut self) -> bool {
        timeout(self.timeout, self.connection.test_connected()).await.unwrap_or(false)
    }

    /// Sends QUIT and closes the connection.
    pub(super) async fn close(mut self) {
        // The connection is closed either way.
        let _ = timeout(QUIT_TIMEOUT, self.connection.abort()).await;
    }
}

/// An email as a single part; records when the whole of it was written.
struct SinglePart<'a> {
    mail: Option<&'a [u8]>,
    written: &'a AtomicBool,
}

impl<'a> Iterator for SinglePart<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let part = self.mail.take();
        // The next part is requested when the one before it is written; then comes the final dot.
        self.written.store(part.is_none(), Ordering::Relaxed);
        part
    }
}

async fn with_timeout<T>(limit: Duration, step: impl Future<Output = T>) -> Result<T, SmtpOutcome> {
    timeout(limit, step)
        .await
        .map_err(|_| SmtpOutcome::unanswered(SmtpFailure::Timeout, "no answer within the timeout"))
}

fn is_loopback(address: &SocketAddr) -> bool {
    address.ip().to_canonical().is_loopback()
}

async fn resolve(smtp: &SmtpSettings) -> Result<Vec<SocketAddr>, SmtpOutcome> {
    let found = outbound::resolve(smtp.host.trim_matches(['[', ']']), smtp.port).await;
    let addresses = found.map_err(|error| SmtpOutcome::unanswered(SmtpFailure::Name, error.to_string()))?;
    if addresses.is_empty() {
        return Err(SmtpOutcome::unanswered(SmtpFailure::Name, "the name has no address"));
    }
    Ok(addresses)
}

async fn connect(
    smtp: &SmtpSettings,
    addresses: &[SocketAddr],
    tls: &TlsParameters,
    client_id: &ClientId,
) -> Result<AsyncSmtpConnection, SmtpOutcome> {
    // An address that does not respond leaves time for the next.
    let timeout = smtp.timeout / u32::try_from(addresses.len()).unwrap_or(u32::MAX);
    let tls = (smtp.security == Security::Implicit).then(|| tls.clone());
    let connected = AsyncSmtpConnection::connect_tokio1(addresses, Some(timeout), client_id, tls, None).await;
    connected.map_err(|error| SmtpOutcome::from_error(Stage::Session, &error))
}
