//! `/auth/account/confirm`: who you are, asked again before what protects the account is changed.

use super::submission::{Member, Stop, Submission};
use super::visit::Visit;
use crate::domain::account::reauthentication::{self, ConfirmError, Proof};
use crate::domain::mfa::passkey::add::Answer;
use crate::domain::mfa::passkey::reauthentication::ask_own;
use crate::http::error::Fault;
use crate::http::form::Fields;
use crate::http::session::Live;
use crate::http::views::{self, ConfirmPage, STALE_FORM};
use crate::messages::Message;
use crate::rate_limit::RateLimit;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use secrecy::SecretString;

const PATH: &str = "/auth/account/confirm";
const ACCOUNT: &str = "/auth/account";

impl Visit {
    /// Somebody who is logged in and proved lately who they are; others are sent to do that and come back to `path`.
    pub async fn confirmed_member(self, path: &str) -> Result<Member, Stop> {
        let Member { visit, live } = self.member(path).await?;
        if visit.recently_authenticated(&live) {
            return Ok(Member { visit, live });
        }
        Err(visit.confirm_first(path).into())
    }

    /// A form of somebody who is logged in and proved lately who they are; others are sent to do that and come back to
    /// `path`, where they begin anew.
    pub async fn confirmed_submission(self, body: Body, path: &str) -> Result<Submission, Stop> {
        let submission = self.submission(body, path).await?;
        if submission.visit.recently_authenticated(&submission.live) {
            return Ok(submission);
        }
        Err(submission.visit.confirm_first(path).into())
    }

    /// Whether who they are must be asked first: of whoever has no password to be asked for where one is asked for, and
    /// has not shown it lately.
    pub async fn must_confirm_first(&self, live: &Live) -> Result<bool, Fault> {
        Ok(!self.recently_authenticated(live) && !self.has_password(live).await?)
    }

    /// Whether the account has a password.
    pub async fn has_password(&self, live: &Live) -> Result<bool, Fault> {
        let found = async { self.app.store.read().await?.user_find(live.view.user_id).await };
        let user = found.await.map_err(|error| Fault::new(error, self.id))?;
        Ok(user.is_some_and(|user| user.password_hash.is_some()))
    }

    /// The page that asks who they are, from where the way leads back to `path`.
    pub fn confirm_first(self, path: &str) -> Response {
        let target = format!("{PATH}?return_to={}", utf8_percent_encode(path, NON_ALPHANUMERIC));
        self.redirect(Some(&target))
    }
}

/// Asks.
pub async fn show(visit: Visit) -> Result<Response, Stop> {
    let fields = Fields::default();
    // A log-in proves it as well.
    let target = visit.return_to(&fields).unwrap_or_else(|| ACCOUNT.to_owned());
    let Member { visit, live } = visit.member(&target).await?;
    if visit.recently_authenticated(&live) {
        return Ok(onward(visit, &fields));
    }
    page(visit, &live, &fields, StatusCode::OK, Wrong::default()).await
}

/// Checks a password.
pub async fn submit(visit: Visit, body: Body) -> Result<Response, Stop> {
    let Submission { visit, live, fields, meant } = visit.submission(body, ACCOUNT).await?;
    if !meant {
        let wrong = Wrong { form: Some(&STALE_FORM), ..Wrong::default() };
        return page(visit, &live, &fields, StatusCode::FORBIDDEN, wrong).await;
    }
    visit.begin_try(&live).await?;
    let proof = Proof::Password(SecretString::from(fields.text("password")));
    let outcome = reauthentication::confirm(&visit.app, live.view.user_id, live.id, proof, &visit.device()).await;
    if outcome.is_ok() {
        visit.try_succeeded(live.view.user_id).await;
    }
    judged(visit, &live, &fields, outcome, Wrong { password: Some(&NOT_YOURS), ..Wrong::default() }).await
}

/// Checks a passkey's answer.
pub async fn submit_passkey(visit: Visit, body: Body) -> Result<Response, Stop> {
    let Submission { visit, live, fields, meant } = visit.submission(body, ACCOUNT).await?;
    if !meant {
        let wrong = Wrong { form: Some(&STALE_FORM), ..Wrong::default() };
        return page(visit, &live, &fields, StatusCode::FORBIDDEN, wrong).await;
    }
    visit.take(RateLimit::PasskeyFrom(visit.address)).await?;
    let proof = Proof::Passkey(Answer {
        credential: fields.text("credential"),
        state: fields.text("state"),
        browser: fields.csrf().unwrap_or_default(),
    });
    let outcome = reauthentication::confirm(&visit.app, live.view.user_id, live.id, proof, &visit.device()).await;
    judged(visit, &live, &fields, outcome, Wrong { form: Some(&NOT_YOUR_PASSKEY), ..Wrong::default() }).await
}

async fn judged(
    visit: Visit,
    live: &Live,
    fields: &Fields,
    outcome: Result<(), ConfirmError>,
    wrong: Wrong,
) -> Result<Response, Stop> {
    let wrong = match outcome {
        Ok(()) => return Ok(onward(visit, fields)),
        Err(ConfirmError::SessionEnded) => return Ok(visit.log_in_first(ACCOUNT)),
        Err(ConfirmError::Failed(error)) => return Err(Fault::new(error, visit.id).into()),
        Err(ConfirmError::Wrong) => wrong,
        Err(ConfirmError::Void) => Wrong { form: Some(&TOO_LATE), ..Wrong::default() },
    };
    page(visit, live, fields, StatusCode::UNPROCESSABLE_ENTITY, wrong).await
}

/// Beside a password that is not the account's.
pub(super) static NOT_YOURS: Message = Message::new("password-wrong");
static NOT_YOUR_PASSKEY: Message = Message::new("confirm-passkey-wrong");
static TOO_LATE: Message = Message::new("passkey-void");

fn onward(visit: Visit, fields: &Fields) -> Response {
    let target = visit.return_to(fields);
    visit.redirect(Some(target.as_deref().unwrap_or(ACCOUNT)))
}

#[derive(Clone, Copy, Default)]
struct Wrong {
    password: Option<&'static Message>,
    form: Option<&'static Message>,
}

async fn page(
    mut visit: Visit,
    live: &Live,
    fields: &Fields,
    status: StatusCode,
    wrong: Wrong,
) -> Result<Response, Stop> {
    let csrf = visit.csrf()?;
    let return_to = visit.return_to(fields);
    let passkey = ask_own(&visit.app, live.view.user_id, &csrf).await;
    let passkey = passkey.map_err(|error| Fault::new(error, visit.id))?;
    let view = ConfirmPage {
        chrome: visit.chrome(),
        csrf: &csrf,
        return_to: return_to.as_deref(),
        username: &live.view.username,
        has_password: visit.has_password(live).await?,
        passkey: passkey.as_ref(),
        password_error: wrong.password,
        form_error: wrong.form,
    };
    let page = views::page(status, &view);
    Ok(visit.answer(page))
}
