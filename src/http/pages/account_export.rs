//! `/auth/account/export`: everything that is stored about the user, as a file.

use super::submission::{Member, Stop, Submission, not_found};
use super::visit::Visit;
use crate::domain::account::export;
use crate::domain::account::operator::OperatorError;
use crate::http::error::Fault;
use crate::http::session::Live;
use crate::http::views::{self, ExportPage, STALE_FORM, account_sections};
use crate::messages::Message;
use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

const PATH: &str = "/auth/account/export";

/// Offers it, to somebody who proved lately who they are.
pub async fn show(visit: Visit) -> Result<Response, Stop> {
    let Member { visit, live } = visit.confirmed_member(PATH).await?;
    page(visit, &live, StatusCode::OK, None)
}

/// Gives it.
pub async fn submit(visit: Visit, body: Body) -> Result<Response, Stop> {
    let Submission { visit, live, fields: _, meant } = visit.confirmed_submission(body, PATH).await?;
    if !meant {
        return page(visit, &live, StatusCode::FORBIDDEN, Some(&STALE_FORM));
    }
    let export = match export::export(&visit.app, live.view.user_id, &visit.by(&live)).await {
        Ok(export) => export,
        Err(OperatorError::Failed(error)) => return Err(Fault::new(error, visit.id).into()),
        Err(_) => return Err(not_found()),
    };
    // A username has no character that would end the quotes.
    let file = format!("attachment; filename=\"{}-{}.json\"", visit.app.settings.name.as_str(), live.view.username);
    let headers = [
        (CONTENT_TYPE, "application/json".to_owned()),
        (CACHE_CONTROL, "no-store".to_owned()),
        (CONTENT_DISPOSITION, file),
    ];
    let response = (StatusCode::OK, headers, format!("{export:#}\n")).into_response();
    Ok(visit.answer(response))
}

fn page(mut visit: Visit, live: &Live, status: StatusCode, form_error: Option<&Message>) -> Result<Response, Stop> {
    let csrf = visit.csrf()?;
    let view = ExportPage {
        chrome: visit.chrome_of(live, &csrf),
        csrf: &csrf,
        sections: &account_sections("/auth/account"),
        form_error,
    };
    let page = views::page(status, &view);
    Ok(visit.answer(page))
}
