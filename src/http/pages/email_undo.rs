//! `/auth/email/undo/{token}`: the way back from a change of address, for whoever held the old one. Looking changes
//! nothing.

use super::email_verify::outcome_page;
use super::submission::Stop;
use super::visit::Visit;
use crate::domain::verification::email_undo::{self, UndoError};
use crate::http::error::Fault;
use crate::http::views::{self, LinkOutcome, STALE_FORM, UndoEmailPage};
use crate::messages::Message;
use axum::body::Body;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;

/// Shows the button.
pub async fn show(visit: Visit, Path(token): Path<String>) -> Result<Response, Stop> {
    page(visit, &token, StatusCode::OK, None).await
}

/// Brings the address back; then a new password is to be set.
pub async fn submit(visit: Visit, Path(token): Path<String>, body: Body) -> Result<Response, Stop> {
    let (_, meant) = visit.form(body).await?;
    if !meant {
        return page(visit, &token, StatusCode::FORBIDDEN, Some(&STALE_FORM)).await;
    }
    match email_undo::undo(&visit.app, &token, &visit.device()).await {
        Ok(undone) => Ok(visit.redirect(Some(&format!("/auth/password/reset/{}", undone.reset.text())))),
        Err(UndoError::Unknown) => Ok(outcome_page(visit, StatusCode::NOT_FOUND, LinkOutcome::UndoOver)),
        Err(UndoError::AddressTaken) => Ok(outcome_page(visit, StatusCode::CONFLICT, LinkOutcome::AddressTaken)),
        Err(UndoError::Failed(error)) => Err(Fault::new(error, visit.id).into()),
    }
}

async fn page(
    mut visit: Visit,
    token: &str,
    status: StatusCode,
    form_error: Option<&Message>,
) -> Result<Response, Stop> {
    let found = email_undo::find_undo(&visit.app, token).await.map_err(|error| Fault::new(error, visit.id))?;
    let Some(email) = found else {
        return Ok(outcome_page(visit, StatusCode::NOT_FOUND, LinkOutcome::UndoOver));
    };
    let csrf = visit.csrf()?;
    let view = UndoEmailPage { chrome: visit.chrome(), csrf: &csrf, token, email: &email, form_error };
    let page = views::page(status, &view);
    Ok(visit.answer(page))
}
