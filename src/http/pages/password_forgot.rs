//! `/auth/password/forgot`: a link to set a new password is asked for. The answer is one and the same, and as fast,
//! whether or not there is an account.

use super::email_verify::outcome_page;
use super::submission::Stop;
use super::visit::Visit;
use crate::domain::account::identity::Email;
use crate::domain::verification::password_reset_request;
use crate::domain::verification::token::Asked;
use crate::http::error::Fault;
use crate::http::form::Fields;
use crate::http::return_to;
use crate::http::views::{self, Field, ForgotPasswordPage, LinkOutcome, STALE_FORM};
use crate::messages::Message;
use crate::rate_limit::{RateLimit, RateLimitError};
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;

const SENT: &str = "/auth/password/forgot?notice=sent";

/// Asks for the address, or says that a mail is on its way.
pub async fn show(visit: Visit) -> Result<Response, Stop> {
    if visit.query.get("notice") == Some("sent") {
        return Ok(outcome_page(visit, StatusCode::OK, LinkOutcome::ResetSent));
    }
    page(visit, &Fields::default(), StatusCode::OK, None, None)
}

/// Has the link mailed, if there is an account.
pub async fn submit(visit: Visit, body: Body) -> Result<Response, Stop> {
    let (fields, meant) = visit.form(body).await?;
    if !meant {
        return page(visit, &fields, StatusCode::FORBIDDEN, None, Some(&STALE_FORM));
    }
    let email = match Email::parse(fields.text("email")) {
        Ok(email) => email,
        Err(why) => return page(visit, &fields, StatusCode::UNPROCESSABLE_ENTITY, Some(&why), None),
    };
    visit.take(RateLimit::MailFrom(visit.address)).await?;
    let return_to = visit.return_to(&fields);
    let asked = Asked { return_to: return_to.as_deref(), locale: visit.language.locale };
    match password_reset_request::request_reset(&visit.app, &email, asked).await {
        Ok(()) => {}
        // Not told: whoever asks too often for somebody else would learn when to ask again. The last link is still good.
        Err(RateLimitError::Exceeded(_)) => tracing::info!("too many mails were asked for one address"),
        Err(RateLimitError::Failed(error)) => return Err(Fault::new(error, visit.id).into()),
    }
    Ok(visit.redirect(Some(&return_to::carry(SENT, return_to.as_deref()))))
}

fn page(
    mut visit: Visit,
    fields: &Fields,
    status: StatusCode,
    email_error: Option<&Message>,
    form_error: Option<&Message>,
) -> Result<Response, Stop> {
    let csrf = visit.csrf()?;
    let return_to = visit.return_to(fields);
    let view = ForgotPasswordPage {
        chrome: visit.chrome(),
        csrf: &csrf,
        return_to: return_to.as_deref(),
        email: Field { value: fields.text("email"), error: email_error },
        form_error,
    };
    let page = views::page(status, &view);
    Ok(visit.answer(page))
}
