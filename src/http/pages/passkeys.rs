//! `/auth/account/passkeys`: lists, adds, renames and removes passkeys.

use super::account_security;
use super::page_context::PageContext;
use super::submission::{EarlyResponse, LoggedIn, Submission, not_found, parse_id};
use crate::domain::mfa::passkey;
use crate::domain::mfa::passkey::add::{self, AddError, PasskeyResponse, add};
use crate::domain::mfa::passkey::registered::{self, RemoveError};
use crate::http::error::InternalError;
use crate::http::form::Fields;
use crate::http::session::LiveSession;
use crate::http::views::{
    self, CSRF_FAILED, Field, NewPasskeyPage, PasskeyLine, PasskeyPage, PasskeysPage, account_sections,
};
use crate::messages::Message;
use crate::model::ids::PasskeyId;
use crate::rate_limit::ChangeKind;
use crate::store::PasskeyRow;
use axum::body::Body;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;

const PATH: &str = "/auth/account/passkeys";
const NEW_PATH: &str = "/auth/account/passkeys/new";

/// Errors to show on the form.
#[derive(Default)]
struct FormErrors<'a> {
    name: Option<&'a Message>,
    form: Option<&'a Message>,
}

/// Lists the passkeys.
pub async fn list(context: PageContext) -> Result<Response, EarlyResponse> {
    let LoggedIn { mut context, live } = context.require_login(PATH).await?;
    let rows = registered::list(&context.app, live.view.user_id)
        .await
        .map_err(|error| InternalError::new(error, context.id))?;
    let csrf = context.csrf()?;
    let lines: Vec<PasskeyLine<'_>> = rows.iter().map(passkey_line).collect();
    let view = PasskeysPage {
        layout: context.layout_for(&live, &csrf),
        sections: &account_sections(account_security::PATH),
        passkeys: &lines,
        supported: passkey::are_supported(&context.app),
    };
    let page = views::page(StatusCode::OK, &view);
    Ok(context.respond(page))
}

/// Shows the form that creates a passkey.
pub async fn show_new(context: PageContext) -> Result<Response, EarlyResponse> {
    let LoggedIn { context, live } = context.require_reauthentication(NEW_PATH).await?;
    new_page(context, &live, &Fields::default(), StatusCode::OK, FormErrors::default()).await
}

/// Adds a passkey.
pub async fn create(context: PageContext, body: Body) -> Result<Response, EarlyResponse> {
    let Submission { context, live, fields, csrf_valid } = context.reauthenticated_submission(body, NEW_PATH).await?;
    if !csrf_valid {
        let errors = FormErrors { form: Some(&CSRF_FAILED), ..FormErrors::default() };
        return new_page(context, &live, &fields, StatusCode::FORBIDDEN, errors).await;
    }
    context.check_change_limit(&live, ChangeKind::Factors).await?;
    let response = PasskeyResponse {
        credential: fields.text("credential"),
        state: fields.text("state"),
        csrf_token: fields.csrf().unwrap_or_default(),
    };
    let actor = context.actor(&live);
    match add(&context.app, &actor, live.view.user_id, fields.text("name"), &response).await {
        Ok(()) => Ok(context.redirect(Some(PATH))),
        Err(AddError::Name(message)) => {
            let errors = FormErrors { name: Some(&message), ..FormErrors::default() };
            new_page(context, &live, &fields, StatusCode::UNPROCESSABLE_ENTITY, errors).await
        }
        Err(AddError::Refused(message)) => {
            let errors = FormErrors { form: Some(&message), ..FormErrors::default() };
            new_page(context, &live, &fields, StatusCode::UNPROCESSABLE_ENTITY, errors).await
        }
        Err(AddError::Failed(error)) => Err(InternalError::new(error, context.id).into()),
    }
}

/// Shows a passkey.
pub async fn show(context: PageContext, Path(passkey): Path<String>) -> Result<Response, EarlyResponse> {
    let passkey = PasskeyId(parse_id(&passkey)?);
    let LoggedIn { context, live } = context.require_login(PATH).await?;
    passkey_page(context, &live, passkey, None, StatusCode::OK, FormErrors::default()).await
}

