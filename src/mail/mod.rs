//! Mails to people: written in the transaction of the action that causes them, delivered by the outbox.
//!
//! [`queue`] writes the whole mail, seals it, and puts it into the outbox; from there it goes its way as webhooks do.
//! What stands in it (a link, a code, an address) is as good as a password for a while, so it is sealed at rest, and
//! erased as soon as the mail is delivered, given up, or of no more use (contract.md 7).

mod content;
mod housekeeping;
mod letter;
mod message;
mod site;
mod smtp;
mod words;

pub use content::Content;
pub use housekeeping::{expire, reseal};
pub use message::{Mail, SignInMethod};
pub use smtp::{Fault, Mailer, MailerError, Outcome, Reply, Stage};

use crate::context::App;
use crate::error::Error;
use crate::messages::Locale;
use crate::model::ids::{InvitationId, MailId};
use crate::model::time::Time;
use crate::random;
use crate::settings::Settings;
use crate::store::{NewMail, Tx};
use site::Site;

/// Puts a mail to `to` into the queue, in the transaction of the action that causes it; the workers are woken when that
/// is committed. One of the same kind about the same thing that still waits is taken out: its link is void by now.
///
/// It speaks the default language; where the recipient's is known, use [`queue_in`].
pub async fn queue(app: &App, tx: &mut Tx, to: &str, mail: Mail<'_>) -> Result<MailId, Error> {
    queue_in(app, tx, (to, Locale::default()), mail).await
}

/// As [`queue`], in a language.
pub async fn queue_in(app: &App, tx: &mut Tx, (to, locale): (&str, Locale), mail: Mail<'_>) -> Result<MailId, Error> {
    let (id, content) = compose(&app.settings, app.clock.now(), (to, locale), &mail)?;
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

/// Writes a mail.
pub fn compose(
    settings: &Settings,
    now: Time,
    (to, locale): (&str, Locale),
    mail: &Mail<'_>,
) -> Result<(MailId, Content), Error> {
    let id = MailId(random::uuid_v7(now)?);
    let messages = settings.pages.messages(locale);
    let site = Site { messages, base: settings.server.base_url.as_str(), to, now };
    let link = mail.link(site.base);
    let letter = words::letter(mail, site, link.as_deref());
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

/// Takes an invitation's mail out of the queue, as its link has become void.
pub async fn withdraw_invitation(tx: &mut Tx, invitation: InvitationId) -> Result<(), Error> {
    Ok(tx.mail_withdraw(message::INVITATION, invitation.0).await?)
}

/// RFC 5322, 3.6.4: a domain of the sender's own makes the id unique; the sender's address has one.
fn message_id_domain(settings: &Settings) -> &str {
    let sender = settings.mail.from.as_ref();
    sender.map_or(settings.server.base_url.host(), |from| from.email.domain())
}
