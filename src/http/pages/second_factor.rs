//! `/auth/login/second-factor`: the second half of a log-in, after the password.

use super::after_login::{disabled_page, logged_in};
use super::login;
use super::visit::Visit;
use crate::domain::login::pending;
use crate::domain::login::second_factor::{self, Finish, FinishError, Finished};
use crate::domain::mfa::code::Proof;
use crate::http::error::{self, Fault};
use crate::http::form::{self, Fields};
use crate::http::views::{self, Ask, Problem, STALE_FORM, SecondFactorPage};
use crate::messages::Message;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;

const WRONG_CODE: Message = Message::new("second-factor-wrong-code");
const WRONG_RECOVERY_CODE: Message = Message::new("second-factor-wrong-recovery-code");
const RUN_OUT: Message = Message::new("second-factor-run-out");
const OUT_OF_TRIES: Message = Message::new("second-factor-out-of-tries");
const CODES_REFUSED: Message = Message::new("second-factor-codes-refused");

/// Asks for the second factor.
pub async fn show(visit: Visit) -> Result<Response, Fault> {
    let ask = if visit.query.get("with") == Some("recovery-code") { Ask::RecoveryCode } else { Ask::Code };
    page(visit, &Fields::default(), ask, StatusCode::OK, Wrong::default()).await
}

/// Finishes the log-in.
pub async fn submit(visit: Visit, body: Body) -> Result<Response, Fault> {
    let fields = match form::read(&visit.headers, body).await {
        Ok(fields) => fields,
        Err(error) => return Ok(error::unreadable(error)),
    };
    let (proof, ask) = match fields.get("recovery_code") {
        Some(typed) => (Proof::RecoveryCode(typed), Ask::RecoveryCode),
        None => (Proof::Code(fields.text("code")), Ask::Code),
    };
    if !visit.is_meant(&fields) {
        let wrong = Wrong { form: Some(&STALE_FORM), ..Wrong::default() };
        return page(visit, &fields, ask, StatusCode::FORBIDDEN, wrong).await;
    }
    let token = visit.half_log_in_token().unwrap_or_default().to_owned();
    let with = Finish { token: &token, proof, remember: fields.get("remember").is_some() };
    match second_factor::finish(&visit.app, with, &visit.arrival().await?).await {
        Ok(finished) => finish(visit, &fields, &finished).await,
        Err(error) => refuse(visit, &fields, ask, error).await,
    }
}

async fn finish(mut visit: Visit, fields: &Fields, finished: &Finished) -> Result<Response, Fault> {
    visit.try_succeeded(finished.user.id).await;
    visit.forget_half_log_in();
    if let Some(device) = &finished.device {
        visit.set_device(device);
    }
    logged_in(visit, fields, &finished.opened)
}

async fn refuse(visit: Visit, fields: &Fields, ask: Ask, error: FinishError) -> Result<Response, Fault> {
    let wrong = match ask {
        Ask::Code => WRONG_CODE,
        Ask::RecoveryCode => WRONG_RECOVERY_CODE,
    };
    match error {
        FinishError::Wrong => {
            let wrong = Wrong { code: Some(&wrong), ..Wrong::default() };
            page(visit, fields, ask, StatusCode::UNAUTHORIZED, wrong).await
        }
        FinishError::CodesRefused => {
            let wrong = Wrong { form: Some(&CODES_REFUSED), ..Wrong::default() };
            page(visit, fields, Ask::RecoveryCode, StatusCode::UNAUTHORIZED, wrong).await
        }
        FinishError::Wait(retry_after) => Ok(error::problem(Problem::TooManyRequests { retry_after })),
        FinishError::Unknown => run_out(visit, fields, &RUN_OUT),
        FinishError::OutOfTries => run_out(visit, fields, &OUT_OF_TRIES),
        FinishError::Disabled => Ok(disabled_page(visit, fields)),
        FinishError::Failed(error) => Err(Fault::new(error, visit.id)),
    }
}

/// The password has to be shown again.
fn run_out(mut visit: Visit, fields: &Fields, why: &Message) -> Result<Response, Fault> {
    visit.forget_half_log_in();
    login::form_page(visit, fields, StatusCode::UNAUTHORIZED, Some(why))
}

/// What is wrong with a try.
#[derive(Default)]
struct Wrong<'a> {
    code: Option<&'a Message>,
    form: Option<&'a Message>,
}

async fn page(
    mut visit: Visit,
    fields: &Fields,
    ask: Ask,
    status: StatusCode,
    wrong: Wrong<'_>,
) -> Result<Response, Fault> {
    let token = visit.half_log_in_token().unwrap_or_default();
    let found = pending::find_half_log_in(&visit.app, token).await.map_err(|error| Fault::new(error, visit.id))?;
    let Some(user) = found else {
        return if status == StatusCode::OK {
            let target = visit.return_to(fields);
            Ok(visit.log_in_again(target.as_deref()))
        } else {
            run_out(visit, fields, &RUN_OUT)
        };
    };
    let csrf = visit.csrf()?;
    let return_to = visit.return_to(fields);
    let view = SecondFactorPage {
        chrome: visit.chrome(),
        csrf: &csrf,
        return_to: return_to.as_deref(),
        username: &user.username,
        ask,
        remember: fields.get("remember").is_some(),
        code_error: wrong.code,
        form_error: wrong.form,
    };
    let page = views::page(status, &view);
    Ok(visit.answer(page))
}
