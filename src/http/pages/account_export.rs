//! `/auth/account/export`: downloads the data stored about the user, as JSON (GDPR, articles 15 and 20).

use super::page_context::PageContext;
use crate::domain::account::export;
use crate::http::form::{FormErrors, NoFields, Submitted};
use crate::http::page_error::PageError;
use crate::http::session::LiveSession;
use crate::http::views::{self, ExportPage, account_sections};
use crate::rate_limit::RateLimit;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

const PATH: &str = "/auth/account/export";

/// Offers the download, after recent authentication.
pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let live = context.require_reauthentication(PATH).await?;
    page(&context, &live, &FormErrors::default())
}

pub async fn submit(context: PageContext, submitted: Submitted<NoFields>) -> Result<Response, PageError> {
    let live = context.require_reauthentication(PATH).await?;
    if let Err(errors) = submitted.verified(&live) {
        return page(&context, &live, &errors);
    }
    context.check_rate_limit(RateLimit::Export(live.view.user_id)).await?;
    let export = export::export(&context.app, &context.person(&live), live.view.user_id).await?;
    // A username contains no character that needs quoting.
    let disposition =
        format!("attachment; filename=\"{}-{}.json\"", context.app.settings.name.as_str(), live.view.username);
    let headers = [
        (CONTENT_TYPE, "application/json".to_owned()),
        (CACHE_CONTROL, "no-store".to_owned()),
        (CONTENT_DISPOSITION, disposition),
    ];
    Ok((StatusCode::OK, headers, format!("{export:#}\n")).into_response())
}

fn page(context: &PageContext, live: &LiveSession, errors: &FormErrors) -> Result<Response, PageError> {
    let csrf = context.csrf()?;
    let view = ExportPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections("/auth/account"),
        form_error: errors.form(),
    };
    Ok(views::page(errors.status(), &view))
}
