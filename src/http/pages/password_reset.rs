//! `/auth/password/reset/{token}`: the link of a mail that sets a new password. Looking changes nothing.

use super::email_verify::outcome_page;
use super::submission::Stop;
use super::visit::Visit;
use crate::domain::mailed::{self, Reset, ResetError};
use crate::http::error::Fault;
use crate::http::return_to;
use crate::http::views::{self, LinkOutcome, ResetPasswordPage, STALE_FORM};
use crate::messages::Message;
use axum::body::Body;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use secrecy::SecretString;

/// Asks for the new password.
pub async fn show(visit: Visit, Path(token): Path<String>) -> Result<Response, Stop> {
    page(visit, &token, StatusCode::OK, None, None).await
}

/// Sets it. Whoever did that logs in with it then: a second factor is asked for there.
pub async fn submit(visit: Visit, Path(token): Path<String>, body: Body) -> Result<Response, Stop> {
    let (fields, meant) = visit.form(body).await?;
    if !meant {
        return page(visit, &token, StatusCode::FORBIDDEN, None, Some(&STALE_FORM)).await;
    }
    let password = SecretString::from(fields.text("password"));
    match mailed::reset(&visit.app, &token, password, &visit.device(), visit.language.locale).await {
        Ok(Reset { user, return_to }) => {
            // Strangers who guessed at the old password do not hold up its owner.
            visit.try_succeeded(user).await;
            let target = return_to.and_then(|target| visit.still_accepted(&target));
            let path = return_to::carry("/auth/login?notice=password-set", target.as_deref());
            Ok(visit.redirect(Some(&path)))
        }
        Err(ResetError::Unknown) => Ok(outcome_page(visit, StatusCode::NOT_FOUND, LinkOutcome::ResetOver)),
        Err(ResetError::Password(why)) => page(visit, &token, StatusCode::UNPROCESSABLE_ENTITY, Some(&why), None).await,
        Err(ResetError::Failed(error)) => Err(Fault::new(error, visit.id).into()),
    }
}

async fn page(
    mut visit: Visit,
    token: &str,
    status: StatusCode,
    password_error: Option<&Message>,
    form_error: Option<&Message>,
) -> Result<Response, Stop> {
    let found = mailed::find_reset(&visit.app, token).await.map_err(|error| Fault::new(error, visit.id))?;
    let Some(user) = found else {
        return Ok(outcome_page(visit, StatusCode::NOT_FOUND, LinkOutcome::ResetOver));
    };
    let csrf = visit.csrf()?;
    let view = ResetPasswordPage {
        chrome: visit.chrome(),
        csrf: &csrf,
        token,
        email: &user.email,
        password_min: visit.app.settings.accounts.password_min_length,
        password_error,
        form_error,
    };
    let page = views::page(status, &view);
    Ok(visit.answer(page))
}
