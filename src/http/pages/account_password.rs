//! `/auth/account/password`: another password.

use super::account_confirm::NOT_YOURS;
use super::account_security;
use super::submission::{Member, Stop, Submission};
use super::visit::Visit;
use crate::domain::account::change_password::{ChangePasswordError, NewPassword, change_password};
use crate::http::error::Fault;
use crate::http::form::Fields;
use crate::http::session::Live;
use crate::http::views::{self, PasswordPage, STALE_FORM, account_sections};
use crate::messages::Message;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;
use secrecy::SecretString;

const PATH: &str = "/auth/account/password";

/// Shows the form. Whoever has no password proves in another way who they are.
pub async fn show(visit: Visit) -> Result<Response, Stop> {
    let Member { visit, live } = visit.member(PATH).await?;
    if visit.must_confirm_first(&live).await? {
        return Ok(visit.confirm_first(PATH));
    }
    page(visit, &live, StatusCode::OK, &Wrong::default()).await
}

/// Changes it.
pub async fn submit(visit: Visit, body: Body) -> Result<Response, Stop> {
    let Submission { visit, live, fields, meant } = visit.submission(body, PATH).await?;
    let end_others = fields.get("end_others").is_some();
    if !meant {
        let wrong = Wrong { form: Some(&STALE_FORM), keep_others: !end_others, ..Wrong::default() };
        return page(visit, &live, StatusCode::FORBIDDEN, &wrong).await;
    }
    if visit.must_confirm_first(&live).await? {
        return Ok(visit.confirm_first(PATH));
    }
    visit.begin_try(&live).await?;
    let confirmed = visit.recently_authenticated(&live);
    let whose = (live.view.user_id, live.id);
    match change_password(&visit.app, whose, typed(&fields), confirmed, &visit.by(&live)).await {
        Ok(()) => {
            visit.try_succeeded(live.view.user_id).await;
            Ok(visit.redirect(Some(&format!("{}?done=password", account_security::PATH))))
        }
        Err(ChangePasswordError::Failed(error)) => Err(Fault::new(error, visit.id).into()),
        Err(ChangePasswordError::WrongCurrent) => {
            let wrong = Wrong { current: Some(&NOT_YOURS), keep_others: !end_others, ..Wrong::default() };
            page(visit, &live, StatusCode::UNPROCESSABLE_ENTITY, &wrong).await
        }
        Err(ChangePasswordError::NotAccepted(why)) => {
            let wrong = Wrong { new: Some(&why), keep_others: !end_others, ..Wrong::default() };
            page(visit, &live, StatusCode::UNPROCESSABLE_ENTITY, &wrong).await
        }
    }
}

fn typed(fields: &Fields) -> NewPassword {
    NewPassword {
        current: SecretString::from(fields.text("current")),
        new: SecretString::from(fields.text("password")),
        end_others: fields.get("end_others").is_some(),
    }
}

/// What a form that was refused leaves on the page.
#[derive(Default)]
struct Wrong<'a> {
    current: Option<&'a Message>,
    new: Option<&'a Message>,
    form: Option<&'a Message>,
    keep_others: bool,
}

async fn page(mut visit: Visit, live: &Live, status: StatusCode, wrong: &Wrong<'_>) -> Result<Response, Stop> {
    let csrf = visit.csrf()?;
    let view = PasswordPage {
        chrome: visit.chrome_of(live, &csrf),
        csrf: &csrf,
        sections: &account_sections(account_security::PATH),
        username: &live.view.username,
        has_password: visit.has_password(live).await?,
        current_error: wrong.current,
        new_error: wrong.new,
        password_min: visit.app.settings.accounts.password_min_length,
        end_others: !wrong.keep_others,
        form_error: wrong.form,
    };
    let page = views::page(status, &view);
    Ok(visit.answer(page))
}
