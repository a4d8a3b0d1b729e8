//! `/auth/account/username`: changes the username.

use super::page_context::PageContext;
use super::submission::{EarlyResponse, LoggedIn, Submission};
use crate::domain::account::change_username::{ChangeUsernameError, change_username};
use crate::http::error::InternalError;
use crate::http::session::LiveSession;
use crate::http::views::{self, CSRF_FAILED, Field, UsernamePage, account_sections};
use crate::messages::Message;
use crate::rate_limit::{ChangeKind, RateLimit};
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;

const PATH: &str = "/auth/account/username";
const ACCOUNT: &str = "/auth/account";

/// Shows the form.
pub async fn show(context: PageContext) -> Result<Response, EarlyResponse> {
    let LoggedIn { context, live } = context.require_login(PATH).await?;
    let username = Field { value: &live.view.username, error: None };
    page(context, &live, StatusCode::OK, username, None)
}

/// Changes the username.
pub async fn submit(context: PageContext, body: Body) -> Result<Response, EarlyResponse> {
    let Submission { context, live, fields, csrf_valid } = context.submission(body, PATH).await?;
    let value = fields.text("username");
    if !csrf_valid {
        return page(context, &live, StatusCode::FORBIDDEN, Field { value, error: None }, Some(&CSRF_FAILED));
    }
    context.check_change_limit(&live, ChangeKind::Names).await?;
    // After that of the account, so that one user cannot use up the limit of a shared network.
    context.check_rate_limit(RateLimit::NamesFrom(context.address)).await?;
    match change_username(&context.app, live.view.user_id, value, &context.actor(&live)).await {
        Ok(true) => Ok(context.redirect(Some("/auth/account?done=username"))),
        Ok(false) => Ok(context.redirect(Some(ACCOUNT))),
        Err(ChangeUsernameError::NotAccepted(message)) => {
            let username = Field { value, error: Some(&message) };
            page(context, &live, StatusCode::UNPROCESSABLE_ENTITY, username, None)
        }
        Err(ChangeUsernameError::NoSuchUser) => Ok(context.redirect_to_login(ACCOUNT)),
        Err(ChangeUsernameError::Failed(error)) => Err(InternalError::new(error, context.id).into()),
    }
}

fn page(
    mut context: PageContext,
    live: &LiveSession,
    status: StatusCode,
    username: Field<'_>,
    form_error: Option<&Message>,
) -> Result<Response, EarlyResponse> {
    let csrf = context.csrf()?;
    let view = UsernamePage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections(ACCOUNT),
        username,
        form_error,
    };
    let page = views::page(status, &view);
    Ok(context.respond(page))
}
