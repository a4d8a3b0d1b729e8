//! `/auth/`: the account for those who are logged in, the log-in page for the others.

use super::visit::Visit;
use crate::http::error::Fault;
use axum::response::Response;

/// Sends the visitor on.
pub async fn show(mut visit: Visit) -> Result<Response, Fault> {
    let target = if visit.session().await?.is_some() { "/auth/account" } else { "/auth/login" };
    Ok(visit.redirect(Some(target)))
}
