//! `/auth/account/passkeys`: passkeys are added, renamed and removed here.

use super::account_security;
use super::submission::{Member, Stop, Submission, id, not_found};
use super::visit::Visit;
use crate::domain::mfa::passkey;
use crate::domain::mfa::passkey::add::{self, AddError, Answer, add};
use crate::domain::mfa::passkey::registered::{self, RemoveError};
use crate::http::error::Fault;
use crate::http::form::Fields;
use crate::http::session::Live;
use crate::http::views::{
    self, Field, NewPasskeyPage, PasskeyLine, PasskeyPage, PasskeysPage, STALE_FORM, account_sections,
};
use crate::messages::Message;
use crate::model::ids::PasskeyId;
use crate::store::PasskeyRow;
use axum::body::Body;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;

const PATH: &str = "/auth/account/passkeys";
const NEW: &str = "/auth/account/passkeys/new";

/// What is wrong with what was sent.
#[derive(Default)]
struct Wrong<'a> {
    name: Option<&'a Message>,
    form: Option<&'a Message>,
}

/// Lists the passkeys.
pub async fn list(visit: Visit) -> Result<Response, Stop> {
    let Member { mut visit, live } = visit.member(PATH).await?;
    let rows = registered::list(&visit.app, live.view.user_id).await.map_err(|error| Fault::new(error, visit.id))?;
    let csrf = visit.csrf()?;
    let lines: Vec<PasskeyLine<'_>> = rows.iter().map(line).collect();
    let view = PasskeysPage {
        chrome: visit.chrome_of(&live, &csrf),
        sections: &account_sections(account_security::PATH),
        passkeys: &lines,
        possible: passkey::are_possible(&visit.app),
    };
    let page = views::page(StatusCode::OK, &view);
    Ok(visit.answer(page))
}

/// Asks the browser for a new passkey.
pub async fn ask(visit: Visit) -> Result<Response, Stop> {
    let Member { visit, live } = visit.confirmed_member(NEW).await?;
    new_page(visit, &live, &Fields::default(), StatusCode::OK, Wrong::default()).await
}

/// Adds a passkey.
pub async fn create(visit: Visit, body: Body) -> Result<Response, Stop> {
    let Submission { visit, live, fields, meant } = visit.confirmed_submission(body, NEW).await?;
    if !meant {
        let wrong = Wrong { form: Some(&STALE_FORM), ..Wrong::default() };
        return new_page(visit, &live, &fields, StatusCode::FORBIDDEN, wrong).await;
    }
    let answer = Answer {
        credential: fields.text("credential"),
        state: fields.text("state"),
        browser: fields.csrf().unwrap_or_default(),
    };
    let by = visit.by(&live);
    match add(&visit.app, &by, live.view.user_id, fields.text("name"), &answer).await {
        Ok(()) => Ok(visit.redirect(Some(PATH))),
        Err(AddError::Name(why)) => {
            let wrong = Wrong { name: Some(&why), ..Wrong::default() };
            new_page(visit, &live, &fields, StatusCode::UNPROCESSABLE_ENTITY, wrong).await
        }
        Err(AddError::Refused(why)) => {
            let wrong = Wrong { form: Some(&why), ..Wrong::default() };
            new_page(visit, &live, &fields, StatusCode::UNPROCESSABLE_ENTITY, wrong).await
        }
        Err(AddError::Failed(error)) => Err(Fault::new(error, visit.id).into()),
    }
}

/// Shows one.
pub async fn show(visit: Visit, Path(passkey): Path<String>) -> Result<Response, Stop> {
    let passkey = PasskeyId(id(&passkey)?);
    let Member { visit, live } = visit.member(PATH).await?;
    one_page(visit, &live, passkey, None, StatusCode::OK, Wrong::default()).await
}

