//! Mails that failed, written again: a failed one is erased, so each gets another link, for the same purpose.

use super::password_reset_mail;
use crate::context::App;
use crate::domain::change;
use crate::domain::mailed_token::request;
use crate::domain::organization::{invite, lookup};
use crate::error::Error;
use crate::mail;
use crate::model::ids::{InvitationId, UserId};
use crate::model::mail_domain;
use crate::model::principal::{Operation, Principal};
use crate::refusal::ChangeError;
use crate::store::{DeliveryState, MailRow};
use uuid::Uuid;

/// What came of a mail that was to be written again.
pub enum Again {
    /// Another one waits.
    Written,
    /// There is none, and why.
    Skipped(String),
}

fn skipped(why: &str) -> Again {
    Again::Skipped(why.to_owned())
}

/// Writes a mail that failed again, unless what it was for has ended, or a later one was written.
pub async fn write_again(app: &App, principal: &Principal, failed: &MailRow) -> Result<Again, Error> {
    if failed.state != DeliveryState::Failed {
        return Ok(skipped("it has not failed"));
    }
    if failed.last_outcome.as_deref() == Some("withdrawn") {
        return Ok(skipped("it had become void"));
    }
    if failed.expires_at <= app.clock.now() {
        return Ok(skipped("its time is over"));
    }
    let mut conn = app.store.read(principal, Operation::ReadDeliveries).await?;
    let about = conn.mail_about(failed.id).await?;
    let has_later = conn.mail_has_later(failed.id, &failed.kind).await?;
    drop(conn);
    match about {
        _ if has_later => Ok(skipped("a later one was written")),
        Some(about) if failed.kind == mail::INVITATION => invitation(app, principal, InvitationId(about)).await,
        Some(about) => to_account(app, principal, failed, about).await,
        None => Ok(skipped(OF_THE_MOMENT)),
    }
}

const OF_THE_MOMENT: &str = "what it says is not kept, or only its person can ask for it";

async fn invitation(app: &App, principal: &Principal, id: InvitationId) -> Result<Again, Error> {
    let locale = app.settings.pages.catalog().default_language();
    let resent = async {
        let found = lookup::find_invitation(&app.store, principal, id).await?;
        change::run(app, principal, invite::Resend { org: found.organization_id, id, locale }).await
    };
    match resent.await {
        Ok(_) => Ok(Again::Written),
        Err(ChangeError::Failed(error)) => Err(error),
        Err(ChangeError::Refused(refusal)) => Ok(Again::Skipped(refusal.to_string())),
    }
}

async fn to_account(app: &App, principal: &Principal, failed: &MailRow, about: Uuid) -> Result<Again, Error> {
    let found = app.store.read(principal, Operation::FindUsers).await?.user_find(UserId(about)).await?;
    let Some(user) = found else {
        return Ok(skipped(OF_THE_MOMENT));
    };
    if mail_domain::key(&user.email) != mail_domain::key(&failed.recipient) {
        return Ok(skipped("the account has another address"));
    }
    let sent = match failed.kind.as_str() {
        mail::VERIFY_EMAIL => request::resend_to(app, principal, user.id).await,
        mail::RESET_PASSWORD => change::run(app, principal, password_reset_mail::SendReset { user: user.id }).await,
        mail::SET_PASSWORD if user.password_hash.is_some() => return Ok(skipped("the account has a password")),
        mail::SET_PASSWORD => change::run(app, principal, password_reset_mail::SendFirst { user: user.id }).await,
        _ => return Ok(skipped(OF_THE_MOMENT)),
    };
    match sent {
        Ok(()) => Ok(Again::Written),
        Err(ChangeError::Failed(error)) => Err(error),
        Err(ChangeError::Refused(refusal)) => Ok(Again::Skipped(refusal.to_string())),
    }
}
