//! One conversation with a mail server, step by step, so that it is known how far an attempt came.

use super::answer::{Fault, Outcome, Reply, Stage};
use crate::settings::{Credentials, Security, Smtp};
use lettre::Message;
use lettre::transport::smtp::authentication::{self, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailParameter};
use secrecy::ExposeSecret;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::lookup_host;
use tokio::time::timeout;

/// The answer to a whole mail may take so many times as long as any other: RFC 5321, 4.5.3.2.6 asks for patience here,
/// as a mail whose answer is not waited for arrives twice.
const PATIENCE_AT_THE_END: u32 = 4;
/// Nobody waits for a farewell.
const FAREWELL: Duration = Duration::from_secs(1);

/// A connection that has got as far as to take mails.
pub(super) struct Conversation {
    connection: AsyncSmtpConnection,
    timeout: Duration,
}

impl Conversation {
    /// Connects, begins TLS, and logs in.
    pub(super) async fn begin(smtp: &Smtp, tls: &TlsParameters, hello: &ClientId) -> Result<Self, Outcome> {
        let addresses = within(smtp.timeout, resolve(smtp)).await??;
        let connection = within(smtp.timeout, connect(smtp, &addresses, tls, hello)).await??;
        let mut conversation = Self { connection, timeout: smtp.timeout };
        if smtp.security == Security::StartTls {
            conversation.encrypt(tls, hello).await?;
        }
        if let Some(credentials) = &smtp.credentials {
            conversation.log_in(credentials).await?;
        }
        Ok(conversation)
    }

    /// Nothing of a mail, and no password, is ever said in the clear.
    async fn encrypt(&mut self, tls: &TlsParameters, hello: &ClientId) -> Result<(), Outcome> {
        if !self.connection.can_starttls() {
            return Err(Outcome::unanswered(Fault::StartTls, "the server does not offer STARTTLS"));
        }
        let encrypted = within(self.timeout, self.connection.starttls(tls.clone(), hello)).await?;
        encrypted.map_err(|error| Outcome::at(Stage::Session, &error))
    }

    async fn log_in(&mut self, credentials: &Credentials) -> Result<(), Outcome> {
        const MECHANISMS: [Mechanism; 2] = [Mechanism::Plain, Mechanism::Login];
        let password = credentials.password.expose_secret().to_owned();
        let credentials = authentication::Credentials::new(credentials.user.clone(), password);
        if !MECHANISMS.iter().any(|known| self.connection.server_info().supports_auth_mechanism(*known)) {
            return Err(Outcome::unanswered(Fault::LogIn, "the server takes no log-in with a password"));
        }
        let logged_in = within(self.timeout, self.connection.auth(&MECHANISMS, &credentials)).await?;
        logged_in.map(drop).map_err(|error| Outcome::at(Stage::LogIn, &error))
    }

    /// Hands a mail over; gives what the server says to it.
    pub(super) async fn hand_over(&mut self, message: &Message) -> Result<Reply, Outcome> {
        let envelope = message.envelope();
        let mut parameters = Vec::new();
        if envelope.from().into_iter().chain(envelope.to()).any(|address| !address.to_string().is_ascii()) {
            if !self.connection.server_info().supports_feature(Extension::SmtpUtfEight) {
                return Err(Outcome::Unsendable("the server takes no addresses beyond ASCII (SMTPUTF8)".to_owned()));
            }
            parameters.push(MailParameter::SmtpUtfEight);
        }
        self.say(Stage::Sender, Mail::new(envelope.from().cloned(), parameters)).await?;
        for recipient in envelope.to() {
            self.say(Stage::Mail, Rcpt::new(recipient.clone(), Vec::new())).await?;
        }
        self.say(Stage::Mail, Data).await?;
        self.deliver(&message.formatted()).await
    }

    async fn say(&mut self, stage: Stage, command: impl std::fmt::Display) -> Result<(), Outcome> {
        let answer = within(self.timeout, self.connection.command(command)).await?;
        answer.map(drop).map_err(|error| Outcome::at(stage, &error))
    }

    /// The mail itself. Once all of it is written, nobody but the server knows whether it took it.
    async fn deliver(&mut self, mail: &[u8]) -> Result<Reply, Outcome> {
        let written = AtomicBool::new(false);
        let parts = Parts { mail: Some(mail), written: &written };
        let answer = timeout(self.timeout * PATIENCE_AT_THE_END, self.connection.message_iter(parts)).await;
        let lost = |detail: String| {
            let fault = if written.load(Ordering::Relaxed) { Fault::LostAfterData } else { Fault::Closed };
            Outcome::unanswered(fault, detail)
        };
        match answer {
            Ok(Ok(response)) => Ok(Reply::from(&response)),
            Ok(Err(error)) if error.status().is_some() => Err(Outcome::at(Stage::Mail, &error)),
            Ok(Err(error)) => Err(lost(error.to_string())),
            Err(_) if written.load(Ordering::Relaxed) => {
                Err(lost("no answer to the mail within the timeout".to_owned()))
            }
            Err(_) => Err(Outcome::unanswered(Fault::Timeout, "the server did not take the mail within the timeout")),
        }
    }

    /// Whether the server still answers.
    pub(super) async fn is_alive(&mut self) -> bool {
        timeout(self.timeout, self.connection.test_connected()).await.unwrap_or(false)
    }

    /// Takes leave of the server.
    pub(super) async fn end(mut self) {
        // It is over either way.
        let _ = timeout(FAREWELL, self.connection.abort()).await;
    }
}

/// A mail in one part, which notes that the whole of it was written.
struct Parts<'a> {
    mail: Option<&'a [u8]>,
    written: &'a AtomicBool,
}

impl<'a> Iterator for Parts<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let part = self.mail.take();
        // The next part is asked for when the one before it is written; then comes the final dot.
        self.written.store(part.is_none(), Ordering::Relaxed);
        part
    }
}

async fn within<T>(limit: Duration, step: impl Future<Output = T>) -> Result<T, Outcome> {
    timeout(limit, step).await.map_err(|_| Outcome::unanswered(Fault::Timeout, "no answer within the timeout"))
}

async fn resolve(smtp: &Smtp) -> Result<Vec<SocketAddr>, Outcome> {
    let found = lookup_host((smtp.host.trim_matches(['[', ']']), smtp.port)).await;
    let addresses: Vec<SocketAddr> =
        found.map_err(|error| Outcome::unanswered(Fault::Name, error.to_string()))?.collect();
    if addresses.is_empty() {
        return Err(Outcome::unanswered(Fault::Name, "the name has no address"));
    }
    Ok(addresses)
}

async fn connect(
    smtp: &Smtp,
    addresses: &[SocketAddr],
    tls: &TlsParameters,
    hello: &ClientId,
) -> Result<AsyncSmtpConnection, Outcome> {
    // So that an address where nobody answers leaves time for the next.
    let each = smtp.timeout / u32::try_from(addresses.len()).unwrap_or(u32::MAX);
    let tls = (smtp.security == Security::Implicit).then(|| tls.clone());
    let connected = AsyncSmtpConnection::connect_tokio1(addresses, Some(each), hello, tls, None).await;
    connected.map_err(|error| Outcome::at(Stage::Session, &error))
}
