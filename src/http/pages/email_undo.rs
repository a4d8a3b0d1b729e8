//! `/auth/email/undo/{token}`: undoes a change of the email address, for the owner of the old one (docs/protocol.md
//! 10.6). GET changes nothing, as mail scanners follow links.

use super::email_verify::link_outcome_page;
use super::page_context::PageContext;
use super::submission::EarlyResponse;
use crate::domain::verification::email_undo::{self, UndoError};
use crate::http::error::InternalError;
use crate::http::views::{self, CSRF_FAILED, LinkOutcome, UndoEmailPage};
use crate::messages::Message;
use axum::body::Body;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;

/// Shows the button.
pub async fn show(context: PageContext, Path(token): Path<String>) -> Result<Response, EarlyResponse> {
    page(context, &token, StatusCode::OK, None).await
}

/// Restores the old address and redirects to the page that sets a new password.
pub async fn submit(context: PageContext, Path(token): Path<String>, body: Body) -> Result<Response, EarlyResponse> {
    let (_, csrf_valid) = context.form(body).await?;
    if !csrf_valid {
        return page(context, &token, StatusCode::FORBIDDEN, Some(&CSRF_FAILED)).await;
    }
    match email_undo::undo(&context.app, &token, &context.device()).await {
        Ok(undone) => Ok(context.redirect(Some(&format!("/auth/password/reset/{}", undone.reset.text())))),
        Err(UndoError::Unknown) => Ok(link_outcome_page(context, StatusCode::NOT_FOUND, LinkOutcome::UndoLinkInvalid)),
        Err(UndoError::AddressTaken) => Ok(link_outcome_page(context, StatusCode::CONFLICT, LinkOutcome::AddressTaken)),
        Err(UndoError::Failed(error)) => Err(InternalError::new(error, context.id).into()),
    }
}

async fn page(
    mut context: PageContext,
    token: &str,
    status: StatusCode,
    form_error: Option<&Message>,
) -> Result<Response, EarlyResponse> {
    let found =
        email_undo::find_undo(&context.app, token).await.map_err(|error| InternalError::new(error, context.id))?;
    let Some(email) = found else {
        return Ok(link_outcome_page(context, StatusCode::NOT_FOUND, LinkOutcome::UndoLinkInvalid));
    };
    let csrf = context.csrf()?;
    let view = UndoEmailPage { layout: context.layout(), csrf: &csrf, token, email: &email, form_error };
    let page = views::page(status, &view);
    Ok(context.respond(page))
}
