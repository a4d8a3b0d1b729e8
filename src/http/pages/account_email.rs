//! `/auth/account/email`: another address for one's account.

use super::email_verify::{code_problem, resent, unproved_answer};
use super::submission::{Member, Stop, Submission};
use super::visit::Visit;
use crate::domain::verification::email_change::{self, ChangeEmailError};
use crate::domain::verification::request::{self, ResendError};
use crate::domain::verification::token_check::Proof;
use crate::http::error::{self, Fault};
use crate::http::session::Live;
use crate::http::views::{self, AccountEmailPage, Field, PendingEmail, Problem, STALE_FORM, account_sections};
use crate::messages::{Key, Message};
use crate::rate_limit::RateLimit;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;

const PATH: &str = "/auth/account/email";

/// What a form that was refused leaves on the page.
#[derive(Default)]
struct Wrong<'a> {
    new: Field<'a>,
    code: Option<&'a Message>,
    form: Option<&'a Message>,
}

/// Shows the address, and a change that waits for its proof.
pub async fn show(visit: Visit) -> Result<Response, Stop> {
    let Member { visit, live } = visit.confirmed_member(PATH).await?;
    page(visit, &live, StatusCode::OK, Wrong::default()).await
}

/// Begins a change.
pub async fn submit(visit: Visit, body: Body) -> Result<Response, Stop> {
    let Submission { visit, live, fields, meant } = visit.confirmed_submission(body, PATH).await?;
    if !meant {
        return stale(visit, &live).await;
    }
    visit.take(RateLimit::MailFrom(visit.address)).await?;
    let address = fields.text("email");
    match email_change::begin_email_change(&visit.app, live.view.user_id, address, visit.language.locale).await {
        Ok(()) => Ok(visit.redirect(Some(PATH))),
        Err(ChangeEmailError::Field(why)) => {
            let wrong = Wrong { new: Field { value: address, error: Some(&why) }, ..Wrong::default() };
            page(visit, &live, StatusCode::UNPROCESSABLE_ENTITY, wrong).await
        }
        Err(ChangeEmailError::TooSoon(retry_after)) => Ok(error::problem(Problem::TooManyRequests { retry_after })),
        Err(ChangeEmailError::NoSuchUser) => Ok(visit.log_in_first(PATH)),
        Err(ChangeEmailError::Failed(error)) => Err(Fault::new(error, visit.id).into()),
    }
}

/// Proves the new address with the code.
pub async fn confirm(visit: Visit, body: Body) -> Result<Response, Stop> {
    let Submission { visit, live, fields, meant } = visit.submission(body, PATH).await?;
    if !meant {
        return stale(visit, &live).await;
    }
    let user = live.view.user_id;
    let pending = email_change::pending_email(&visit.app, user).await.map_err(|error| Fault::new(error, visit.id))?;
    let Some(pending) = pending else { return Ok(visit.redirect(Some(PATH))) };
    let (proof, by) = (Proof::Code(pending.id, fields.text("code")), visit.by(&live));
    match email_change::confirm_email_change(&visit.app, proof, user, (&by, visit.language.locale)).await {
        Ok(()) => Ok(visit.redirect(Some(&format!("{PATH}?notice=changed")))),
        Err(error) => match code_problem(&error) {
            Some(problem) => {
                let wrong = Wrong { code: Some(&problem), ..Wrong::default() };
                page(visit, &live, StatusCode::UNPROCESSABLE_ENTITY, wrong).await
            }
            None => unproved_answer(visit, error),
        },
    }
}

/// Mails another code and another link to the new address.
pub async fn resend(visit: Visit, body: Body) -> Result<Response, Stop> {
    let Submission { visit, live, meant, .. } = visit.submission(body, PATH).await?;
    if !meant {
        return stale(visit, &live).await;
    }
    let pending = email_change::pending_email(&visit.app, live.view.user_id).await;
    let sent = match pending.map_err(|error| Fault::new(error, visit.id))? {
        Some(row) => request::resend(&visit.app, row.id, visit.language.locale).await,
        None => Err(ResendError::Gone),
    };
    resent(visit, sent, PATH)
}

/// Forgets the change that waits.
pub async fn cancel(visit: Visit, body: Body) -> Result<Response, Stop> {
    let Submission { visit, live, meant, .. } = visit.submission(body, PATH).await?;
    if !meant {
        return stale(visit, &live).await;
    }
    let canceled = email_change::cancel_email_change(&visit.app, live.view.user_id).await;
    canceled.map_err(|error| Fault::new(error, visit.id))?;
    Ok(visit.redirect(Some(PATH)))
}

async fn stale(visit: Visit, live: &Live) -> Result<Response, Stop> {
    page(visit, live, StatusCode::FORBIDDEN, Wrong { form: Some(&STALE_FORM), ..Wrong::default() }).await
}

async fn page(mut visit: Visit, live: &Live, status: StatusCode, wrong: Wrong<'_>) -> Result<Response, Stop> {
    let user = live.view.user_id;
    let fault = |error| Fault::new(error, visit.id);
    let verified = request::unproved(&visit.app, user).await.map_err(fault)?.is_none();
    let pending = email_change::pending_email(&visit.app, user).await.map_err(fault)?;
    let csrf = visit.csrf()?;
    let view = AccountEmailPage {
        chrome: visit.chrome_of(live, &csrf),
        csrf: &csrf,
        sections: &account_sections("/auth/account"),
        email: &live.view.email,
        verified,
        pending: pending.as_ref().map(|row| PendingEmail {
            email: &row.email,
            expires_at: row.expires_at,
            code_error: wrong.code,
        }),
        new: wrong.new,
        form_error: wrong.form,
        notice: visit.query.get("notice").and_then(notice),
    };
    let page = views::page(status, &view);
    Ok(visit.answer(page))
}

fn notice(name: &str) -> Option<Key> {
    match name {
        "changed" => Some(Key("account-email-changed")),
        "sent" => Some(Key("verify-sent-again")),
        _ => None,
    }
}
