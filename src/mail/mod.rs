//! Emails: composed in the transaction of the action that causes them, delivered by the outbox.
//!
//! [`queue`] composes and seals the complete email, and puts it into the outbox, which delivers it as it does webhooks.
//! Its link or code is as good as a password while it is valid, so the email is encrypted at rest, and erased as soon
//! as it is delivered, failed or expired.

mod content;
mod context;
mod housekeeping;
mod letter;
mod message;
mod smtp;
mod templates;

pub use content::Content;
pub use housekeeping::{expire, reseal};
pub use message::{Inviter, LoginMethod, Mail};
pub use smtp::{Mailer, MailerError, Reply, SmtpFailure, SmtpOutcome, Stage};

use crate::context::App;
use crate::error::Error;
use crate::messages::Locale;
use crate::model::ids::{InvitationId, MailId};
use crate::model::placeholder_email::is_placeholder;
use crate::model::time::Time;
use crate::random;
use crate::settings::Settings;
use crate::store::{NewMail, Tx};
use context::MailContext;

/// Queues an email to `to`, in the transaction of the action that causes it; its commit wakes the workers. It replaces
/// a queued email of the same kind about the same thing, whose link is no longer valid.
///
/// It is in the default language; if the recipient's is known, use [`queue_in`].
pub async fn queue(app: &App, tx: &mut Tx, to: &str, mail: Mail<'_>) -> Result<MailId, Error> {
    queue_in(app, tx, to, Locale::default(), mail).await
}

/// As [`queue`], in a language. An account without an address gets nothing.
pub async fn queue_in(app: &App, tx: &mut Tx, to: &str, locale: Locale, mail: Mail<'_>) -> Result<MailId, Error> {
    let (id, content) = compose(&app.settings, app.clock.now(), to, locale, &mail)?;
    if is_placeholder(to) {
        return Ok(id);
    }
    let sealed = content.seal(&app.secret_keys, id)?;
    tx.mail_push(&NewMail {
        id,
        kind: mail.kind(),
        payload: &sealed,
        recipient: to,
        recipient_key: &to.trim().to_lowercase(),
        subject: &content.subject,
        message_id: &content.message_id,
        about: mail.about(),
        expires_at: content.expires_at,
    })
    .await?;
    Ok(id)
}

/// Composes an email.
pub fn compose(
    settings: &Settings,
    now: Time,
    to: &str,
    locale: Locale,
    mail: &Mail<'_>,
) -> Result<(MailId, Content), Error> {
    let id = MailId(random::uuid_v7(now)?);
    let messages = settings.pages.messages(locale);
    let letter_context = MailContext { messages, base: settings.server.base_url.as_str(), to, now };
    let link = mail.link(letter_context.base);
    let letter = templates::letter(mail, letter_context, link.as_deref());
    let (text, html) = (letter.text()?, letter.html()?);
    let content = Content {
        to: to.to_owned(),
        subject: letter.subject,
        text,
        html,
        link,
        message_id: format!("<{}@{}>", id.0.simple(), message_id_domain(settings)),
        written_at: now,
        expires_at: mail.expires_at(now),
    };
    Ok((id, content))
}

/// Withdraws an invitation's email, as its link is no longer valid.
pub async fn withdraw_invitation(tx: &mut Tx, invitation: InvitationId) -> Result<(), Error> {
    Ok(tx.mail_withdraw(message::INVITATION, invitation.0).await?)
}

/// RFC 5322, 3.6.4: a domain of the sender's makes the id unique; the sender's email address has one.
fn message_id_domain(settings: &Settings) -> &str {
    let sender = settings.mail.from.as_ref();
    sender.map_or(settings.server.base_url.host(), |from| from.email.domain())
}
