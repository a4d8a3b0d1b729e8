//! `/auth/account/confirm`: reauthentication (step-up) before security settings change (OWASP ASVS 5.0, 7.5.1).

use super::page_context::PageContext;
use super::password_prompt::PromptFields;
use super::shared_fields::PasskeyFields;
use crate::domain::account::reauthentication::{Reauthentication, ReauthenticationError, confirm};
use crate::domain::mfa::passkey::reauthentication::reauthentication_challenge;
use crate::http::form::{FormErrors, Submitted, Typed};
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::http::views::{self, ConfirmPage, WRONG_PASSWORD};
use crate::messages::Message;
use crate::rate_limit::RateLimit;
use axum::response::Response;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

const PATH: &str = "/auth/account/confirm";
const ACCOUNT: &str = "/auth/account";

impl PageContext {
    /// Requires a recently authenticated session; otherwise redirects to log in or reauthenticate, and back to `path`.
    pub async fn require_reauthentication(&self, path: &str) -> Result<LiveSession, PageError> {
        let live = self.require_login(path).await?;
        if self.recently_authenticated(&live) {
            return Ok(live);
        }
        Err(self.redirect_to_reauthentication(path).into())
    }

    /// Whether a form that asks for the password requires reauthentication first: the account has no password, and the
    /// session is not recently authenticated.
    pub async fn needs_reauthentication(&self, live: &LiveSession) -> Result<bool, PageError> {
        Ok(!self.recently_authenticated(live) && !self.has_password(live).await?)
    }

    /// Whether the account has a password.
    pub async fn has_password(&self, live: &LiveSession) -> Result<bool, PageError> {
        let user = self.app.store.read().await?.user_find(live.view.user_id).await?;
        Ok(user.is_some_and(|user| user.password_hash.is_some()))
    }

    /// Redirects to the reauthentication page, which returns to `path`.
    pub fn redirect_to_reauthentication(&self, path: &str) -> Response {
        let target = format!("{PATH}?return_to={}", utf8_percent_encode(path, NON_ALPHANUMERIC));
        self.redirect(Some(&target))
    }
}

/// Shows the form.
pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let errors = FormErrors::default();
    // A login counts as reauthentication: return straight to the target.
    let target = context.return_to(errors.typed()).unwrap_or_else(|| ACCOUNT.to_owned());
    let live = context.require_login(&target).await?;
    if context.recently_authenticated(&live) {
        return Ok(redirect_back(&context, errors.typed()));
    }
    page(&context, &live, &errors).await
}

/// Checks a password.
pub async fn submit(context: PageContext, submitted: Submitted<PromptFields>) -> Result<Response, PageError> {
    let live = context.require_login(ACCOUNT).await?;
    let form = match submitted.verified() {
        Ok(form) => form,
        Err(errors) => return page(&context, &live, &errors).await,
    };
    context.begin_password_attempt(&live).await?;
    let credential = Reauthentication::Password(form.password.clone());
    let outcome = confirm(&context.app, live.view.user_id, live.id, credential, &context.device()).await;
    if outcome.is_ok() {
        context.password_attempt_succeeded(live.view.user_id).await;
    }
    respond(&context, &live, outcome, form.again(), form.refused_field("password", WRONG_PASSWORD.clone())).await
}

/// Checks a passkey.
pub async fn submit_passkey(context: PageContext, submitted: Submitted<PasskeyFields>) -> Result<Response, PageError> {
    let live = context.require_login(ACCOUNT).await?;
    let form = match submitted.verified() {
        Ok(form) => form,
        Err(errors) => return page(&context, &live, &errors).await,
    };
    context.check_rate_limit(RateLimit::PasskeyFrom(context.address)).await?;
    let credential = Reauthentication::Passkey(form.response());
    let outcome = confirm(&context.app, live.view.user_id, live.id, credential, &context.device()).await;
    respond(&context, &live, outcome, form.again(), form.refused(Message::new("confirm-passkey-wrong"))).await
}

/// The response to an outcome; `wrong` is what the page says of a wrong credential.
async fn respond(
    context: &PageContext,
    live: &LiveSession,
    outcome: Result<(), ReauthenticationError>,
    again: FormErrors,
    wrong: FormErrors,
) -> Result<Response, PageError> {
    match outcome {
        Ok(()) => Ok(redirect_back(context, again.typed())),
        Err(ReauthenticationError::SessionEnded) => Ok(context.redirect_to_login(ACCOUNT)),
        Err(ReauthenticationError::Failed(error)) => Err(error.into()),
        Err(ReauthenticationError::Wrong) => page(context, live, &wrong).await,
        Err(ReauthenticationError::Void) => page(context, live, &again.and_form(Message::new("passkey-void"))).await,
    }
}

fn redirect_back(context: &PageContext, typed: &Typed) -> Response {
    let target = context.return_to(typed);
    context.redirect(Some(target.as_deref().unwrap_or(ACCOUNT)))
}

async fn page(context: &PageContext, live: &LiveSession, errors: &FormErrors) -> Result<Response, PageError> {
    let csrf = context.csrf()?;
    let return_to = context.return_to(errors.typed());
    let passkey = reauthentication_challenge(&context.app, live.view.user_id, &csrf).await?;
    let view = ConfirmPage {
        layout: context.layout(),
        csrf: &csrf,
        return_to: return_to.as_deref(),
        username: &live.view.username,
        has_password: context.has_password(live).await?,
        passkey: passkey.as_ref(),
        password_error: errors.of("password"),
        form_error: errors.form(),
    };
    Ok(views::page(errors.status(), &view))
}
