//! `/auth/account/export`: downloads the data stored about the user, as JSON (GDPR, articles 15 and 20).

use super::page_context::PageContext;
use super::submission::{EarlyResponse, LoggedIn, Submission, not_found};
use crate::domain::account::export;
use crate::domain::account::operator::OperatorError;
use crate::http::error::InternalError;
use crate::http::session::LiveSession;
use crate::http::views::{self, CSRF_FAILED, ExportPage, account_sections};
use crate::messages::Message;
use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

const PATH: &str = "/auth/account/export";

/// Offers the download, after recent authentication.
pub async fn show(context: PageContext) -> Result<Response, EarlyResponse> {
    let LoggedIn { context, live } = context.require_reauthentication(PATH).await?;
    page(context, &live, StatusCode::OK, None)
}

/// Returns the file.
pub async fn submit(context: PageContext, body: Body) -> Result<Response, EarlyResponse> {
    let Submission { context, live, fields: _, csrf_valid } = context.reauthenticated_submission(body, PATH).await?;
    if !csrf_valid {
        return page(context, &live, StatusCode::FORBIDDEN, Some(&CSRF_FAILED));
    }
    let export = match export::export(&context.app, live.view.user_id, &context.actor(&live)).await {
        Ok(export) => export,
        Err(OperatorError::Failed(error)) => return Err(InternalError::new(error, context.id).into()),
        Err(_) => return Err(not_found()),
    };
    // A username contains no character that needs quoting.
    let disposition =
        format!("attachment; filename=\"{}-{}.json\"", context.app.settings.name.as_str(), live.view.username);
    let headers = [
        (CONTENT_TYPE, "application/json".to_owned()),
        (CACHE_CONTROL, "no-store".to_owned()),
        (CONTENT_DISPOSITION, disposition),
    ];
    let response = (StatusCode::OK, headers, format!("{export:#}\n")).into_response();
    Ok(context.respond(response))
}

fn page(
    mut context: PageContext,
    live: &LiveSession,
    status: StatusCode,
    form_error: Option<&Message>,
) -> Result<Response, EarlyResponse> {
    let csrf = context.csrf()?;
    let view = ExportPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections("/auth/account"),
        form_error,
    };
    let page = views::page(status, &view);
    Ok(context.respond(page))
}
