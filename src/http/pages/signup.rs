//! `/auth/signup`.

use super::after_login::{logged_in, send_on};
use super::submission::Stop;
use super::visit::Visit;
use crate::domain::registration::admission::{self, Admission, AdmissionError};
use crate::domain::registration::form::SignUp;
use crate::domain::registration::new_account::{FieldErrors, SignUpError};
use crate::domain::registration::sign_up::{self, SignedUp};
use crate::http::error::{self, Fault};
use crate::http::form::{self, Fields};
use crate::http::return_to;
use crate::http::views::{self, Field, Problem, STALE_FORM, SignUpPage, SignUpRefusal, SignUpRefusedPage};
use crate::messages::Message;
use crate::rate_limit::RateLimit;
use crate::settings::Signup;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;
use secrecy::SecretString;

/// Shows the form, or sends someone who is logged in on.
pub async fn show(mut visit: Visit) -> Result<Response, Fault> {
    let fields = Fields::default();
    if let Some(live) = visit.session().await? {
        if let Some(token) = visit.query.get("invitation").filter(|token| !token.is_empty()).map(plain_token) {
            let path = return_to::carry(&format!("/auth/invitations/{token}"), visit.return_to(&fields).as_deref());
            return Ok(visit.redirect(Some(&path)));
        }
        let return_to = visit.return_to(&fields);
        return send_on(visit, &live, return_to.as_deref()).await;
    }
    match admit(&visit, &fields).await {
        Ok(admission) => form_page(visit, &fields, StatusCode::OK, &admission, &Wrong::default()),
        Err(error) => not_admitted(visit, &fields, error),
    }
}

/// Makes the account and logs in.
pub async fn submit(visit: Visit, body: Body) -> Result<Response, Stop> {
    let fields = match form::read(&visit.headers, body).await {
        Ok(fields) => fields,
        Err(error) => return Ok(error::unreadable(error)),
    };
    let admission = match admit(&visit, &fields).await {
        Ok(admission) => admission,
        Err(error) => return Ok(not_admitted(visit, &fields, error)?),
    };
    if !visit.is_meant(&fields) {
        let wrong = Wrong { form_error: Some(&STALE_FORM), ..Wrong::default() };
        return Ok(form_page(visit, &fields, StatusCode::FORBIDDEN, &admission, &wrong)?);
    }
    visit.take(RateLimit::SignUpFrom(visit.address)).await?;
    Ok(sign_up(visit, &fields, admission).await?)
}

async fn sign_up(mut visit: Visit, fields: &Fields, admission: Admission) -> Result<Response, Fault> {
    let form = SignUp {
        email: fields.text("email").to_owned(),
        username: fields.text("username").to_owned(),
        password: SecretString::from(fields.text("password")),
        return_to: visit.return_to(fields),
        locale: visit.language.locale,
    };
    let arrival = visit.arrival().await?;
    match sign_up::sign_up(&visit.app, &admission, form, &arrival).await {
        Ok(SignedUp::Opened(opened)) => logged_in(visit, fields, &opened),
        Ok(SignedUp::MustProve(waits)) => {
            visit.set_ticket(waits);
            Ok(visit.redirect(Some("/auth/email/verify")))
        }
        Err(SignUpError::Fields(errors)) => {
            let wrong = Wrong { errors, form_error: None };
            form_page(visit, fields, StatusCode::UNPROCESSABLE_ENTITY, &admission, &wrong)
        }
        Err(SignUpError::InvitationVoid) => Ok(refusal_page(visit, fields, SignUpRefusal::InvitationVoid)),
        Err(SignUpError::TooSoon(retry_after)) => Ok(error::problem(Problem::TooManyRequests { retry_after })),
        Err(SignUpError::Failed(error)) => Err(Fault::new(error, visit.id)),
    }
}

/// The page that says why this person may not sign up.
fn not_admitted(visit: Visit, fields: &Fields, error: AdmissionError) -> Result<Response, Fault> {
    match error {
        AdmissionError::NotOpen(signup) => Ok(refusal_page(visit, fields, refusal_of(signup))),
        AdmissionError::InvitationVoid => Ok(refusal_page(visit, fields, SignUpRefusal::InvitationVoid)),
        AdmissionError::Failed(error) => Err(Fault::new(error, visit.id)),
    }
}

/// What a form that was refused leaves on the page.
#[derive(Default)]
struct Wrong {
    errors: FieldErrors,
    form_error: Option<&'static Message>,
}

/// Tokens have only these; anything else is no token, and must not become part of a path.
fn plain_token(text: &str) -> String {
    text.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).collect()
}

const fn refusal_of(signup: Signup) -> SignUpRefusal {
    match signup {
        Signup::Invite => SignUpRefusal::InvitationOnly,
        Signup::Open | Signup::Closed => SignUpRefusal::Closed,
    }
}

/// Who may sign up: everyone, or the person with the invitation that the form or the query names.
async fn admit(visit: &Visit, fields: &Fields) -> Result<Admission, AdmissionError> {
    let token = fields.get("invitation").or_else(|| visit.query.get("invitation")).filter(|token| !token.is_empty());
    admission::admit(&visit.app, token).await
}

fn form_page(
    mut visit: Visit,
    fields: &Fields,
    status: StatusCode,
    admission: &Admission,
    wrong: &Wrong,
) -> Result<Response, Fault> {
    let csrf = visit.csrf()?;
    let return_to = visit.return_to(fields);
    let Wrong { errors, form_error } = wrong;
    let email = admission.email().unwrap_or(fields.text("email"));
    let page = views::page(
        status,
        &SignUpPage {
            chrome: visit.chrome(),
            csrf: &csrf,
            return_to: return_to.as_deref(),
            invitation: admission.token(),
            email: Field { value: email, error: errors.email.as_ref() },
            email_fixed: admission.email().is_some(),
            username: Field { value: fields.text("username"), error: errors.username.as_ref() },
            password_error: errors.password.as_ref(),
            password_min: visit.app.settings.accounts.password_min_length,
            form_error: *form_error,
        },
    );
    Ok(visit.answer(page))
}

fn refusal_page(visit: Visit, fields: &Fields, refusal: SignUpRefusal) -> Response {
    let return_to = visit.return_to(fields);
    let view = SignUpRefusedPage { chrome: visit.chrome(), refusal, return_to: return_to.as_deref() };
    let page = views::page(StatusCode::FORBIDDEN, &view);
    visit.answer(page)
}
