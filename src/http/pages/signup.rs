//! `/auth/signup`.

use super::login::send_on;
use super::visit::Visit;
use crate::domain::accounts::{self, FieldErrors, SignUp, SignUpError};
use crate::http::error::{self, Fault};
use crate::http::form::{self, Fields};
use crate::http::session;
use crate::http::views::{self, Chrome, Field, Problem, STALE_FORM, SignUpPage, SignUpRefusal, SignUpRefusedPage};
use crate::limits::Limited;
use crate::settings::Signup;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;
use secrecy::SecretString;

/// Shows the form, or sends someone who is logged in on.
pub async fn show(mut visit: Visit) -> Result<Response, Fault> {
    let fields = Fields::default();
    if let Some(live) = visit.session().await? {
        let return_to = visit.return_to(&fields);
        return send_on(visit, &live, return_to.as_deref()).await;
    }
    match visit.app.settings.accounts.signup {
        Signup::Open => form_page(visit, &fields, StatusCode::OK, &FieldErrors::default(), None),
        refused => Ok(refusal_page(visit, &fields, refused)),
    }
}

/// Makes the account and logs in.
pub async fn submit(visit: Visit, body: Body) -> Result<Response, Fault> {
    let fields = match form::read(&visit.headers, body).await {
        Ok(fields) => fields,
        Err(error) => return Ok(error::unreadable(error)),
    };
    if visit.app.settings.accounts.signup != Signup::Open {
        let refused = visit.app.settings.accounts.signup;
        return Ok(refusal_page(visit, &fields, refused));
    }
    if !visit.is_meant(&fields) {
        return form_page(visit, &fields, StatusCode::FORBIDDEN, &FieldErrors::default(), Some(STALE_FORM));
    }
    let limit = Limited::SignUpFrom(visit.address);
    if let Err(retry_after) = visit.app.limits.take(limit, visit.app.clock.now()) {
        return Ok(error::problem(Problem::TooManyRequests { retry_after }));
    }
    sign_up(visit, &fields).await
}

async fn sign_up(mut visit: Visit, fields: &Fields) -> Result<Response, Fault> {
    let form = SignUp {
        email: fields.text("email").to_owned(),
        username: fields.text("username").to_owned(),
        password: SecretString::from(fields.text("password")),
    };
    let replaced = session::presented_sessions(&visit.app, &visit.headers).await;
    let replaced = replaced.map_err(|error| Fault::new(error, visit.id))?;
    match accounts::sign_up(&visit.app, form, &visit.device(), &replaced).await {
        Ok((_, opened)) => {
            visit.set_opened(&opened);
            visit.replace_csrf()?;
            let return_to = visit.return_to(fields);
            Ok(visit.redirect(return_to.as_deref()))
        }
        Err(SignUpError::Fields(errors)) => form_page(visit, fields, StatusCode::UNPROCESSABLE_ENTITY, &errors, None),
        Err(SignUpError::NotOpen(refused)) => Ok(refusal_page(visit, fields, refused)),
        Err(SignUpError::Failed(error)) => Err(Fault::new(error, visit.id)),
    }
}

fn form_page(
    mut visit: Visit,
    fields: &Fields,
    status: StatusCode,
    errors: &FieldErrors,
    form_error: Option<&str>,
) -> Result<Response, Fault> {
    let csrf = visit.csrf()?;
    let return_to = visit.return_to(fields);
    let page = views::page(
        status,
        &SignUpPage {
            chrome: Chrome::new(),
            csrf: &csrf,
            return_to: return_to.as_deref(),
            invitation: None,
            email: Field { value: fields.text("email"), error: errors.email.as_deref() },
            email_fixed: false,
            username: Field { value: fields.text("username"), error: errors.username.as_deref() },
            password_error: errors.password.as_deref(),
            password_min: visit.app.settings.accounts.password_min_length,
            form_error,
        },
    );
    Ok(visit.answer(page))
}

fn refusal_page(visit: Visit, fields: &Fields, signup: Signup) -> Response {
    let refusal = if signup == Signup::Invite { SignUpRefusal::InvitationOnly } else { SignUpRefusal::Closed };
    let return_to = visit.return_to(fields);
    let view = SignUpRefusedPage { chrome: Chrome::new(), refusal, return_to: return_to.as_deref() };
    visit.answer(views::page(StatusCode::FORBIDDEN, &view))
}
