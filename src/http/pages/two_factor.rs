//! `/auth/account/two-factor`: turns two-factor authentication on and off.

use super::change_form::LoggedIn;
use super::page_context::PageContext;
use super::password_prompt::PromptFields;
use super::shared_fields::CodeFields;
use super::{paths, recovery_codes};
use crate::domain::login::prompt::PasswordPrompt;
use crate::domain::mfa::{status, totp, trusted_devices};
use crate::http::form::{FormErrors, NoFields, Submitted};
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::http::views::{
    self, QrCode, RemoveTwoFactorPage, TwoFactorPage, TwoFactorSetup, TwoFactorState, WRONG_PASSWORD, account_sections,
};
use crate::model::mail_domain::in_letters;
use crate::rate_limit::ChangeKind;
use crate::refusal::{ChangeError, Refusal};
use axum::response::Response;

const PATH: &str = paths::TWO_FACTOR;
const REMOVE_PATH: &str = "/auth/account/two-factor/remove";

pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    page(&context, &live, &FormErrors::default()).await
}

/// Starts the setup with a new secret.
pub async fn begin(context: PageContext, submitted: Submitted<NoFields>) -> Result<Response, PageError> {
    let live = context.require_reauthentication(PATH).await?;
    if let Err(errors) = submitted.verified(&live) {
        return page(&context, &live, &errors).await;
    }
    context.check_change_limit(&live, ChangeKind::Factors).await?;
    totp::begin(&context.app, &context.person(&live), live.view.user_id).await?;
    Ok(context.redirect(Some(PATH)))
}

/// Confirms the setup with a code and shows the recovery codes.
pub async fn confirm(context: PageContext, submitted: Submitted<CodeFields>) -> Result<Response, PageError> {
    let live = context.require_reauthentication(PATH).await?;
    let form = match submitted.verified(&live) {
        Ok(form) => form,
        Err(errors) => return page(&context, &live, &errors).await,
    };
    context.check_change_limit(&live, ChangeKind::Factors).await?;
    let end_others = form.end_others.as_ref().map(|_| live.id);
    match totp::confirm(&context.app, &context.person(&live), live.view.user_id, &form.code, end_others).await {
        Ok(codes) => recovery_codes::show_new(LoggedIn { context: &context, live: &live }, &codes, true),
        Err(ChangeError::Refused(Refusal::NotFound(_))) => Ok(context.redirect(Some(PATH))),
        Err(error) => page(&context, &live, &form.again().refused(error)?).await,
    }
}

pub async fn forget_devices(context: PageContext, submitted: Submitted<NoFields>) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    if let Err(errors) = submitted.verified(&live) {
        return page(&context, &live, &errors).await;
    }
    context.check_change_limit(&live, ChangeKind::Factors).await?;
    trusted_devices::revoke_devices(&context.app, &context.person(&live), live.view.user_id).await?;
    Ok(context.redirect(Some(PATH)))
}

/// Asks for confirmation before turning it off.
pub async fn show_remove(context: PageContext) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    if status::two_factor(&context.app, &context.person(&live), live.view.user_id).await?.is_none() {
        return Ok(context.redirect(Some(PATH)));
    }
    context.require_shown_factor(&live, REMOVE_PATH)?;
    context.require_password_or_proof(&live, REMOVE_PATH).await?;
    removal_page(&context, &live, &FormErrors::default()).await
}

pub async fn remove(context: PageContext, submitted: Submitted<PromptFields>) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    let form = match submitted.verified(&live) {
        Ok(form) => form,
        Err(errors) => return removal_page(&context, &live, &errors).await,
    };
    context.require_shown_factor(&live, REMOVE_PATH)?;
    context.require_password_or_proof(&live, REMOVE_PATH).await?;
    context.check_change_limit(&live, ChangeKind::Factors).await?;
    if !context.is_reauthenticated(&live, &form, PasswordPrompt::TwoFactorRemoval).await? {
        return removal_page(&context, &live, &form.refused_field("password", WRONG_PASSWORD.clone())).await;
    }
    let end_others = form.end_others.as_ref().map(|_| live.id);
    status::disable(&context.app, &context.person(&live), live.view.user_id, end_others).await?;
    Ok(context.redirect(Some(PATH)))
}

async fn page(context: &PageContext, live: &LiveSession, errors: &FormErrors) -> Result<Response, PageError> {
    let csrf = context.csrf()?;
    let layout = context.layout_for(live, &csrf);
    let user = live.view.user_id;
    let two_factor = status::two_factor(&context.app, &context.person(live), user).await?;
    // The secret is shown only after recent authentication, not to someone at an unattended browser.
    let is_recent = context.recently_proved(live);
    let secret = totp::pending_secret(&context.app, &context.person(live), user).await?.filter(|_| is_recent);
    let uri = secret.as_ref().and_then(|secret| secret.uri(&layout.brand.name, &in_letters(&live.view.email)));
    let key = secret.as_ref().map(crate::crypto::totp::TotpSecret::manual_key);
    let state = match (&two_factor, &uri, &key) {
        (Some(on), ..) => TwoFactorState::On { since: on.since, codes_left: on.codes_left, devices: on.devices },
        (None, Some(uri), Some(key)) => TwoFactorState::Setup(TwoFactorSetup {
            qr: QrCode::of(uri),
            uri,
            email: &live.view.email,
            key,
            end_others: errors.typed().is_checked("end_others", false),
        }),
        _ => TwoFactorState::Off,
    };
    let view = TwoFactorPage {
        layout,
        csrf: &csrf,
        sections: &account_sections(paths::SECURITY),
        state,
        code_error: errors.of("code"),
        form_error: errors.form(),
    };
    Ok(views::page(errors.status(), &view))
}

async fn removal_page(context: &PageContext, live: &LiveSession, errors: &FormErrors) -> Result<Response, PageError> {
    let csrf = context.csrf()?;
    let view = RemoveTwoFactorPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections(paths::SECURITY),
        end_others: errors.typed().is_checked("end_others", true),
        has_password: context.has_password(live).await?,
        password_error: errors.of("password"),
        form_error: errors.form(),
    };
    Ok(views::page(errors.status(), &view))
}
