//! The outcomes of an attempt to send an email.

use lettre::transport::smtp::Error;
use lettre::transport::smtp::response::Response;
use std::error::Error as _;
use std::fmt;

#[derive(Clone, PartialEq, Eq)]
pub struct Reply {
    /// The reply code, three digits (RFC 5321, 4.2.3).
    pub code: u16,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SmtpOutcome {
    Delivered(Reply),
    /// The server rejected it, or an earlier command.
    Refused(Stage, Reply),
    Unanswered(SmtpFailure, String),
    /// The email cannot be sent through this server, or through any; why, as a sentence.
    Unsendable(String),
    Expired,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The connection, the greeting or TLS.
    Session,
    Auth,
    Sender,
    /// The recipient, or the email.
    Mail,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SmtpFailure {
    /// The server's name was not resolved.
    Name,
    Connect,
    /// The TLS handshake failed, or the certificate is not trusted.
    Tls,
    StartTls,
    /// The server offers no authentication with a password.
    Auth,
    Timeout,
    /// The connection was closed, or the reply is not SMTP.
    Closed,
    /// The connection was closed, or no reply came in time, after the whole email was sent: it may have been accepted.
    LostAfterData,
    /// The process ended during the attempt.
    Interrupted,
    Internal,
}

impl SmtpOutcome {
    /// Every class that an attempt is recorded with.
    pub const CLASSES: [&'static str; 17] = [
        "delivered",
        "refused",
        "deferred",
        "session",
        "login",
        "sender",
        "name",
        "connect",
        "tls",
        "starttls",
        "timeout",
        "closed",
        "lost_after_data",
        "unsendable",
        "expired",
        "internal",
        "interrupted",
    ];

    /// The name of the class, as it is stored and logged.
    pub fn class(&self) -> &'static str {
        match self {
            SmtpOutcome::Delivered(_) => "delivered",
            SmtpOutcome::Refused(_, reply) if !reply.is_permanent() => "deferred",
            SmtpOutcome::Refused(Stage::Session, _) => "session",
            SmtpOutcome::Refused(Stage::Auth, _) | SmtpOutcome::Unanswered(SmtpFailure::Auth, _) => "login",
            SmtpOutcome::Refused(Stage::Sender, _) => "sender",
            SmtpOutcome::Refused(Stage::Mail, _) => "refused",
            SmtpOutcome::Unanswered(failure, _) => failure.class(),
            SmtpOutcome::Unsendable(_) => "unsendable",
            SmtpOutcome::Expired => "expired",
        }
    }

    /// Whether a retry can succeed. A problem of this service or of the server, and not of the email, is the operator's
    /// to fix; the email waits.
    pub fn is_retryable(&self) -> bool {
        match self {
            SmtpOutcome::Refused(Stage::Mail, reply) => !reply.is_permanent(),
            SmtpOutcome::Refused(..) | SmtpOutcome::Unanswered(..) => true,
            SmtpOutcome::Delivered(_) | SmtpOutcome::Unsendable(_) | SmtpOutcome::Expired => false,
        }
    }

    pub fn reply(&self) -> Option<&Reply> {
        match self {
            SmtpOutcome::Delivered(reply) | SmtpOutcome::Refused(_, reply) => Some(reply),
            _ => None,
        }
    }

    /// Why there is no reply, in words.
    pub fn detail(&self) -> &str {
        match self {
            SmtpOutcome::Unanswered(_, detail) | SmtpOutcome::Unsendable(detail) => detail,
            SmtpOutcome::Expired => "its time was over",
            SmtpOutcome::Delivered(_) | SmtpOutcome::Refused(..) => "",
        }
    }

    pub(super) fn unanswered(failure: SmtpFailure, detail: impl Into<String>) -> Self {
        SmtpOutcome::Unanswered(failure, detail.into())
    }

    /// Classifies the library's error. Errors without a reply of the server differ in their texts only.
    pub(super) fn from_error(stage: Stage, error: &Error) -> Self {
        let text = error.source().map(ToString::to_string).unwrap_or_default();
        if let Some(code) = error.status() {
            return SmtpOutcome::Refused(stage, Reply { code: code.into(), text });
        }
        let failure = if error.is_timeout() {
            SmtpFailure::Timeout
        } else if !error.to_string().starts_with("Connection error") {
            SmtpFailure::Closed
        } else if error.source().is_some_and(<dyn std::error::Error>::is::<Error>) {
            // The handshake's error is wrapped twice.
            SmtpFailure::Tls
        } else {
            SmtpFailure::Connect
        };
        SmtpOutcome::unanswered(failure, error.to_string())
    }
}

impl Reply {
    /// RFC 5321, 4.2.1: a 5yz reply is permanent, and not to be retried.
    fn is_permanent(&self) -> bool {
        self.code >= 500
    }
}

impl From<&Response> for Reply {
    fn from(response: &Response) -> Self {
        let text = response.message().collect::<Vec<_>>().join(" ");
        Self { code: response.code().into(), text }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.code, self.text)
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl SmtpFailure {
    fn class(self) -> &'static str {
        match self {
            SmtpFailure::Name => "name",
            SmtpFailure::Connect => "connect",
            SmtpFailure::Tls => "tls",
            SmtpFailure::StartTls => "starttls",
            SmtpFailure::Auth => "login",
            SmtpFailure::Timeout => "timeout",
            SmtpFailure::Closed => "closed",
            SmtpFailure::LostAfterData => "lost_after_data",
            SmtpFailure::Interrupted => "interrupted",
            SmtpFailure::Internal => "internal",
        }
    }
}

#[cfg(test)]
#[path = "outcome_tests.rs"]
mod tests;
