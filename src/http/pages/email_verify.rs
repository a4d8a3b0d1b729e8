//! `/auth/email/verify`: where the code of a mail is typed, by somebody who is logged in or has just signed up.

use super::submission::Stop;
use super::visit::Visit;
use crate::domain::verification::link;
use crate::domain::verification::request::{self, ResendError};
use crate::domain::verification::token_check::{Proof, ProveError, Proved};
use crate::domain::verification::verify_email::{self, Holder};
use crate::http::error::{self, Fault};
use crate::http::session::Live;
use crate::http::views::{self, LinkOutcome, LinkOutcomePage, Problem, STALE_FORM, VerifyEmailPage};
use crate::http::{form, return_to, ticket};
use crate::messages::{Key, Message};
use crate::model::ids::AccountTokenId;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;

const PATH: &str = "/auth/email/verify";

/// Whose address is to be proved here.
struct Waiting {
    live: Option<Live>,
    email: String,
    /// What the mail was about, if one was sent and is still good.
    mailed: Option<AccountTokenId>,
}

/// What a form that was refused leaves on the page.
#[derive(Clone, Copy, Default)]
struct Wrong<'a> {
    code: Option<&'a Message>,
    form: Option<&'a Message>,
}

/// Asks for the code.
pub async fn show(visit: Visit) -> Result<Response, Stop> {
    let (visit, waiting) = waiting(visit).await?;
    page(visit, &waiting, StatusCode::OK, Wrong::default())
}

/// Checks the code.
pub async fn submit(visit: Visit, body: Body) -> Result<Response, Stop> {
    let (fields, meant) = visit.form(body).await?;
    let (visit, waiting) = waiting(visit).await?;
    if !meant {
        return page(visit, &waiting, StatusCode::FORBIDDEN, Wrong { form: Some(&STALE_FORM), ..Wrong::default() });
    }
    let Some(id) = waiting.mailed else { return page(visit, &waiting, StatusCode::OK, Wrong::default()) };
    let holder = match &waiting.live {
        Some(live) => Holder::Session(live.id, live.view.user_id),
        None => Holder::Browser(id),
    };
    let arrival = visit.arrival().await?;
    match verify_email::prove(&visit.app, Proof::Code(id, fields.text("code")), holder, &arrival).await {
        Ok(proved) => proved_answer(visit, waiting.live.is_some(), proved),
        Err(error) => match code_problem(&error) {
            Some(problem) => {
                let wrong = Wrong { code: Some(&problem), ..Wrong::default() };
                page(visit, &waiting, StatusCode::UNPROCESSABLE_ENTITY, wrong)
            }
            None => unproved_answer(visit, error),
        },
    }
}

/// Mails another code and another link.
pub async fn resend(visit: Visit, body: Body) -> Result<Response, Stop> {
    let (_, meant) = visit.form(body).await?;
    let (visit, waiting) = waiting(visit).await?;
    if !meant {
        return page(visit, &waiting, StatusCode::FORBIDDEN, Wrong { form: Some(&STALE_FORM), ..Wrong::default() });
    }
    let locale = visit.language.locale;
    let sent = match (&waiting.live, waiting.mailed) {
        (Some(live), _) => request::resend_to(&visit.app, live.view.user_id, locale).await,
        (None, Some(id)) => request::resend(&visit.app, id, locale).await,
        (None, None) => Err(ResendError::Gone),
    };
    resent(visit, sent, PATH)
}

/// The answer after another mail was asked for on the page at `path`.
pub(super) fn resent(visit: Visit, sent: Result<(), ResendError>, path: &str) -> Result<Response, Stop> {
    match sent {
        Ok(()) => Ok(visit.redirect(Some(&format!("{path}?notice=sent")))),
        Err(ResendError::Gone) => Ok(visit.redirect(Some(path))),
        Err(ResendError::TooSoon(retry_after)) => Ok(error::problem(Problem::TooManyRequests { retry_after })),
        Err(ResendError::Failed(error)) => Err(Fault::new(error, visit.id).into()),
    }
}

