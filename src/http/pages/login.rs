//! `/auth/login`.

use super::after_login::disabled_page;
use super::after_login::logged_in;
use super::after_login::send_on;
use super::paths;
use super::submission::Stop;
use super::visit::Visit;
use crate::domain::login::complete::Entered;
use crate::domain::login::error::LogInError;
use crate::domain::login::{passkey, password};
use crate::domain::verification::request;
use crate::domain::verification::token::Asked;
use crate::http::error::{self, Fault};
use crate::http::form::{self, Fields};
use crate::http::views::{self, LogInPage, STALE_FORM};
use crate::messages::{Key, Message};
use crate::model::ids::UserId;
use crate::settings::{EmailVerification, Signup};
use crate::store::UserRow;
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
    form_page(visit, &fields, StatusCode::OK, None)
}

/// Logs in.
pub async fn submit(visit: Visit, body: Body) -> Result<Response, Stop> {
    let fields = match form::read(&visit.headers, body).await {
        Ok(fields) => fields,
        Err(error) => return Ok(error::unreadable(error)),
    };
    if !visit.is_meant(&fields) {
        return Ok(form_page(visit, &fields, StatusCode::FORBIDDEN, Some(&STALE_FORM))?);
    }
    let user = visit.begin_log_in(fields.text("email")).await?;
    Ok(log_in(visit, &fields, user).await?)
}

async fn log_in(mut visit: Visit, fields: &Fields, user: Option<UserRow>) -> Result<Response, Fault> {
    let app = visit.app.clone();
    let arrival = visit.arrival().await?;
    let password = SecretString::from(fields.text("password"));
    match password::log_in(&app, user, password, &arrival).await {
        Ok((user, Entered::Session(opened))) => {
            visit.try_succeeded(user).await;
            logged_in(visit, fields, &opened)
        }
        Ok((_, Entered::SecondFactorNeeded(half))) => {
            visit.set_half_log_in(&half);
            let next = paths::second_factor(visit.return_to(fields).as_deref(), false);
            Ok(visit.redirect(Some(&next)))
        }
        Err(LogInError::WrongCredentials) => {
            form_page(visit, fields, StatusCode::UNAUTHORIZED, Some(&LogInPage::WRONG_CREDENTIALS))
        }
        Err(LogInError::Unproved(user)) => {
            visit.try_succeeded(user).await;
            prove_first(visit, fields, user).await
        }
        Err(LogInError::Disabled) => Ok(disabled_page(visit, fields)),
        Err(LogInError::Failed(error)) => Err(Fault::new(error, visit.id)),
    }
}

/// The password was right: the proof of the address is asked for, and the way leads on from there.
pub(super) async fn prove_first(mut visit: Visit, fields: &Fields, user: UserId) -> Result<Response, Fault> {
    let return_to = visit.return_to(fields);
    let asked = Asked { return_to: return_to.as_deref(), locale: visit.language.locale };
    let waits = request::request_proof(&visit.app, user, asked).await;
    match waits.map_err(|error| Fault::new(error, visit.id))? {
        Some(waits) => {
            visit.set_ticket(waits);
            Ok(visit.redirect(Some("/auth/email/verify")))
        }
        // Proved this moment, elsewhere.
        None => form_page(visit, fields, StatusCode::OK, None),
    }
}

/// What has just happened, on the way here.
fn notice(visit: &Visit) -> Option<Key> {
    match visit.query.get("notice")? {
        "confirmed" => Some(Key("log-in-confirmed")),
        "password-set" => Some(Key("log-in-password-set")),
        _ => None,
    }
}

/// The form, with what was typed and why it failed.
pub(super) fn form_page(
    mut visit: Visit,
    fields: &Fields,
    status: StatusCode,
    form_error: Option<&Message>,
) -> Result<Response, Fault> {
    let csrf = visit.csrf()?;
    let return_to = visit.return_to(fields);
    let passkey = passkey::ask_any(&visit.app, &csrf).map_err(|error| Fault::new(error, visit.id))?;
    let page = views::page(
        status,
        &LogInPage {
            chrome: visit.chrome(),
            csrf: &csrf,
            return_to: return_to.as_deref(),
            login: fields.text("email"),
            form_error,
            notice: notice(&visit).filter(|_| form_error.is_none()),
            must_prove: visit.app.settings.accounts.email_verification == EmailVerification::Required,
            passkey: passkey.as_ref(),
            sign_up_open: visit.app.settings.accounts.signup == Signup::Open,
        },
    );
    Ok(visit.answer(page))
}
