//! `/auth/account/delete`: the end of one's account, after the password; or, without one, after a passkey.

use super::submission::{Member, Stop, Submission};
use super::visit::Visit;
use crate::domain::account::delete::{self, DeleteError, delete};
use crate::http::error::Fault;
use crate::http::session::Live;
use crate::http::views::{self, DeleteAccountPage, Link, MessagePage, STALE_FORM, WRONG_PASSWORD, account_sections};
use crate::messages::{Key, Message};
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;

const PATH: &str = "/auth/account/delete";

/// Asks whether to delete.
pub async fn show(visit: Visit) -> Result<Response, Stop> {
    let Member { visit, live } = visit.member(PATH).await?;
    if visit.must_confirm_first(&live).await? {
        return Ok(visit.confirm_first(PATH));
    }
    page(visit, &live, StatusCode::OK, None, None).await
}

/// Deletes.
pub async fn submit(visit: Visit, body: Body) -> Result<Response, Stop> {
    let Submission { mut visit, live, fields, meant } = visit.submission(body, PATH).await?;
    if !meant {
        return page(visit, &live, StatusCode::FORBIDDEN, None, Some(&STALE_FORM)).await;
    }
    if visit.must_confirm_first(&live).await? {
        return Ok(visit.confirm_first(PATH));
    }
    if !visit.is_proved(&live, &fields).await? {
        return page(visit, &live, StatusCode::UNPROCESSABLE_ENTITY, Some(&WRONG_PASSWORD), None).await;
    }
    let user = live.view.user_id;
    match delete(&visit.app, user, &visit.by(&live)).await {
        Ok(()) | Err(DeleteError::NoSuchUser) => {
            visit.forget_session();
            visit.replace_csrf()?;
            let page = gone_page(&visit);
            Ok(visit.answer(page))
        }
        Err(DeleteError::LastOwner(organizations)) => {
            let why = delete::last_owner(&organizations);
            page(visit, &live, StatusCode::UNPROCESSABLE_ENTITY, None, Some(&why)).await
        }
        Err(DeleteError::Failed(error)) => Err(Fault::new(error, visit.id).into()),
    }
}

fn gone_page(visit: &Visit) -> Response {
    let view = MessagePage {
        chrome: visit.chrome(),
        heading: Key("account-deleted"),
        paragraphs: &[Message::new("account-deleted-what")],
        next: Some(Link { href: "/auth/login", label: Key("error-to-log-in") }),
    };
    views::page(StatusCode::OK, &view)
}

async fn page(
    mut visit: Visit,
    live: &Live,
    status: StatusCode,
    password_error: Option<&Message>,
    form_error: Option<&Message>,
) -> Result<Response, Stop> {
    let csrf = visit.csrf()?;
    let view = DeleteAccountPage {
        chrome: visit.chrome_of(live, &csrf),
        csrf: &csrf,
        sections: &account_sections("/auth/account"),
        email: &live.view.email,
        has_password: visit.has_password(live).await?,
        password_error,
        form_error,
    };
    let page = views::page(status, &view);
    Ok(visit.answer(page))
}
