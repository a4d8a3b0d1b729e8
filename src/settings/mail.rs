//! Outgoing mail.

use secrecy::SecretString;

/// Outgoing mail.
#[derive(Debug)]
pub struct Mail {
    /// `smtp://` (STARTTLS) or `smtps://`; may hold a password. Unset: mails wait in the queue.
    pub smtp_url: Option<SecretString>,
    /// The sender; set whenever `smtp_url` is.
    pub from: Option<String>,
}
