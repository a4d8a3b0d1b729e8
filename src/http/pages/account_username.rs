//! `/auth/account/username`: changes the username.

use super::page_context::PageContext;
use crate::domain::account::change_username::change_username;
use crate::http::form::{FormErrors, FormFields, Submitted};
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::http::views::{self, UsernamePage, account_sections};
use crate::rate_limit::{ChangeKind, RateLimit};
use crate::refusal::{ChangeError, Refusal};
use axum::response::Response;
use serde::Deserialize;

const PATH: &str = "/auth/account/username";
const ACCOUNT: &str = "/auth/account";

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct UsernameFields {
    username: String,
}

impl FormFields for UsernameFields {
    const SHOWN_AGAIN: &'static [&'static str] = &["username"];
}

pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    page(&context, &live, &FormErrors::default())
}

pub async fn submit(context: PageContext, submitted: Submitted<UsernameFields>) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    let form = match submitted.verified(&live) {
        Ok(form) => form,
        Err(errors) => return page(&context, &live, &errors),
    };
    context.check_change_limit(&live, ChangeKind::Names).await?;
    // After that of the account, so that one user cannot use up the limit of a shared network.
    context.check_rate_limit(RateLimit::NamesFrom(context.address)).await?;
    match change_username(&context.app, live.view.user_id, &form.username, &context.person(&live)).await {
        Ok(true) => Ok(context.redirect(Some("/auth/account?done=username"))),
        Ok(false) => Ok(context.redirect(Some(ACCOUNT))),
        Err(ChangeError::Refused(Refusal::NotFound(_))) => Ok(context.redirect_to_login(ACCOUNT)),
        Err(error) => page(&context, &live, &form.again().refused(error)?),
    }
}

fn page(context: &PageContext, live: &LiveSession, errors: &FormErrors) -> Result<Response, PageError> {
    let csrf = context.csrf()?;
    let view = UsernamePage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections(ACCOUNT),
        username: errors.field_or("username", &live.view.username),
        form_error: errors.form(),
    };
    Ok(views::page(errors.status(), &view))
}
