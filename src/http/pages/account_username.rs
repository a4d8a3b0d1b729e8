//! `/auth/account/username`: another username.

use super::submission::{Member, Stop, Submission};
use super::visit::Visit;
use crate::domain::account::change_username::{ChangeUsernameError, change_username};
use crate::http::error::Fault;
use crate::http::session::Live;
use crate::http::views::{self, Field, STALE_FORM, UsernamePage, account_sections};
use crate::messages::Message;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;

const PATH: &str = "/auth/account/username";
const ACCOUNT: &str = "/auth/account";

/// Shows the form.
pub async fn show(visit: Visit) -> Result<Response, Stop> {
    let Member { visit, live } = visit.member(PATH).await?;
    let username = Field { value: &live.view.username, error: None };
    page(visit, &live, StatusCode::OK, username, None)
}

/// Changes it.
pub async fn submit(visit: Visit, body: Body) -> Result<Response, Stop> {
    let Submission { visit, live, fields, meant } = visit.submission(body, PATH).await?;
    let value = fields.text("username");
    if !meant {
        return page(visit, &live, StatusCode::FORBIDDEN, Field { value, error: None }, Some(&STALE_FORM));
    }
    match change_username(&visit.app, live.view.user_id, value, &visit.by(&live)).await {
        Ok(true) => Ok(visit.redirect(Some("/auth/account?done=username"))),
        Ok(false) => Ok(visit.redirect(Some(ACCOUNT))),
        Err(ChangeUsernameError::NotAccepted(why)) => {
            let username = Field { value, error: Some(&why) };
            page(visit, &live, StatusCode::UNPROCESSABLE_ENTITY, username, None)
        }
        Err(ChangeUsernameError::NoSuchUser) => Ok(visit.log_in_first(ACCOUNT)),
        Err(ChangeUsernameError::Failed(error)) => Err(Fault::new(error, visit.id).into()),
    }
}

fn page(
    mut visit: Visit,
    live: &Live,
    status: StatusCode,
    username: Field<'_>,
    form_error: Option<&Message>,
) -> Result<Response, Stop> {
    let csrf = visit.csrf()?;
    let view = UsernamePage {
        chrome: visit.chrome_of(live, &csrf),
        csrf: &csrf,
        sections: &account_sections(ACCOUNT),
        username,
        form_error,
    };
    let page = views::page(status, &view);
    Ok(visit.answer(page))
}
