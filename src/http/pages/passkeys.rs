//! `/auth/account/passkeys`: lists, adds, renames and removes passkeys.

use super::page_context::PageContext;
use super::paths;
use super::required::{not_found, parse_id};
use super::shared_fields::{NameFields, PasskeyFields};
use crate::domain::mfa::passkey;
use crate::domain::mfa::passkey::add::{self, add};
use crate::domain::mfa::passkey::registered;
use crate::http::device;
use crate::http::form::{FormErrors, FromAnywhere, NoFields, Submitted};
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::http::views::{
    self, NewPasskeyPage, PasskeyLine, PasskeyPage, PasskeysPage, RemovePasskeyPage, account_sections,
};
use crate::model::ids::PasskeyId;
use crate::model::visible::is_invisible;
use crate::rate_limit::ChangeKind;
use crate::store::PasskeyRow;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;

const PATH: &str = paths::PASSKEYS;
const NEW_PATH: &str = "/auth/account/passkeys/new";

pub async fn list(context: PageContext) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    let rows = registered::list(&context.app, &context.person(&live), live.view.user_id).await?;
    let csrf = context.csrf()?;
    let challenge = if context.recently_proved(&live) {
        add::registration_challenge(&context.app, &context.person(&live), live.view.user_id, &csrf).await?
    } else {
        None
    };
    let lines: Vec<PasskeyLine<'_>> = rows.iter().map(passkey_line).collect();
    let notice = context.done_message(&[
        ("added", "passkeys-added"),
        ("renamed", "passkeys-renamed"),
        ("removed", "passkeys-removed"),
    ]);
    let view = PasskeysPage {
        layout: context.layout_for(&live, &csrf),
        sections: &account_sections(paths::SECURITY),
        passkeys: &lines,
        supported: passkey::are_supported(&context.app),
        csrf: &csrf,
        challenge: challenge.as_ref(),
        notice: notice.as_ref(),
    };
    Ok(views::page(StatusCode::OK, &view))
}

/// Shows the form that creates a passkey.
pub async fn show_new(context: PageContext) -> Result<Response, PageError> {
    let live = context.require_reauthentication(NEW_PATH).await?;
    new_page(&context, &live, &FormErrors::default()).await
}

pub async fn create(context: PageContext, submitted: Submitted<PasskeyFields>) -> Result<Response, PageError> {
    let live = context.require_reauthentication(NEW_PATH).await?;
    let form = match submitted.verified(&live) {
        Ok(form) => form,
        Err(errors) => return new_page(&context, &live, &errors).await,
    };
    context.check_change_limit(&live, ChangeKind::Factors).await?;
    let name = name_for(&context, &form.name);
    let errors = match add(&context.app, &context.person(&live), live.view.user_id, &name, &form.response()).await {
        Ok(()) => return Ok(context.redirect(Some("/auth/account/passkeys?done=added"))),
        Err(error) => form.again().refused(error)?,
    };
    new_page(&context, &live, &errors).await
}

pub async fn show(context: PageContext, Path(passkey): Path<String>) -> Result<Response, PageError> {
    let passkey = PasskeyId(parse_id(&passkey)?);
    let live = context.require_login(PATH).await?;
    passkey_page(&context, &live, passkey, &FormErrors::default()).await
}

pub async fn rename(
    context: PageContext,
    Path(passkey): Path<String>,
    submitted: FromAnywhere<NameFields>,
) -> Result<Response, PageError> {
    let passkey = PasskeyId(parse_id(&passkey)?);
    let live = context.require_login(PATH).await?;
    let form = match submitted.verified() {
        Ok(form) => form,
        Err(errors) => return passkey_page(&context, &live, passkey, &errors).await,
    };
    context.check_change_limit(&live, ChangeKind::Names).await?;
    match registered::rename(&context.app, &context.person(&live), live.view.user_id, passkey, &form.name).await {
        Ok(()) => Ok(context.redirect(Some("/auth/account/passkeys?done=renamed"))),
        Err(error) => passkey_page(&context, &live, passkey, &form.again().refused(error)?).await,
    }
}

pub async fn show_removal(context: PageContext, Path(passkey): Path<String>) -> Result<Response, PageError> {
    let passkey = PasskeyId(parse_id(&passkey)?);
    let live = context.require_reauthentication(context.path()).await?;
    removal_page(&context, &live, passkey, &FormErrors::default()).await
}

pub async fn remove(
    context: PageContext,
    Path(passkey): Path<String>,
    submitted: Submitted<NoFields>,
) -> Result<Response, PageError> {
    let passkey = PasskeyId(parse_id(&passkey)?);
    let live = context.require_reauthentication(PATH).await?;
    let form = match submitted.verified(&live) {
        Ok(form) => form,
        Err(errors) => return removal_page(&context, &live, passkey, &errors).await,
    };
    context.check_change_limit(&live, ChangeKind::Factors).await?;
    match registered::remove(&context.app, &context.person(&live), live.view.user_id, passkey).await {
        Ok(()) => Ok(context.redirect(Some("/auth/account/passkeys?done=removed"))),
        Err(error) => removal_page(&context, &live, passkey, &form.again().refused(error)?).await,
    }
}

/// What a new passkey is called: by its device, unless a name was given.
fn name_for(context: &PageContext, given: &str) -> String {
    if given.trim().is_empty() {
        let device = device::display_name(context.layout().messages, context.device().user_agent());
        // Messages mark where the direction of writing changes; a name has no such marks.
        return device.chars().filter(|c| !is_invisible(*c)).take(add::MAX_NAME_LEN).collect();
    }
    given.to_owned()
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

async fn new_page(context: &PageContext, live: &LiveSession, errors: &FormErrors) -> Result<Response, PageError> {
    let csrf = context.csrf()?;
    let Some(challenge) =
        add::registration_challenge(&context.app, &context.person(live), live.view.user_id, &csrf).await?
    else {
        return Ok(context.redirect(Some(PATH)));
    };
    let view = NewPasskeyPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections(paths::SECURITY),
        challenge: &challenge,
        // A script fills in the fields.
        form_error: errors.form().or(errors.of("name")).or(errors.of("credential")),
    };
    Ok(views::page(errors.status(), &view))
}

async fn passkey_page(
    context: &PageContext,
    live: &LiveSession,
    passkey: PasskeyId,
    errors: &FormErrors,
) -> Result<Response, PageError> {
    let Some(row) = registered::find(&context.app, &context.person(live), live.view.user_id, passkey).await? else {
        return Err(not_found());
    };
    let csrf = context.csrf()?;
    let view = PasskeyPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections(paths::SECURITY),
        passkey: passkey_line(&row),
        name: errors.field_or("name", &row.name),
        form_error: errors.form(),
    };
    Ok(views::page(errors.status(), &view))
}

async fn removal_page(
    context: &PageContext,
    live: &LiveSession,
    passkey: PasskeyId,
    errors: &FormErrors,
) -> Result<Response, PageError> {
    let Some(row) = registered::find(&context.app, &context.person(live), live.view.user_id, passkey).await? else {
        return Err(not_found());
    };
    let csrf = context.csrf()?;
    let view = RemovePasskeyPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections(paths::SECURITY),
        passkey: passkey_line(&row),
        form_error: errors.form(),
    };
    Ok(views::page(errors.status(), &view))
}
