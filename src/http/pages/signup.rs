//! `/auth/signup` (docs/protocol.md 10.3).

use super::after_login::{login_response, redirect_logged_in};
use super::page_context::PageContext;
use super::submission::EarlyResponse;
use crate::domain::registration::admission::{self, Admission, AdmissionError};
use crate::domain::registration::form::SignupForm;
use crate::domain::registration::new_account::{FieldErrors, SignupError};
use crate::domain::registration::sign_up::{self, SignedUp};
use crate::http::error::{self, InternalError};
use crate::http::form::Fields;
use crate::http::return_to;
use crate::http::views::{self, CSRF_FAILED, Field, Problem, SignupPage, SignupRefusal, SignupRefusedPage};
use crate::messages::Message;
use crate::rate_limit::RateLimit;
use crate::settings::Signup;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;
use secrecy::SecretString;

/// Shows the form, or redirects a logged-in user.
pub async fn show(mut context: PageContext) -> Result<Response, InternalError> {
    let fields = Fields::default();
    if let Some(live) = context.session().await? {
        if let Some(token) = context.query.get("invitation").filter(|token| !token.is_empty()).map(sanitize_token) {
            let path = return_to::append(&format!("/auth/invitations/{token}"), context.return_to(&fields).as_deref());
            return Ok(context.redirect(Some(&path)));
        }
        let return_to = context.return_to(&fields);
        return redirect_logged_in(context, &live, return_to.as_deref()).await;
    }
    match admit(&context, &fields).await {
        Ok(admission) => form_page(context, &fields, StatusCode::OK, &admission, &FormErrors::default()),
        Err(error) => admission_error_response(context, &fields, error),
    }
}

/// Creates the account and logs in, or starts the email verification.
pub async fn submit(context: PageContext, body: Body) -> Result<Response, EarlyResponse> {
    let fields = match context.fields(body).await {
        Ok(fields) => fields,
        Err(error) => return Ok(error::bad_form(error)),
    };
    let admission = match admit(&context, &fields).await {
        Ok(admission) => admission,
        Err(error) => return Ok(admission_error_response(context, &fields, error)?),
    };
    if !context.is_csrf_valid(&fields) {
        let form_errors = FormErrors { form_error: Some(&CSRF_FAILED), ..FormErrors::default() };
        return Ok(form_page(context, &fields, StatusCode::FORBIDDEN, &admission, &form_errors)?);
    }
    context.check_rate_limit(RateLimit::SignupFrom(context.address)).await?;
    Ok(sign_up(context, &fields, admission).await?)
}

async fn sign_up(mut context: PageContext, fields: &Fields, admission: Admission) -> Result<Response, InternalError> {
    let form = SignupForm {
        email: fields.text("email").to_owned(),
        username: fields.text("username").to_owned(),
        password: SecretString::from(fields.text("password")),
        return_to: context.return_to(fields),
        locale: context.language.locale,
    };
    let client = context.client().await?;
    match sign_up::sign_up(&context.app, &admission, form, &client).await {
        Ok(SignedUp::OpenedSession(opened)) => login_response(context, fields, &opened),
        Ok(SignedUp::VerificationRequired(token_id)) => {
            context.set_pending_verification(token_id);
            Ok(context.redirect(Some("/auth/email/verify")))
        }
        Err(SignupError::Fields(errors)) => {
            let form_errors = FormErrors { errors, form_error: None };
            form_page(context, fields, StatusCode::UNPROCESSABLE_ENTITY, &admission, &form_errors)
        }
        Err(SignupError::InvitationVoid) => Ok(signup_refused_page(context, fields, SignupRefusal::InvitationVoid)),
        Err(SignupError::TooSoon(retry_after)) => Ok(error::problem(Problem::TooManyRequests { retry_after })),
        Err(SignupError::Failed(error)) => Err(InternalError::new(error, context.id)),
    }
}

/// The page that says why signup is refused.
fn admission_error_response(
    context: PageContext,
    fields: &Fields,
    error: AdmissionError,
) -> Result<Response, InternalError> {
    match error {
        AdmissionError::NotOpen(signup) => Ok(signup_refused_page(context, fields, signup_refusal(signup))),
        AdmissionError::InvitationVoid => Ok(signup_refused_page(context, fields, SignupRefusal::InvitationVoid)),
        AdmissionError::Failed(error) => Err(InternalError::new(error, context.id)),
    }
}

/// Errors to show on the form.
#[derive(Default)]
struct FormErrors {
    errors: FieldErrors,
    form_error: Option<&'static Message>,
}

/// Drops every character that no token contains, as the result becomes part of a path.
fn sanitize_token(text: &str) -> String {
    text.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).collect()
}

const fn signup_refusal(signup: Signup) -> SignupRefusal {
    match signup {
        Signup::Invite => SignupRefusal::InvitationOnly,
        Signup::Open | Signup::Closed => SignupRefusal::Closed,
    }
}

/// Whether signup is open, or allowed by the invitation in the form or the query.
async fn admit(context: &PageContext, fields: &Fields) -> Result<Admission, AdmissionError> {
    let token = fields.get("invitation").or_else(|| context.query.get("invitation")).filter(|token| !token.is_empty());
    admission::admit(&context.app, token).await
}

fn form_page(
    mut context: PageContext,
    fields: &Fields,
    status: StatusCode,
    admission: &Admission,
    form_errors: &FormErrors,
) -> Result<Response, InternalError> {
    let csrf = context.csrf()?;
    let return_to = context.return_to(fields);
    let FormErrors { errors, form_error } = form_errors;
    let email = admission.email().unwrap_or(fields.text("email"));
    let page = views::page(
        status,
        &SignupPage {
            layout: context.layout(),
            csrf: &csrf,
            return_to: return_to.as_deref(),
            invitation: admission.token(),
            email: Field { value: email, error: errors.email.as_ref() },
            email_fixed: admission.email().is_some(),
            username: Field { value: fields.text("username"), error: errors.username.as_ref() },
            numbers_usernames: sign_up::numbers_usernames(&context.app),
            password_error: errors.password.as_ref(),
            min_password_length: context.app.settings.accounts.password_min_length,
            form_error: *form_error,
        },
    );
    Ok(context.respond(page))
}

fn signup_refused_page(context: PageContext, fields: &Fields, refusal: SignupRefusal) -> Response {
    let return_to = context.return_to(fields);
    let view = SignupRefusedPage { layout: context.layout(), refusal, return_to: return_to.as_deref() };
    let page = views::page(StatusCode::FORBIDDEN, &view);
    context.respond(page)
}
