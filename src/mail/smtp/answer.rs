//! What can come of an attempt to hand over a mail.

use lettre::transport::smtp::Error;
use lettre::transport::smtp::response::Response;
use std::error::Error as _;
use std::fmt;

/// What the server said.
#[derive(Clone, PartialEq, Eq)]
pub struct Reply {
    /// Three digits (RFC 5321, 4.2.3).
    pub code: u16,
    /// Its words.
    pub text: String,
}

/// What came of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The server took the mail.
    Delivered(Reply),
    /// The server said no.
    Refused(Stage, Reply),
    /// It said nothing that helps.
    Unanswered(Fault, String),
    /// No server could take it; why, as a sentence.
    Unsendable(String),
    /// Its time was over before.
    Expired,
}

/// To what the server said no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// To speak with us at all.
    Session,
    /// To our user name and password.
    LogIn,
    /// To the sender.
    Sender,
    /// To the recipient, or to the mail.
    Mail,
}

/// Why there was no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The server's name was not resolved.
    Name,
    /// No connection to any of its addresses.
    Connect,
    /// The TLS handshake failed, or the certificate is not trusted.
    Tls,
    /// The server offers no TLS.
    StartTls,
    /// The server takes no user name and password.
    LogIn,
    /// No answer in time.
    Timeout,
    /// The connection ended, or what came is not SMTP.
    Closed,
    /// The connection ended, or no answer came in time, after the whole mail was written: it may have been taken.
    LostAfterData,
    /// The process ended meanwhile.
    Interrupted,
    /// A fault of our own.
    Internal,
}

impl Outcome {
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
            Outcome::Delivered(_) => "delivered",
            Outcome::Refused(_, reply) if !reply.is_final() => "deferred",
            Outcome::Refused(Stage::Session, _) => "session",
            Outcome::Refused(Stage::LogIn, _) | Outcome::Unanswered(Fault::LogIn, _) => "login",
            Outcome::Refused(Stage::Sender, _) => "sender",
            Outcome::Refused(Stage::Mail, _) => "refused",
            Outcome::Unanswered(fault, _) => fault.class(),
            Outcome::Unsendable(_) => "unsendable",
            Outcome::Expired => "expired",
        }
    }

    /// Whether another attempt can end better. What is wrong with this service or the server, and not with the mail,
    /// is the operator's to mend; the mail waits.
    pub fn is_worth_repeating(&self) -> bool {
        match self {
            Outcome::Refused(Stage::Mail, reply) => !reply.is_final(),
            Outcome::Refused(..) | Outcome::Unanswered(..) => true,
            Outcome::Delivered(_) | Outcome::Unsendable(_) | Outcome::Expired => false,
        }
    }

    /// What the server said.
    pub fn reply(&self) -> Option<&Reply> {
        match self {
            Outcome::Delivered(reply) | Outcome::Refused(_, reply) => Some(reply),
            _ => None,
        }
    }

    /// Why there is no answer, in words.
    pub fn detail(&self) -> &str {
        match self {
            Outcome::Unanswered(_, detail) | Outcome::Unsendable(detail) => detail,
            Outcome::Expired => "its time was over",
            Outcome::Delivered(_) | Outcome::Refused(..) => "",
        }
    }

    pub(super) fn unanswered(fault: Fault, detail: impl Into<String>) -> Self {
        Outcome::Unanswered(fault, detail.into())
    }

    /// Sorts the library's error. Of those without an answer of the server, it names only the texts.
    pub(super) fn at(stage: Stage, error: &Error) -> Self {
        let text = error.source().map(ToString::to_string).unwrap_or_default();
        if let Some(code) = error.status() {
            return Outcome::Refused(stage, Reply { code: code.into(), text });
        }
        let fault = if error.is_timeout() {
            Fault::Timeout
        } else if !error.to_string().starts_with("Connection error") {
            Fault::Closed
        } else if error.source().is_some_and(<dyn std::error::Error>::is::<Error>) {
            // The handshake's error is wrapped twice.
            Fault::Tls
        } else {
            Fault::Connect
        };
        Outcome::unanswered(fault, error.to_string())
    }
}

impl Reply {
    /// RFC 5321, 4.2.1: 5yz, and not to be tried again.
    fn is_final(&self) -> bool {
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

impl Fault {
    /// The name of the class.
    fn class(self) -> &'static str {
        match self {
            Fault::Name => "name",
            Fault::Connect => "connect",
            Fault::Tls => "tls",
            Fault::StartTls => "starttls",
            Fault::LogIn => "login",
            Fault::Timeout => "timeout",
            Fault::Closed => "closed",
            Fault::LostAfterData => "lost_after_data",
            Fault::Interrupted => "interrupted",
            Fault::Internal => "internal",
        }
    }
}

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;
