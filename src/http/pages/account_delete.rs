//! `/auth/account/delete`: deletes the account after reauthentication (docs/protocol.md 10.8).

use super::page_context::PageContext;
use super::submission::{EarlyResponse, LoggedIn, Submission};
use crate::domain::account::delete::{self, DeleteError, delete};
use crate::domain::login::prompt::PasswordPrompt;
use crate::http::error::InternalError;
use crate::http::session::LiveSession;
use crate::http::views::{self, CSRF_FAILED, DeleteAccountPage, Link, MessagePage, WRONG_PASSWORD, account_sections};
use crate::messages::{Key, Message};
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;

const PATH: &str = "/auth/account/delete";

/// Asks for confirmation.
pub async fn show(context: PageContext) -> Result<Response, EarlyResponse> {
    let LoggedIn { context, live } = context.require_login(PATH).await?;
    if context.needs_reauthentication(&live).await? {
        return Ok(context.redirect_to_reauthentication(PATH));
    }
    page(context, &live, StatusCode::OK, None, None).await
}

/// Deletes the account.
pub async fn submit(context: PageContext, body: Body) -> Result<Response, EarlyResponse> {
    let Submission { mut context, live, fields, csrf_valid } = context.submission(body, PATH).await?;
    if !csrf_valid {
        return page(context, &live, StatusCode::FORBIDDEN, None, Some(&CSRF_FAILED)).await;
    }
    if context.needs_reauthentication(&live).await? {
        return Ok(context.redirect_to_reauthentication(PATH));
    }
    if !context.is_reauthenticated(&live, &fields, PasswordPrompt::AccountDeletion).await? {
        return page(context, &live, StatusCode::UNPROCESSABLE_ENTITY, Some(&WRONG_PASSWORD), None).await;
    }
    let user = live.view.user_id;
    match delete(&context.app, user, &context.actor(&live)).await {
        Ok(()) | Err(DeleteError::NoSuchUser) => {
            context.clear_session();
            context.replace_csrf()?;
            let page = deleted_page(&context);
            Ok(context.respond(page))
        }
        Err(DeleteError::LastOwner(organizations)) => {
            let message = delete::last_owner_message(&organizations);
            page(context, &live, StatusCode::UNPROCESSABLE_ENTITY, None, Some(&message)).await
        }
        Err(DeleteError::Failed(error)) => Err(InternalError::new(error, context.id).into()),
    }
}

fn deleted_page(context: &PageContext) -> Response {
    let view = MessagePage {
        layout: context.layout(),
        heading: Key("account-deleted"),
        paragraphs: &[Message::new("account-deleted-what")],
        next: Some(Link { href: "/auth/login", label: Key("error-to-log-in") }),
    };
    views::page(StatusCode::OK, &view)
}

async fn page(
    mut context: PageContext,
    live: &LiveSession,
    status: StatusCode,
    password_error: Option<&Message>,
    form_error: Option<&Message>,
) -> Result<Response, EarlyResponse> {
    let csrf = context.csrf()?;
    let view = DeleteAccountPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections("/auth/account"),
        account: live.address_or_username(),
        has_password: context.has_password(live).await?,
        password_error,
        form_error,
    };
    let page = views::page(status, &view);
    Ok(context.respond(page))
}
