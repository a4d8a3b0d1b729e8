//! `/auth/account/two-factor`: turns two-factor authentication on and off.

use super::page_context::PageContext;
use super::submission::{EarlyResponse, LoggedIn, Submission};
use super::{account_security, paths, recovery_codes};
use crate::domain::login::prompt::PasswordPrompt;
use crate::domain::mfa::totp::{self, BeginTotpError, ConfirmTotpError};
use crate::domain::mfa::{status, trusted_devices};
use crate::http::error::InternalError;
use crate::http::form::Fields;
use crate::http::session::LiveSession;
use crate::http::views::{
    self, CSRF_FAILED, QrCode, RemoveTwoFactorPage, TwoFactorPage, TwoFactorSetup, TwoFactorState, WRONG_PASSWORD,
    account_sections,
};
use crate::messages::Message;
use crate::rate_limit::ChangeKind;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;

const PATH: &str = paths::TWO_FACTOR;
const REMOVE_PATH: &str = "/auth/account/two-factor/remove";
const WRONG_CODE: Message = Message::new("two-factor-wrong-code");

/// Errors to show on the form.
#[derive(Clone, Copy, Default)]
struct FormErrors<'a> {
    password: Option<&'a Message>,
    code: Option<&'a Message>,
    form: Option<&'a Message>,
}

/// Shows the state of two-factor authentication.
pub async fn show(context: PageContext) -> Result<Response, EarlyResponse> {
    let LoggedIn { context, live } = context.require_login(PATH).await?;
    page(context, &live, &Fields::default(), StatusCode::OK, FormErrors::default()).await
}

/// Starts the setup with a new secret.
pub async fn begin(context: PageContext, body: Body) -> Result<Response, EarlyResponse> {
    let Submission { context, live, fields, csrf_valid } = context.reauthenticated_submission(body, PATH).await?;
    if !csrf_valid {
        return csrf_error_page(context, &live, &fields).await;
    }
    context.check_change_limit(&live, ChangeKind::Factors).await?;
    match totp::begin(&context.app, live.view.user_id).await {
        Ok(()) | Err(BeginTotpError::AlreadyEnabled) => Ok(context.redirect(Some(PATH))),
        Err(BeginTotpError::Failed(error)) => Err(InternalError::new(error, context.id).into()),
    }
}

/// Confirms the setup with a code and shows the recovery codes.
pub async fn confirm(context: PageContext, body: Body) -> Result<Response, EarlyResponse> {
    let Submission { context, live, fields, csrf_valid } = context.reauthenticated_submission(body, PATH).await?;
    if !csrf_valid {
        return csrf_error_page(context, &live, &fields).await;
    }
    context.check_change_limit(&live, ChangeKind::Factors).await?;
    let end_others = fields.get("end_others").map(|_| live.id);
    match totp::confirm(&context.app, &context.actor(&live), live.view.user_id, fields.text("code"), end_others).await {
        Ok(codes) => recovery_codes::show_new(context, &live, &codes, true),
        Err(ConfirmTotpError::NoPendingSetup) => Ok(context.redirect(Some(PATH))),
        Err(ConfirmTotpError::WrongCode) => {
            let errors = FormErrors { code: Some(&WRONG_CODE), ..FormErrors::default() };
            page(context, &live, &fields, StatusCode::UNPROCESSABLE_ENTITY, errors).await
        }
        Err(ConfirmTotpError::Failed(error)) => Err(InternalError::new(error, context.id).into()),
    }
}

/// Revokes all trusted devices.
pub async fn forget_devices(context: PageContext, body: Body) -> Result<Response, EarlyResponse> {
    let Submission { context, live, fields, csrf_valid } = context.submission(body, PATH).await?;
    if !csrf_valid {
        return csrf_error_page(context, &live, &fields).await;
    }
    context.check_change_limit(&live, ChangeKind::Factors).await?;
    let result = trusted_devices::revoke_devices(&context.app, live.view.user_id).await;
    result.map_err(|error| InternalError::new(error, context.id))?;
    Ok(context.redirect(Some(PATH)))
}

