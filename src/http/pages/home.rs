//! `/auth/`: redirects to the account page, or to the login page without a session.

use super::page_context::PageContext;
use crate::http::page_error::PageError;
use axum::response::Response;

pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let target = if context.session().await?.is_some() { "/auth/account" } else { "/auth/login" };
    Ok(context.redirect(Some(target)))
}
