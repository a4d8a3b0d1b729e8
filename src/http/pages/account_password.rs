//! `/auth/account/password`: changes the password.

use super::page_context::PageContext;
use super::paths;
use crate::domain::account::change_password::{NewPassword, change_password};
use crate::domain::account::overview;
use crate::http::form::{FormErrors, FormFields, Submitted};
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::http::views::{self, PasswordPage, account_sections};
use crate::messages::Key;
use crate::rate_limit::ChangeKind;
use axum::response::Response;
use secrecy::SecretString;
use serde::Deserialize;

const PATH: &str = "/auth/account/password";

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct PasswordFields {
    current: SecretString,
    password: SecretString,
    end_others: Option<String>,
}

impl FormFields for PasswordFields {
    const SHOWN_AGAIN: &'static [&'static str] = &["end_others"];
}

impl PasswordFields {
    fn new_password(&self) -> NewPassword {
        let end_others = self.end_others.is_some();
        NewPassword { current: self.current.clone(), new: self.password.clone(), end_others }
    }
}

/// Shows the form. An account without a password requires recent authentication.
pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    context.require_password_or_proof(&live, PATH).await?;
    page(&context, &live, &FormErrors::default()).await
}

pub async fn submit(context: PageContext, submitted: Submitted<PasswordFields>) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    let form = match submitted.verified(&live) {
        Ok(form) => form,
        Err(errors) => return page(&context, &live, &errors).await,
    };
    context.require_password_or_proof(&live, PATH).await?;
    context.check_change_limit(&live, ChangeKind::Factors).await?;
    context.begin_password_attempt(&live).await?;
    let (user, input, is_recent) = (live.view.user_id, form.new_password(), context.recently_proved(&live));
    let errors = match change_password(
        &context.app,
        &context.person(&live),
        (user, live.id),
        input,
        is_recent,
        &context.device(),
    )
    .await
    {
        Ok(()) => {
            context.password_attempt_succeeded(user).await;
            return Ok(context.redirect(Some(&format!("{}?done=password", paths::SECURITY))));
        }
        Err(error) => form.again().refused(error)?,
    };
    page(&context, &live, &errors).await
}

async fn page(context: &PageContext, live: &LiveSession, errors: &FormErrors) -> Result<Response, PageError> {
    let found = overview::protection(&context.app, &context.person(live), live.view.user_id).await?;
    let Some(protection) = found else { return Ok(context.redirect_to_login(PATH)) };
    let added = (protection.passkeys > 0).then_some((Key("passkeys-title"), paths::PASSKEYS));
    let connected = (protection.identities > 0).then_some((Key("connections-title"), paths::CONNECTIONS));
    let others: Vec<_> = added.into_iter().chain(connected).collect();
    let csrf = context.csrf()?;
    let view = PasswordPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections(paths::SECURITY),
        username: live.view.person().account(),
        has_password: protection.has_password,
        others: &others,
        current_error: errors.of("current"),
        new_error: errors.of("password"),
        min_password_length: context.app.settings.accounts.password_min_length,
        end_others: errors.typed().is_checked("end_others", true),
        form_error: errors.form(),
    };
    Ok(views::page(errors.status(), &view))
}
