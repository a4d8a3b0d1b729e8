//! `/auth/email/verify/{token}`: the link of a mail that proves an address. Looking changes nothing.

use super::email_verify::{outcome_page, proved_answer, unproved_answer};
use super::submission::Stop;
use super::visit::Visit;
use crate::domain::verification::token_check::{Proof, ProveError};
use crate::domain::verification::verify_email::{self, Holder};
use crate::domain::verification::{email_change, link};
use crate::http::error::Fault;
use crate::http::session::Live;
use crate::http::ticket;
use crate::http::views::{self, ConfirmEmailPage, LinkOutcome, ProofAsk, STALE_FORM};
use crate::messages::Message;
use crate::model::verification::Kind;
use crate::store::AccountTokenRow;
use axum::body::Body;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use secrecy::SecretString;

/// Somebody with a good link.
struct Bearer {
    row: AccountTokenRow,
    live: Option<Live>,
    /// What shows already that they made the account; else the password is asked for.
    shown: Option<Holder>,
}

/// What a form that was refused leaves on the page.
#[derive(Clone, Copy, Default)]
struct Wrong<'a> {
    password: Option<&'a Message>,
    form: Option<&'a Message>,
}

/// Shows the button.
pub async fn show(visit: Visit, Path(token): Path<String>) -> Result<Response, Stop> {
    let (visit, bearer) = bearer(visit, &token).await?;
    page(visit, &bearer, &token, StatusCode::OK, Wrong::default())
}

/// Proves the address.
pub async fn submit(visit: Visit, Path(token): Path<String>, body: Body) -> Result<Response, Stop> {
    let (fields, meant) = visit.form(body).await?;
    let (visit, mut bearer) = bearer(visit, &token).await?;
    if !meant {
        let wrong = Wrong { form: Some(&STALE_FORM), ..Wrong::default() };
        return page(visit, &bearer, &token, StatusCode::FORBIDDEN, wrong);
    }
    if bearer.row.kind == Kind::EmailChange {
        return change(visit, &bearer, &token).await;
    }
    let holder = if let Some(shown) = bearer.shown.take() {
        shown
    } else {
        // A password asked for is a password that can be guessed.
        visit.begin_log_in(&bearer.row.email).await?;
        Holder::Password(SecretString::from(fields.text("password")))
    };
    let by_session = matches!(holder, Holder::Session(..));
    let arrival = visit.arrival().await?;
    match verify_email::prove(&visit.app, Proof::Link(&token), holder, &arrival).await {
        Ok(proved) => proved_answer(visit, by_session, proved),
        Err(ProveError::NotHolder) => {
            let wrong = Message::new("confirm-email-password-wrong");
            let wrong = Wrong { password: Some(&wrong), ..Wrong::default() };
            page(visit, &bearer, &token, StatusCode::UNPROCESSABLE_ENTITY, wrong)
        }
        Err(error) => unproved_answer(visit, error),
    }
}

/// Gives the account its new address.
async fn change(visit: Visit, bearer: &Bearer, token: &str) -> Result<Response, Stop> {
    let Some(live) = &bearer.live else { return Ok(visit.log_in_first(&path(token))) };
    let (by, locale) = (visit.by(live), visit.language.locale);
    match email_change::confirm_email_change(&visit.app, Proof::Link(token), live.view.user_id, (&by, locale)).await {
        Ok(()) => Ok(visit.redirect(Some("/auth/account/email?notice=changed"))),
        Err(error) => unproved_answer(visit, error),
    }
}

fn path(token: &str) -> String {
    format!("/auth/email/verify/{token}")
}

/// Who follows the link; if it is over, or not theirs, the page that says so.
async fn bearer(mut visit: Visit, token: &str) -> Result<(Visit, Bearer), Stop> {
    let found = link::find_by_link(&visit.app, token).await.map_err(|error| Fault::new(error, visit.id))?;
    let live = visit.session().await?;
    let Some(row) = found else {
        return Err(outcome_page(visit, StatusCode::NOT_FOUND, LinkOutcome::ProofOver).into());
    };
    let own = live.as_ref().filter(|live| row.user_id == Some(live.view.user_id));
    let shown = match (own, ticket::read(&visit.app, &visit.headers)) {
        (Some(live), _) => Some(Holder::Session(live.id, live.view.user_id)),
        (None, Some(id)) if id == row.id => Some(Holder::Browser(id)),
        (None, _) => None,
    };
    if row.kind == Kind::EmailChange && shown.is_none() {
        // Only whoever asked for the change may make it: the owner of a mistyped address must not be able to.
        return Err(match live {
            Some(_) => outcome_page(visit, StatusCode::FORBIDDEN, LinkOutcome::OtherAccount),
            None => visit.log_in_first(&path(token)),
        }
        .into());
    }
    Ok((visit, Bearer { row, live, shown }))
}

fn page(
    mut visit: Visit,
    bearer: &Bearer,
    token: &str,
    status: StatusCode,
    wrong: Wrong<'_>,
) -> Result<Response, Stop> {
    let csrf = visit.csrf()?;
    let ask = match bearer.shown {
        Some(_) => ProofAsk::Nothing,
        None => ProofAsk::Password { has_account: bearer.row.user_id.is_some() },
    };
    let view = ConfirmEmailPage {
        chrome: visit.chrome(),
        csrf: &csrf,
        token,
        email: &bearer.row.email,
        ask,
        password_error: wrong.password,
        form_error: wrong.form,
    };
    let page = views::page(status, &view);
    Ok(visit.answer(page))
}
