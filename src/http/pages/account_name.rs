//! `/auth/account/name`: what the user is called.

use super::page_context::PageContext;
use super::shared_fields::NameFields;
use crate::domain::account::display_name;
use crate::http::form::{FormErrors, FromAnywhere};
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::http::views::{self, NamePage, account_sections};
use crate::rate_limit::{ChangeKind, RateLimit};
use crate::refusal::{ChangeError, Refusal};
use axum::response::Response;

const PATH: &str = "/auth/account/name";
const ACCOUNT: &str = "/auth/account";

pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    page(&context, &live, &FormErrors::default())
}

/// Changes or removes the name.
pub async fn submit(context: PageContext, submitted: FromAnywhere<NameFields>) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    let form = match submitted.verified() {
        Ok(form) => form,
        Err(errors) => return page(&context, &live, &errors),
    };
    context.check_change_limit(&live, ChangeKind::Names).await?;
    // After that of the account, so that one user cannot use up the limit of a shared network.
    context.check_rate_limit(RateLimit::NamesFrom(context.address)).await?;
    match display_name::change(&context.app, &context.person(&live), live.view.user_id, &form.name).await {
        Ok(true) if form.name.trim().is_empty() => Ok(context.redirect(Some("/auth/account?done=name-removed"))),
        Ok(true) => Ok(context.redirect(Some("/auth/account?done=name"))),
        Ok(false) => Ok(context.redirect(Some(ACCOUNT))),
        Err(ChangeError::Refused(Refusal::NotFound(_))) => Ok(context.redirect_to_login(ACCOUNT)),
        Err(error) => page(&context, &live, &form.again().refused(error)?),
    }
}

fn page(context: &PageContext, live: &LiveSession, errors: &FormErrors) -> Result<Response, PageError> {
    let csrf = context.csrf()?;
    let view = NamePage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections(ACCOUNT),
        name: errors.field_or("name", live.view.name.as_deref().unwrap_or_default()),
        form_error: errors.form(),
    };
    Ok(views::page(errors.status(), &view))
}
