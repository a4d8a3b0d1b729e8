//! Emails: composed in the transaction of the action that causes them, delivered by the outbox.
//!
//! [`queue`] composes and seals the complete email, and puts it into the outbox, which delivers it as it does webhooks.
//! Its link or code is as good as a password while it is valid, so the email is encrypted at rest, and erased as soon
//! as it is delivered, failed or expired. [`notify`] queues those without either.

mod content;
mod context;
mod housekeeping;
mod letter;
mod letter_parts;
mod message;
mod notice;
mod notice_letters;
mod smtp;
mod templates;

pub use content::Content;
pub use housekeeping::{expire, reseal};
pub use message::{INVITATION, Mail, RESET_PASSWORD, SET_PASSWORD, VERIFY_EMAIL};
pub use notice::{AdminNotice, LoginMethod, Notice};
pub use smtp::{Mailer, MailerError, Reply, SmtpFailure, SmtpOutcome, Stage};

use crate::context::App;
use crate::error::Error;
use crate::messages::Locale;
use crate::model::device::Device;
use crate::model::ids::{InvitationId, MailId};
use crate::model::mail_domain;
use crate::model::placeholder_email::is_placeholder;
use crate::model::principal::Principal;
use crate::model::time::Time;
use crate::random;
use crate::rate_limit::{RateLimit, RateLimitError};
use crate::settings::Settings;
use crate::store::{NewMail, Tx, UserRow};
use context::MailContext;

/// Queues an email to `to`, in the transaction of the action that causes it; its commit wakes the workers. It replaces
/// a queued email of the same kind about the same thing, whose link is no longer valid.
/// An account without an address gets nothing.
pub async fn queue(app: &App, tx: &mut Tx, to: &str, locale: Locale, mail: Mail<'_>) -> Result<MailId, Error> {
    let (id, content) = compose(&app.settings, app.clock.now(), to, locale, &mail)?;
    if is_placeholder(to) {
        return Ok(id);
    }
    let sealed = content.seal(&app.secret_keys, id)?;
    let about = mail.about();
    // A waiting notice keeps its place instead: `notify` does not queue another.
    if let (false, Some(about)) = (matches!(mail, Mail::Notice { .. } | Mail::AdminNotice { .. }), about) {
        tx.mail_withdraw(mail.kind(), about).await?;
    }
    tx.mail_push(&NewMail {
        id,
        queue: mail.queue(),
        kind: mail.kind(),
        payload: &sealed,
        recipient: to,
        recipient_key: &mail_domain::key(to),
        subject: &content.subject,
        message_id: &content.message_id,
        about,
        expires_at: content.expires_at,
    })
    .await?;
    Ok(id)
}

/// Queues a notice in the language of an account that the transaction has locked, to its email address. There is none:
///
/// - to an address that was never verified: it may be a stranger's;
/// - if the same notice waits already: one of a kind is enough to look at the account, and the audit log has them all;
/// - beyond the rate limits of the account and of its address, so that neither an account nor a row of accounts can be
///   used to flood a mailbox or the mail server.
pub async fn notify(app: &App, tx: &mut Tx, user: &UserRow, notice: Notice) -> Result<(), Error> {
    notify_of(app, tx, user, notice, None).await
}

/// As [`notify`], with the name of the thing that it happened to.
pub async fn notify_of(
    app: &App,
    tx: &mut Tx,
    user: &UserRow,
    notice: Notice,
    thing: Option<&str>,
) -> Result<(), Error> {
    let principal = tx.principal();
    let device = own_device(&principal, user);
    let mail = Mail::Notice { user: user.id, called: user.label(), notice, thing, device };
    let at = RateLimit::NoticeAt(&user.email);
    match notice.weight() {
        Some(weight) => queue_notice(app, tx, user, [RateLimit::NoticeTo(weight, user.id), at], mail).await,
        None => queue_notice(app, tx, user, [at], mail).await,
    }
}

/// Queues for an administrator what one of them did to an account with a platform role, in the same cases as
/// [`notify`].
pub async fn notify_administrator(
    app: &App,
    tx: &mut Tx,
    administrator: &UserRow,
    account: &UserRow,
    notice: AdminNotice,
) -> Result<(), Error> {
    let mail = Mail::AdminNotice { administrator: administrator.id, user: account.id, called: account.label(), notice };
    queue_notice(app, tx, administrator, [RateLimit::DeedTo(administrator.id, account.id)], mail).await
}

/// The device of the account's own user. Of others, the reader must not learn where they are.
pub fn own_device<'a>(principal: &'a Principal, user: &UserRow) -> Option<&'a Device> {
    let is_own = principal.user_id() == Some(user.id) && !principal.is_administrator();
    principal.actor().device().filter(|_| is_own)
}

async fn queue_notice<const N: usize>(
    app: &App,
    tx: &mut Tx,
    to: &UserRow,
    limits: [RateLimit<'_>; N],
    mail: Mail<'_>,
) -> Result<(), Error> {
    // Every administrator hears of what others do, also one whom an operator made and who never verified the address.
    let is_heard = to.email_verified_at.is_some() || matches!(mail, Mail::AdminNotice { .. });
    let Some(about) = mail.about().filter(|_| is_heard) else { return Ok(()) };
    if tx.mail_is_pending(mail.kind(), about).await? {
        return Ok(());
    }
    match app.rate_limiter.check_in(tx, limits).await {
        Ok(()) => {}
        Err(RateLimitError::Exceeded(_)) => {
            tracing::debug!(user = %to.id, kind = mail.kind(), "notice not mailed: too many to this account or address");
            return Ok(());
        }
        Err(RateLimitError::Failed(error)) => return Err(error.into()),
    }
    queue(app, tx, &to.email, language(app, to), mail).await?;
    Ok(())
}

pub fn language(app: &App, user: &UserRow) -> Locale {
    user.language.unwrap_or_else(|| app.settings.pages.catalog().default_language())
}

pub fn compose(
    settings: &Settings,
    now: Time,
    to: &str,
    locale: Locale,
    mail: &Mail<'_>,
) -> Result<(MailId, Content), Error> {
    let id = MailId(random::uuid_v7(now)?);
    let messages = settings.pages.messages(locale);
    let (brand, base) = (&settings.pages.brand, settings.server.base_url.as_str());
    let letter_context = MailContext { messages, brand, base, to, now };
    let link = mail.link(letter_context.base);
    let letter = templates::letter(mail, letter_context, link.as_deref());
    let (text, html) = (letter.text()?, letter.html()?);
    let content = Content {
        to: to.to_owned(),
        subject: letter.subject,
        text,
        html,
        link,
        code: mail.code().map(str::to_owned),
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
