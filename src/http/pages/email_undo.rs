//! `/auth/email/undo/{token}`: undoes a change of the email address, for the owner of the old one
//! (docs/reference/browser.md 10.6). GET changes nothing, as mail scanners follow links.

use super::email_verify::link_outcome_page;
use super::page_context::PageContext;
use crate::domain::verification::email_undo;
use crate::http::form::{FormErrors, NoFields, ShownTo, Submitted};
use crate::http::page_error::PageError;
use crate::http::views::{self, LinkOutcome, UndoEmailPage};
use crate::refusal::{ChangeError, Refusal, Rule};
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;

/// Shows the button.
pub async fn show(context: PageContext, Path(token): Path<String>) -> Result<Response, PageError> {
    page(&context, &token, &FormErrors::default()).await
}

/// Restores the old address and redirects to the page that sets a new password.
pub async fn submit(
    context: PageContext,
    Path(token): Path<String>,
    submitted: Submitted<NoFields>,
) -> Result<Response, PageError> {
    if let Err(errors) = submitted.verified(ShownTo::Anyone) {
        return page(&context, &token, &errors).await;
    }
    match email_undo::undo(&context.app, &token, &context.device()).await {
        Ok(undone) => Ok(context.redirect(Some(&format!("/auth/password/reset/{}", undone.reset.text())))),
        Err(ChangeError::Refused(Refusal::NotFound(_))) => {
            Ok(link_outcome_page(&context, StatusCode::NOT_FOUND, LinkOutcome::UndoLinkInvalid))
        }
        Err(ChangeError::Refused(Refusal::Rule(Rule::Conflict, _))) => {
            Ok(link_outcome_page(&context, StatusCode::CONFLICT, LinkOutcome::AddressTaken))
        }
        Err(error) => Err(error.into()),
    }
}

async fn page(context: &PageContext, token: &str, errors: &FormErrors) -> Result<Response, PageError> {
    let Some(email) = email_undo::find_undo(&context.app, &context.anonymous(), token).await? else {
        return Ok(link_outcome_page(context, StatusCode::NOT_FOUND, LinkOutcome::UndoLinkInvalid));
    };
    let view = UndoEmailPage { layout: &context.shell(context.layout(), errors.form())?, token, email: &email };
    Ok(views::page(errors.status(), &view))
}