/// Asks for confirmation before turning it off.
pub async fn show_remove(context: PageContext) -> Result<Response, EarlyResponse> {
    let LoggedIn { context, live } = context.require_login(PATH).await?;
    if load_two_factor(&context, &live).await?.is_none() {
        return Ok(context.redirect(Some(PATH)));
    }
    if context.needs_reauthentication(&live).await? {
        return Ok(context.redirect_to_reauthentication(REMOVE_PATH));
    }
    removal_page(context, &live, true, StatusCode::OK, FormErrors::default()).await
}

/// Turns it off.
pub async fn remove(context: PageContext, body: Body) -> Result<Response, EarlyResponse> {
    let Submission { context, live, fields, csrf_valid } = context.submission(body, PATH).await?;
    let end_others = fields.get("end_others").is_some();
    if !csrf_valid {
        let errors = FormErrors { form: Some(&CSRF_FAILED), ..FormErrors::default() };
        return removal_page(context, &live, end_others, StatusCode::FORBIDDEN, errors).await;
    }
    if context.needs_reauthentication(&live).await? {
        return Ok(context.redirect_to_reauthentication(REMOVE_PATH));
    }
    context.check_change_limit(&live, ChangeKind::Factors).await?;
    if !context.is_reauthenticated(&live, &fields, PasswordPrompt::TwoFactorRemoval).await? {
        let errors = FormErrors { password: Some(&WRONG_PASSWORD), ..FormErrors::default() };
        return removal_page(context, &live, end_others, StatusCode::UNPROCESSABLE_ENTITY, errors).await;
    }
    let result =
        status::disable(&context.app, &context.actor(&live), live.view.user_id, end_others.then_some(live.id)).await;
    result.map_err(|error| InternalError::new(error, context.id))?;
    Ok(context.redirect(Some(PATH)))
}

async fn csrf_error_page(context: PageContext, live: &LiveSession, fields: &Fields) -> Result<Response, EarlyResponse> {
    let errors = FormErrors { form: Some(&CSRF_FAILED), ..FormErrors::default() };
    page(context, live, fields, StatusCode::FORBIDDEN, errors).await
}

async fn load_two_factor(
    context: &PageContext,
    live: &LiveSession,
) -> Result<Option<status::TwoFactor>, InternalError> {
    status::two_factor(&context.app, live.view.user_id).await.map_err(|error| InternalError::new(error, context.id))
}

async fn page(
    mut context: PageContext,
    live: &LiveSession,
    fields: &Fields,
    status: StatusCode,
    errors: FormErrors<'_>,
) -> Result<Response, EarlyResponse> {
    let csrf = context.csrf()?;
    let layout = context.layout_for(live, &csrf);
    let user = live.view.user_id;
    let two_factor = load_two_factor(&context, live).await?;
    let secret =
        totp::pending_secret(&context.app, user).await.map_err(|error| InternalError::new(error, context.id))?;
    // The secret is shown only after recent authentication, not to someone at an unattended browser.
    let secret = secret.filter(|_| context.recently_authenticated(live));
    let uri = secret.as_ref().and_then(|secret| secret.uri(&layout.brand.name, &live.view.email));
    let key = secret.as_ref().map(crate::crypto::totp::TotpSecret::manual_key);
    let state = match (&two_factor, &uri, &key) {
        (Some(on), ..) => TwoFactorState::On { since: on.since, codes_left: on.codes_left, devices: on.devices },
        (None, Some(uri), Some(key)) => TwoFactorState::Setup(TwoFactorSetup {
            qr: QrCode::of(uri),
            uri,
            email: &live.view.email,
            key,
            end_others: fields.get("end_others").is_some(),
        }),
        _ => TwoFactorState::Off,
    };
    let view = TwoFactorPage {
        layout,
        csrf: &csrf,
        sections: &account_sections(account_security::PATH),
        state,
        code_error: errors.code,
        form_error: errors.form,
    };
    let page = views::page(status, &view);
    Ok(context.respond(page))
}

async fn removal_page(
    mut context: PageContext,
    live: &LiveSession,
    end_others: bool,
    status: StatusCode,
    errors: FormErrors<'_>,
) -> Result<Response, EarlyResponse> {
    let csrf = context.csrf()?;
    let view = RemoveTwoFactorPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections(account_security::PATH),
        end_others,
        has_password: context.has_password(live).await?,
        password_error: errors.password,
        form_error: errors.form,
    };
    let page = views::page(status, &view);
    Ok(context.respond(page))
}