/// Gives one another name.
pub async fn rename(visit: Visit, Path(passkey): Path<String>, body: Body) -> Result<Response, Stop> {
    let passkey = PasskeyId(id(&passkey)?);
    let Submission { visit, live, fields, meant } = visit.submission(body, PATH).await?;
    if !meant {
        let wrong = Wrong { form: Some(&STALE_FORM), ..Wrong::default() };
        return one_page(visit, &live, passkey, fields.get("name"), StatusCode::FORBIDDEN, wrong).await;
    }
    let by = visit.by(&live);
    match registered::rename(&visit.app, &by, live.view.user_id, passkey, fields.text("name")).await {
        Ok(()) => Ok(visit.redirect(Some(PATH))),
        Err(RemoveError::NotFound) => Err(not_found()),
        Err(RemoveError::Refused(why)) => {
            let wrong = Wrong { name: Some(&why), ..Wrong::default() };
            one_page(visit, &live, passkey, fields.get("name"), StatusCode::UNPROCESSABLE_ENTITY, wrong).await
        }
        Err(RemoveError::Failed(error)) => Err(Fault::new(error, visit.id).into()),
    }
}

/// Removes one.
pub async fn remove(visit: Visit, Path(passkey): Path<String>, body: Body) -> Result<Response, Stop> {
    let passkey = PasskeyId(id(&passkey)?);
    let Submission { visit, live, meant, .. } = visit.confirmed_submission(body, PATH).await?;
    if !meant {
        let wrong = Wrong { form: Some(&STALE_FORM), ..Wrong::default() };
        return one_page(visit, &live, passkey, None, StatusCode::FORBIDDEN, wrong).await;
    }
    match registered::remove(&visit.app, &visit.by(&live), live.view.user_id, passkey).await {
        Ok(()) => Ok(visit.redirect(Some(PATH))),
        Err(RemoveError::NotFound) => Err(not_found()),
        Err(RemoveError::Refused(why)) => {
            let wrong = Wrong { form: Some(&why), ..Wrong::default() };
            one_page(visit, &live, passkey, None, StatusCode::UNPROCESSABLE_ENTITY, wrong).await
        }
        Err(RemoveError::Failed(error)) => Err(Fault::new(error, visit.id).into()),
    }
}

fn line(row: &PasskeyRow) -> PasskeyLine<'_> {
    PasskeyLine {
        id: row.id,
        name: &row.name,
        backed_up: row.backed_up,
        created_at: row.created_at,
        last_used_at: row.last_used_at,
    }
}

async fn new_page(
    mut visit: Visit,
    live: &Live,
    fields: &Fields,
    status: StatusCode,
    wrong: Wrong<'_>,
) -> Result<Response, Stop> {
    let csrf = visit.csrf()?;
    let question = add::ask_new(&visit.app, live.view.user_id, &csrf).await;
    let Some(question) = question.map_err(|error| Fault::new(error, visit.id))? else {
        return Ok(visit.redirect(Some(PATH)));
    };
    let view = NewPasskeyPage {
        chrome: visit.chrome_of(live, &csrf),
        csrf: &csrf,
        sections: &account_sections(account_security::PATH),
        question: &question,
        name: Field { value: fields.text("name"), error: wrong.name },
        form_error: wrong.form,
    };
    let page = views::page(status, &view);
    Ok(visit.answer(page))
}

async fn one_page(
    mut visit: Visit,
    live: &Live,
    passkey: PasskeyId,
    typed: Option<&str>,
    status: StatusCode,
    wrong: Wrong<'_>,
) -> Result<Response, Stop> {
    let found = registered::find(&visit.app, live.view.user_id, passkey).await;
    let Some(row) = found.map_err(|error| Fault::new(error, visit.id))? else { return Err(not_found()) };
    let csrf = visit.csrf()?;
    let view = PasskeyPage {
        chrome: visit.chrome_of(live, &csrf),
        csrf: &csrf,
        sections: &account_sections(account_security::PATH),
        passkey: line(&row),
        name: Field { value: typed.unwrap_or(&row.name), error: wrong.name },
        form_error: wrong.form,
    };
    let page = views::page(status, &view);
    Ok(visit.answer(page))
}
