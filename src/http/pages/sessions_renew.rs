//! `GET /auth/sessions/renew`: replaces both cookies and goes on. The gate sends pages here whose refresh token is old.

use super::page_context::PageContext;
use crate::http::form::Typed;
use crate::http::page_error::PageError;
use axum::response::Response;

/// Renews the session, whatever the access cookie is worth; without a session, leads to the login.
pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let return_to = context.return_to(&Typed::default());
    if context.renew_session().await? {
        return Ok(context.redirect(return_to.as_deref()));
    }
    Ok(context.redirect_to_login_with(return_to.as_deref()))
}
