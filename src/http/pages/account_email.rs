//! `/auth/account/email`: changes the email address (docs/reference/browser.md 10.6).

use super::email_verify::{code_error_message, resend_after, resend_response, verify_error_response};
use super::page_context::PageContext;
use super::paths;
use super::shared_fields::{AddressFields, CodeFields};
use crate::domain::mailed_token::request::{self, NOTHING_PENDING};
use crate::domain::mailed_token::token_check::MailedSecret;
use crate::domain::verification::email_change;
use crate::http::form::{FormErrors, NoFields, Submitted, Typed};
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::http::views::{self, AccountEmailPage, CurrentAddress, PendingEmail, account_sections};
use crate::messages::Key;
use crate::model::placeholder_email::is_placeholder;
use crate::rate_limit::{ChangeKind, RateLimit};
use crate::refusal::{ChangeError, Refusal};
use axum::response::Response;

const PATH: &str = paths::ACCOUNT_EMAIL;

/// Shows the address and a pending change.
pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let live = context.require_reauthentication_or_new_login(PATH).await?;
    page(&context, &live, &FormErrors::default()).await
}

pub async fn submit(context: PageContext, submitted: Submitted<AddressFields>) -> Result<Response, PageError> {
    let live = context.require_reauthentication_or_new_login(PATH).await?;
    let form = match submitted.verified(&live) {
        Ok(form) => form,
        Err(errors) => return page(&context, &live, &errors).await,
    };
    context.check_change_limit(&live, ChangeKind::Factors).await?;
    context.check_rate_limit(RateLimit::MailFrom(context.address)).await?;
    let (user, locale) = (live.view.user_id, context.language.locale);
    match email_change::begin_email_change(&context.app, &context.person(&live), user, &form.email, locale).await {
        Ok(()) => Ok(context.redirect(Some(PATH))),
        Err(ChangeError::Refused(Refusal::NotFound(_))) => Ok(context.redirect_to_login(PATH)),
        Err(error) => page(&context, &live, &form.again().refused(error)?).await,
    }
}

/// Verifies the new address with the code.
pub async fn confirm(context: PageContext, submitted: Submitted<CodeFields>) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    let form = match submitted.verified(&live) {
        Ok(form) => form,
        Err(errors) => return page(&context, &live, &errors).await,
    };
    let user = live.view.user_id;
    let Some(pending) = email_change::pending_email_change(&context.app, &context.person(&live), user).await? else {
        return Ok(context.redirect(Some(PATH)));
    };
    let secret = MailedSecret::Code { id: pending.id, typed: &form.code, from: context.address };
    let person = context.person(&live);
    match email_change::confirm_email_change(&context.app, secret, user, &person).await {
        Ok(()) => Ok(context.redirect(Some(&format!("{PATH}?notice=changed")))),
        Err(error) => match code_error_message(&error) {
            Some(message) => page(&context, &live, &form.refused_field("code", message)).await,
            None => verify_error_response(&context, error),
        },
    }
}

/// Sends a new code and a new link to the new address.
pub async fn resend(context: PageContext, submitted: Submitted<NoFields>) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    if let Err(errors) = submitted.verified(&live) {
        return page(&context, &live, &errors).await;
    }
    let result =
        match email_change::pending_email_change(&context.app, &context.person(&live), live.view.user_id).await? {
            Some(row) => request::resend(&context.app, &context.person(&live), row.id, context.language.locale).await,
            None => Err(NOTHING_PENDING.into()),
        };
    resend_response(&context, result, PATH)
}

pub async fn cancel(context: PageContext, submitted: Submitted<NoFields>) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    if let Err(errors) = submitted.verified(&live) {
        return page(&context, &live, &errors).await;
    }
    email_change::cancel_email_change(&context.app, &context.person(&live), live.view.user_id).await?;
    Ok(context.redirect(Some(PATH)))
}

async fn page(context: &PageContext, live: &LiveSession, errors: &FormErrors) -> Result<Response, PageError> {
    let user = live.view.user_id;
    let verified = request::unverified(&context.app, &context.person(live), user).await?.is_none();
    let pending = email_change::pending_email_change(&context.app, &context.person(live), user).await?;
    let csrf = context.csrf()?;
    let return_to = context.return_to(&Typed::default());
    let address = match verified {
        _ if is_placeholder(&live.view.email) => CurrentAddress::Missing {
            continue_to: return_to.as_deref().unwrap_or(&context.app.settings.server.default_return_to),
        },
        true => CurrentAddress::Verified(&live.view.email),
        false => CurrentAddress::Unverified(&live.view.email),
    };
    let code_error = errors.of("code");
    let now = context.app.clock.now();
    let pending = pending.as_ref().map(|row| PendingEmail {
        email: &row.email,
        resend_after: resend_after(Some(row.sent_at), now),
        code_error,
    });
    let view = AccountEmailPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections("/auth/account"),
        address,
        pending,
        new_email: errors.field("email"),
        form_error: errors.form(),
        notice: context.query.get("notice").and_then(notice),
    };
    Ok(views::page(errors.status(), &view))
}

fn notice(name: &str) -> Option<Key> {
    match name {
        "changed" => Some(Key("account-email-changed")),
        "sent" => Some(Key("verify-sent-again")),
        _ => None,
    }
}
