//! `/auth/signup`.

use super::login::{logged_in, send_on};
use super::submission::Stop;
use super::visit::Visit;
use crate::domain::accounts::{self, FieldErrors, SignUp, SignUpError, SignedUp};
use crate::domain::organizations::{self, AnswerError, InvitationState};
use crate::http::error::{self, Fault};
use crate::http::form::{self, Fields};
use crate::http::return_to;
use crate::http::views::{self, Field, Problem, STALE_FORM, SignUpPage, SignUpRefusal, SignUpRefusedPage};
use crate::limits::Limited;
use crate::messages::Message;
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
    match admit(&visit, &fields).await? {
        Ok(invited) => form_page(visit, &fields, StatusCode::OK, &Wrong { invited, ..Wrong::default() }),
        Err(refusal) => Ok(refusal_page(visit, &fields, refusal)),
    }
}

/// Makes the account and logs in.
pub async fn submit(visit: Visit, body: Body) -> Result<Response, Stop> {
    let fields = match form::read(&visit.headers, body).await {
        Ok(fields) => fields,
        Err(error) => return Ok(error::unreadable(error)),
    };
    let invited = match admit(&visit, &fields).await? {
        Ok(invited) => invited,
        Err(refusal) => return Ok(refusal_page(visit, &fields, refusal)),
    };
    if !visit.is_meant(&fields) {
        let wrong = Wrong { invited, form_error: Some(&STALE_FORM), ..Wrong::default() };
        return Ok(form_page(visit, &fields, StatusCode::FORBIDDEN, &wrong)?);
    }
    visit.take(Limited::SignUpFrom(visit.address)).await?;
    Ok(sign_up(visit, &fields, invited).await?)
}

async fn sign_up(mut visit: Visit, fields: &Fields, invited: Option<Invited>) -> Result<Response, Fault> {
    let form = SignUp {
        email: fields.text("email").to_owned(),
        username: fields.text("username").to_owned(),
        password: SecretString::from(fields.text("password")),
        invitation: invited.as_ref().map(|invited| invited.token.clone()),
        return_to: visit.return_to(fields),
        locale: visit.language.locale,
    };
    let arrival = visit.arrival().await?;
    match accounts::sign_up(&visit.app, form, &arrival).await {
        Ok(SignedUp::Opened(opened)) => logged_in(visit, fields, &opened),
        Ok(SignedUp::MustProve(waits)) => {
            visit.set_ticket(waits);
            Ok(visit.redirect(Some("/auth/email/verify")))
        }
        Err(SignUpError::TooSoon(retry_after)) => Ok(error::problem(Problem::TooManyRequests { retry_after })),
        Err(SignUpError::Fields(errors)) => {
            form_page(visit, fields, StatusCode::UNPROCESSABLE_ENTITY, &Wrong { invited, errors, form_error: None })
        }
        Err(SignUpError::InvitationVoid) => Ok(refusal_page(visit, fields, SignUpRefusal::InvitationVoid)),
        Err(SignUpError::NotOpen(refused)) => Ok(refusal_page(visit, fields, refusal_of(refused))),
        Err(SignUpError::Failed(error)) => Err(Fault::new(error, visit.id)),
    }
}

/// An invitation that can be accepted by signing up.
struct Invited {
    token: String,
    email: String,
}

/// What a form that was refused leaves on the page.
#[derive(Default)]
struct Wrong {
    invited: Option<Invited>,
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

/// Who may sign up: everyone, or the one with the invitation that the form or the query names.
async fn admit(visit: &Visit, fields: &Fields) -> Result<Result<Option<Invited>, SignUpRefusal>, Fault> {
    let signup = visit.app.settings.accounts.signup;
    let token = fields.get("invitation").or_else(|| visit.query.get("invitation")).filter(|token| !token.is_empty());
    let Some(token) = token.filter(|_| signup != Signup::Closed) else {
        return Ok(if signup == Signup::Open { Ok(None) } else { Err(refusal_of(signup)) });
    };
    match organizations::find_by_token(&visit.app, token).await {
        Ok(found) if found.invitation.state_at(visit.app.clock.now()) == InvitationState::Pending => {
            Ok(Ok(Some(Invited { token: token.to_owned(), email: found.invitation.email })))
        }
        Ok(_) | Err(AnswerError::Unknown | AnswerError::Over(..) | AnswerError::WrongAccount) => {
            Ok(Err(SignUpRefusal::InvitationVoid))
        }
        Err(AnswerError::Failed(error)) => Err(Fault::new(error, visit.id)),
    }
}

fn form_page(mut visit: Visit, fields: &Fields, status: StatusCode, wrong: &Wrong) -> Result<Response, Fault> {
    let csrf = visit.csrf()?;
    let return_to = visit.return_to(fields);
    let Wrong { invited, errors, form_error } = wrong;
    let email = invited.as_ref().map_or(fields.text("email"), |invited| &invited.email);
    let page = views::page(
        status,
        &SignUpPage {
            chrome: visit.chrome(),
            csrf: &csrf,
            return_to: return_to.as_deref(),
            invitation: invited.as_ref().map(|invited| invited.token.as_str()),
            email: Field { value: email, error: errors.email.as_ref() },
            email_fixed: invited.is_some(),
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
