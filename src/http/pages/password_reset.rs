//! `/auth/password/reset/{token}`: the link of a mail that sets a new password. Looking changes nothing.

use super::email_verify::outcome_page;
use super::submission::Stop;
use super::visit::Visit;
use crate::domain::verification::password_reset::{self, Reset, ResetError, Unproved};
use crate::http::error::Fault;
use crate::http::form::Fields;
use crate::http::return_to;
use crate::http::views::{self, LinkOutcome, ResetPasswordPage, STALE_FORM, UnprovedAccount};
use crate::messages::Message;
use axum::body::Body;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use secrecy::SecretString;

/// Asks for the new password.
pub async fn show(visit: Visit, Path(token): Path<String>) -> Result<Response, Stop> {
    page(visit, &token, Unproved::Keep, StatusCode::OK, Wrong::default()).await
}

/// Sets it. Whoever did that logs in with it then: a second factor is asked for there.
pub async fn submit(visit: Visit, Path(token): Path<String>, body: Body) -> Result<Response, Stop> {
    let (fields, meant) = visit.form(body).await?;
    let choice = choice(&fields);
    if !meant {
        let wrong = Wrong { form: Some(&STALE_FORM), ..Wrong::default() };
        return page(visit, &token, choice, StatusCode::FORBIDDEN, wrong).await;
    }
    let password = SecretString::from(fields.text("password"));
    match password_reset::reset(&visit.app, &token, (password, choice), &visit.device(), visit.language.locale).await {
        Ok(Reset { user, return_to }) => {
            // Strangers who guessed at the old password do not hold up its owner.
            visit.try_succeeded(user).await;
            let target = return_to.and_then(|target| visit.still_accepted(&target));
            let path = return_to::carry("/auth/login?notice=password-set", target.as_deref());
            Ok(visit.redirect(Some(&path)))
        }
        Err(ResetError::Unknown) => Ok(outcome_page(visit, StatusCode::NOT_FOUND, LinkOutcome::ResetOver)),
        Err(ResetError::Password(why)) => {
            let wrong = Wrong { password: Some(&why), ..Wrong::default() };
            page(visit, &token, choice, StatusCode::UNPROCESSABLE_ENTITY, wrong).await
        }
        Err(ResetError::Failed(error)) => Err(Fault::new(error, visit.id).into()),
    }
}

/// What a form that was refused leaves on the page.
#[derive(Default)]
struct Wrong<'a> {
    password: Option<&'a Message>,
    form: Option<&'a Message>,
}

/// What is to become of an account whose address was never proved.
fn choice(fields: &Fields) -> Unproved {
    if fields.get("account") == Some("anew") { Unproved::BeginAnew } else { Unproved::Keep }
}

async fn page(
    mut visit: Visit,
    token: &str,
    choice: Unproved,
    status: StatusCode,
    wrong: Wrong<'_>,
) -> Result<Response, Stop> {
    let found = password_reset::find_reset(&visit.app, token).await.map_err(|error| Fault::new(error, visit.id))?;
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
        unproved: user.email_verified_at.is_none().then_some(UnprovedAccount {
            username: &user.username,
            created_at: user.created_at,
            choice,
        }),
        password_error: wrong.password,
        form_error: wrong.form,
    };
    let page = views::page(status, &view);
    Ok(visit.answer(page))
}
