//! `/auth/login/address`: asks for an email address before a login that requires a verified one, where the account has
//! none (docs/reference/browser.md 8.1, 10.9).

use super::page_context::PageContext;
use super::shared_fields::AddressFields;
use crate::domain::login::pending::Outstanding;
use crate::domain::mailed_token::token::IssueOptions;
use crate::domain::verification::missing_address;
use crate::http::form::{FormErrors, ShownTo, Submitted};
use crate::http::page_error::PageError;
use crate::http::views::{self, LoginAddressPage};
use crate::rate_limit::RateLimit;
use crate::refusal::{ChangeError, Refusal};
use axum::response::Response;

pub async fn show(context: PageContext) -> Result<Response, PageError> {
    page(&context, &FormErrors::default()).await
}

/// Emails link and code to the address, and redirects to the page that asks for the code.
pub async fn submit(context: PageContext, submitted: Submitted<AddressFields>) -> Result<Response, PageError> {
    let pending = context.pending_login(Outstanding::EmailAddress).await?;
    let form = match submitted.verified(pending.as_ref().map_or(ShownTo::Anyone, |(_, user)| user.into())) {
        Ok(form) => form,
        Err(errors) => return page(&context, &errors).await,
    };
    let return_to = context.return_to(form.typed());
    let Some((token, _)) = pending else { return Ok(context.redirect_to_login_with(return_to.as_deref())) };
    context.check_rate_limit(RateLimit::MailFrom(context.address)).await?;
    let options = IssueOptions { return_to: return_to.as_deref(), locale: context.language.locale };
    match missing_address::enter_address(&context.app, &context.device(), token, &form.email, options).await {
        Ok(token_id) => {
            context.set_pending_verification(token_id);
            Ok(context.redirect(Some("/auth/email/verify")))
        }
        Err(ChangeError::Refused(Refusal::NotFound(_))) => Ok(context.redirect_to_login_with(return_to.as_deref())),
        Err(error) => page(&context, &form.again().refused(error)?).await,
    }
}

async fn page(context: &PageContext, errors: &FormErrors) -> Result<Response, PageError> {
    let return_to = context.return_to(errors.typed());
    let Some((token, user)) = context.pending_login(Outstanding::EmailAddress).await? else {
        return Ok(context.redirect_to_login_with(return_to.as_deref()));
    };
    let Some(entry) = missing_address::entry(&context.app, &context.anonymous(), token).await? else {
        return Ok(context.redirect_to_login_with(return_to.as_deref()));
    };
    let view = LoginAddressPage {
        layout: &context.shell(context.layout().shown_to(&user), errors.form())?,
        return_to: return_to.as_deref(),
        username: &user.username,
        entry,
        email: errors.field("email"),
    };
    Ok(views::page(errors.status(), &view))
}