/// The sentence beside the code's field, if it was the code that was not accepted.
pub(super) fn code_problem(error: &ProveError) -> Option<Message> {
    match error {
        ProveError::WrongCode { left } => {
            Some(Message::new("verify-code-wrong").number("left", usize::try_from(*left).unwrap_or(0)))
        }
        ProveError::CodeOver => Some(Message::new("verify-code-over")),
        _ => None,
    }
}

/// The answer after a proof.
pub(super) fn proved_answer(mut visit: Visit, logged_in: bool, proved: Proved) -> Result<Response, Stop> {
    visit.forget_ticket();
    match proved {
        Proved::SignedUp { opened, return_to, .. } => {
            visit.set_opened(&opened);
            visit.replace_csrf()?;
            let target = return_to.and_then(|target| visit.still_accepted(&target));
            Ok(visit.redirect(target.as_deref()))
        }
        Proved::Verified { return_to } => {
            let target = return_to.and_then(|target| visit.still_accepted(&target));
            if logged_in {
                return Ok(visit.redirect(Some(target.as_deref().unwrap_or("/auth/account"))));
            }
            let path = return_to::carry("/auth/login?notice=confirmed", target.as_deref());
            Ok(visit.redirect(Some(&path)))
        }
    }
}

/// The answer where nothing was proved, and trying again on the same page cannot help.
pub(super) fn unproved_answer(visit: Visit, error: ProveError) -> Result<Response, Stop> {
    let (status, outcome) = match error {
        ProveError::Failed(error) => return Err(Fault::new(error, visit.id).into()),
        ProveError::AddressTaken => (StatusCode::CONFLICT, LinkOutcome::AddressTaken),
        ProveError::InvitationVoid => (StatusCode::FORBIDDEN, LinkOutcome::InvitationVoid),
        ProveError::NotHolder => (StatusCode::FORBIDDEN, LinkOutcome::OtherAccount),
        ProveError::Unknown | ProveError::WrongCode { .. } | ProveError::CodeOver => {
            (StatusCode::NOT_FOUND, LinkOutcome::ProofOver)
        }
    };
    Ok(outcome_page(visit, status, outcome))
}

/// The page that says what became of a link.
pub(super) fn outcome_page(visit: Visit, status: StatusCode, outcome: LinkOutcome) -> Response {
    let return_to = visit.return_to(&form::Fields::default());
    let view = LinkOutcomePage { chrome: visit.chrome(), outcome, return_to: return_to.as_deref() };
    let page = views::page(status, &view);
    visit.answer(page)
}

/// Who waits; whoever has nothing to prove is sent on.
async fn waiting(mut visit: Visit) -> Result<(Visit, Waiting), Stop> {
    if let Some(live) = visit.session().await? {
        let found = request::unproved(&visit.app, live.view.user_id).await;
        return match found.map_err(|error| Fault::new(error, visit.id))? {
            Some(mailed) => {
                let email = live.view.email.clone();
                Ok((visit, Waiting { live: Some(live), email, mailed: mailed.map(|row| row.id) }))
            }
            None => Err(visit.redirect(Some("/auth/account")).into()),
        };
    }
    let Some(id) = ticket::read(&visit.app, &visit.headers) else {
        return Err(visit.log_in_first(PATH).into());
    };
    if let Some(row) = link::find(&visit.app, id).await.map_err(|error| Fault::new(error, visit.id))? {
        return Ok((visit, Waiting { live: None, email: row.email, mailed: Some(id) }));
    }
    visit.forget_ticket();
    Err(outcome_page(visit, StatusCode::NOT_FOUND, LinkOutcome::ProofOver).into())
}

fn page(mut visit: Visit, waiting: &Waiting, status: StatusCode, wrong: Wrong<'_>) -> Result<Response, Stop> {
    let csrf = visit.csrf()?;
    let view = VerifyEmailPage {
        chrome: visit.chrome(),
        csrf: &csrf,
        email: &waiting.email,
        sent: waiting.mailed.is_some(),
        logged_in: waiting.live.is_some(),
        code_error: wrong.code,
        form_error: wrong.form,
        notice: visit.query.get("notice").filter(|notice| *notice == "sent").map(|_| Key("verify-sent-again")),
    };
    let page = views::page(status, &view);
    Ok(visit.answer(page))
}