/// Renames a passkey.
pub async fn rename(context: PageContext, Path(passkey): Path<String>, body: Body) -> Result<Response, EarlyResponse> {
    let passkey = PasskeyId(parse_id(&passkey)?);
    let Submission { context, live, fields, csrf_valid } = context.submission(body, PATH).await?;
    if !csrf_valid {
        let errors = FormErrors { form: Some(&CSRF_FAILED), ..FormErrors::default() };
        return passkey_page(context, &live, passkey, fields.get("name"), StatusCode::FORBIDDEN, errors).await;
    }
    context.check_change_limit(&live, ChangeKind::Names).await?;
    let actor = context.actor(&live);
    match registered::rename(&context.app, &actor, live.view.user_id, passkey, fields.text("name")).await {
        Ok(()) => Ok(context.redirect(Some(PATH))),
        Err(RemoveError::NotFound) => Err(not_found()),
        Err(RemoveError::Refused(message)) => {
            let errors = FormErrors { name: Some(&message), ..FormErrors::default() };
            passkey_page(context, &live, passkey, fields.get("name"), StatusCode::UNPROCESSABLE_ENTITY, errors).await
        }
        Err(RemoveError::Failed(error)) => Err(InternalError::new(error, context.id).into()),
    }
}

/// Removes a passkey.
pub async fn remove(context: PageContext, Path(passkey): Path<String>, body: Body) -> Result<Response, EarlyResponse> {
    let passkey = PasskeyId(parse_id(&passkey)?);
    let Submission { context, live, csrf_valid, .. } = context.reauthenticated_submission(body, PATH).await?;
    if !csrf_valid {
        let errors = FormErrors { form: Some(&CSRF_FAILED), ..FormErrors::default() };
        return passkey_page(context, &live, passkey, None, StatusCode::FORBIDDEN, errors).await;
    }
    context.check_change_limit(&live, ChangeKind::Factors).await?;
    match registered::remove(&context.app, &context.actor(&live), live.view.user_id, passkey).await {
        Ok(()) => Ok(context.redirect(Some(PATH))),
        Err(RemoveError::NotFound) => Err(not_found()),
        Err(RemoveError::Refused(message)) => {
            let errors = FormErrors { form: Some(&message), ..FormErrors::default() };
            passkey_page(context, &live, passkey, None, StatusCode::UNPROCESSABLE_ENTITY, errors).await
        }
        Err(RemoveError::Failed(error)) => Err(InternalError::new(error, context.id).into()),
    }
}

fn passkey_line(row: &PasskeyRow) -> PasskeyLine<'_> {
    PasskeyLine {
        id: row.id,
        name: &row.name,
        backed_up: row.backed_up,
        created_at: row.created_at,
        last_used_at: row.last_used_at,
    }
}

async fn new_page(
    mut context: PageContext,
    live: &LiveSession,
    fields: &Fields,
    status: StatusCode,
    errors: FormErrors<'_>,
) -> Result<Response, EarlyResponse> {
    let csrf = context.csrf()?;
    let challenge = add::registration_challenge(&context.app, live.view.user_id, &csrf).await;
    let Some(challenge) = challenge.map_err(|error| InternalError::new(error, context.id))? else {
        return Ok(context.redirect(Some(PATH)));
    };
    let view = NewPasskeyPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections(account_security::PATH),
        challenge: &challenge,
        name: Field { value: fields.text("name"), error: errors.name },
        form_error: errors.form,
    };
    let page = views::page(status, &view);
    Ok(context.respond(page))
}

async fn passkey_page(
    mut context: PageContext,
    live: &LiveSession,
    passkey: PasskeyId,
    name: Option<&str>,
    status: StatusCode,
    errors: FormErrors<'_>,
) -> Result<Response, EarlyResponse> {
    let found = registered::find(&context.app, live.view.user_id, passkey).await;
    let Some(row) = found.map_err(|error| InternalError::new(error, context.id))? else { return Err(not_found()) };
    let csrf = context.csrf()?;
    let view = PasskeyPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections(account_security::PATH),
        passkey: passkey_line(&row),
        name: Field { value: name.unwrap_or(&row.name), error: errors.name },
        form_error: errors.form,
    };
    let page = views::page(status, &view);
    Ok(context.respond(page))
}
